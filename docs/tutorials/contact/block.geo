// A block that stands on z = 0. Lengths in metres.
SetFactory("OpenCASCADE");
DefineConstant[ length = {0.1, Name "length and width"}, height = {0.05, Name "height"}, element_size = {0.025, Name "element edge length"} ];

Box(1) = {-length/2, -length/2, 0, length, length, height};
Physical Volume("rubber") = {1};
Physical Surface("skin") = Boundary{ Volume{1}; };

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
