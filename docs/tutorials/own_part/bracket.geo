// The bracket of a CAD program, with names for its regions. Lengths in millimetres, as in the STEP file.
SetFactory("OpenCASCADE");
DefineConstant[ element_size = {7, Name "element edge length"} ];

Merge "bracket.step";
faces() = Surface In BoundingBox{-60, -40, -1, 60, 40, 1};   // those that lie in z = 0
Physical Volume("plastic") = {1};
Physical Surface("sole") = {faces()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
