// The hand behind the sticks, a box across their ends. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.01, Name "element edge length"} ];

Box(1) = {-0.01, -0.02, -0.01, 0.02, 0.04, 0.02};
Physical Volume("hand") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
