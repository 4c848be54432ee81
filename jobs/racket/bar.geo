// A bar of the head, in which the ends of the strings of one side are held; along y, or along x. Lengths in metres.
SetFactory("OpenCASCADE");
DefineConstant[ x = {0.12, Name "center"}, y = {0, Name "center"},
                turned = {0, Name "1: along x"} ];
If (turned)
  Box(1) = {x - 0.13, y - 0.005, -0.01, 0.26, 0.01, 0.02};
Else
  Box(1) = {x - 0.005, y - 0.13, -0.01, 0.01, 0.26, 0.02};
EndIf
Physical Volume("bar") = {1};
Mesh.MeshSizeMin = 0.1;
Mesh.MeshSizeMax = 0.1;
