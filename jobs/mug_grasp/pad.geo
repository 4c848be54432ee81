// The pad of a gripper, a box around the origin. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.02, Name "element edge length"},
                length = {0.03, Name "edge along x"},
                depth = {0.016, Name "edge along y"},
                height = {0.03, Name "edge along z"} ];

Box(1) = {-0.5 * length, -0.5 * depth, -0.5 * height, length, depth, height};
Physical Volume("pad") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
