// A finger, a cylinder around z. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.004, Name "element edge length"},
                radius = {0.006, Name "radius"},
                length = {0.04, Name "length"} ];

Cylinder(1) = {0, 0, -0.5 * length, 0, 0, length, radius};
Physical Volume("finger") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
