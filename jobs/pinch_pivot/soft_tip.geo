// The round end of a finger that points along y: half a ball around the origin on a short cylinder, with fine elements at its top. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.0005, Name "element edge length at the top"},
                coarse = {0.003, Name "element edge length at the back"},
                radius = {0.01, Name "radius"},
                length = {0.004, Name "length of the cylinder behind"} ];

Sphere(1) = {0, 0, 0, radius, 0, Pi / 2};
Cylinder(2) = {0, 0, 0, 0, 0, -length, radius};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Rotate { {1, 0, 0}, {0, 0, 0}, -Pi / 2 } { Volume{3}; }
Physical Volume("tip") = {3};

faces() = Boundary{ Volume{3}; };
For i In {0 : #faces() - 1}
  box() = BoundingBox Surface{faces(i)};
  If (box(4) > radius - 1e-6)
    Physical Surface("skin") = {faces(i)};
  EndIf
  If (box(4) < -length + 1e-6)
    Physical Surface("back") = {faces(i)};
  EndIf
EndFor

// Fine around the top, coarser with the distance from it.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + 0.28 * Max(0, Sqrt(x*x + (y - %g)*(y - %g) + z*z) - 0.0045)", element_size, radius, radius);
Field[2] = MathEval;
Field[2].F = Sprintf("%g", coarse);
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
