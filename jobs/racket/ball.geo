// The middle of a tennis ball's wall. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.009, Name "element edge length"},
                radius = {0.0305, Name "radius"} ];

Sphere(1) = {0, 0, 0, radius};
Physical Surface("wall") = Boundary{ Volume{1}; };

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
