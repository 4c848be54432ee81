// A bowl standing upside down on z = 0. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.008, Name "element edge length"},
                rim_radius = {0.1, Name "outer radius at the rim"},
                top_radius = {0.075, Name "outer radius of the bottom, which is on top"},
                height = {0.07, Name "height"},
                wall = {0.008, Name "thickness of wall and bottom"} ];

slope = (rim_radius - top_radius) / height;
inset = wall * Sqrt(1 + slope * slope);
inner_height = height - wall;
Cone(1) = {0, 0, 0, 0, 0, height, rim_radius, top_radius};
Cone(2) = {0, 0, 0, 0, 0, inner_height, rim_radius - inset, rim_radius - inset - slope * inner_height};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume("bowl") = {3};

faces() = Boundary{ Volume{3}; };
For i In {0 : #faces() - 1}
  box() = BoundingBox Surface{faces(i)};
  If (box(5) < 1e-6)
    Physical Surface("rim") = {faces(i)};
  EndIf
  If (box(3) > rim_radius - 1e-6 && box(5) > height - 1e-6)
    Physical Surface("side") = {faces(i)};
  EndIf
EndFor

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
