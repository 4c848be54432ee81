// The driver above the bolt, a disc around z. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.008, Name "element edge length"},
                radius = {0.013, Name "radius"},
                bottom = {0.035, Name "height of its bottom"},
                thickness = {0.004, Name "thickness"} ];

Cylinder(1) = {0, 0, bottom, 0, 0, thickness, radius};
Physical Volume("driver") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
