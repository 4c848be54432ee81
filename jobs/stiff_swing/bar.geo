// A bar along x that is held at x = 0. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.025, Name "element edge length"},
                length = {0.5, Name "length"},
                width = {0.1, Name "width and height"} ];

Box(1) = {0, 0, 0, length, width, width};
Physical Volume("bar") = {1};
Physical Surface("held") = {1};
Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
