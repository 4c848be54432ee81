// The stiff plate behind a soft fingertip, whose back it carries. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.006, Name "element edge length"},
                radius = {0.01, Name "radius"},
                front = {-0.004, Name "place of its front along y"},
                thickness = {0.003, Name "thickness"} ];

Cylinder(1) = {0, front - thickness, 0, 0, thickness, 0, radius};
Physical Volume("plate") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
