// A soft limb along the x axis: a cylinder between two half spheres, which are regions of their own. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.016, Name "element edge length"},
                radius = {0.05, Name "radius"},
                half_length = {0.2, Name "half the length of the cylinder"} ];

Cylinder(1) = {-half_length, 0, 0, 2 * half_length, 0, 0, radius};
Sphere(2) = {-half_length, 0, 0, radius};
Sphere(3) = {half_length, 0, 0, radius};
Cylinder(4) = {-half_length - 2 * radius, 0, 0, 2 * radius, 0, 0, 2 * radius};
Cylinder(5) = {half_length, 0, 0, 2 * radius, 0, 0, 2 * radius};
BooleanIntersection(6) = { Volume{2}; Delete; }{ Volume{4}; Delete; };
BooleanIntersection(7) = { Volume{3}; Delete; }{ Volume{5}; Delete; };
BooleanFragments{ Volume{1}; Delete; }{ Volume{6, 7}; Delete; }

limb() = Volume{:};
For i In {0 : #limb() - 1}
  box() = BoundingBox Volume{limb(i)};
  If (box(3) < -half_length + 1e-3)
    Physical Volume("held") = {limb(i)};
  ElseIf (box(0) > half_length - 1e-3)
    Physical Volume("turned") = {limb(i)};
  Else
    Physical Volume("middle") = {limb(i)};
  EndIf
EndFor
skin() = CombinedBoundary{ Volume{:}; };
Physical Surface("skin") = {skin()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
