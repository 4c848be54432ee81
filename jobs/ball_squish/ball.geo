// A hollow ball around the origin. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.03, Name "element edge length"},
                outer_radius = {0.1, Name "outer radius"},
                thickness = {0.015, Name "thickness of the wall"} ];

Sphere(1) = {0, 0, 0, outer_radius};
Sphere(2) = {0, 0, 0, outer_radius - thickness};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume("wall") = {3};

faces() = Boundary{ Volume{3}; };
For i In {0 : #faces() - 1}
  box() = BoundingBox Surface{faces(i)};
  If (box(3) > outer_radius - 0.5 * thickness)
    Physical Surface("outer") = {faces(i)};
  Else
    Physical Surface("cavity") = {faces(i)};
  EndIf
EndFor

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
