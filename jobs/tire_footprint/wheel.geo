// The wheel: a cylinder about the y axis that the beads sit on. Lengths in metres.
SetFactory("OpenCASCADE");
DefineConstant[ radius = {0.1905, Name "radius of the rim"},
                half_width = {0.076, Name "half the width of the rim"},
                element_size = {0.06, Name "element edge length"} ];
Cylinder(1) = {0, -half_width, 0, 0, 2 * half_width, 0, radius};
Physical Volume("wheel") = {1};
Physical Surface("rim") = {Surface{:}};
Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
