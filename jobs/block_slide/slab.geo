// A slab whose top is z = 0, under the way of the block in block.geo. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.15, Name "element edge length"} ];

Box(1) = {-0.9, -0.7, -0.3, 3, 1.4, 0.3};
Physical Volume("slab") = {1};
bottom() = Surface In BoundingBox{-1, -1, -0.31, 3, 1, -0.29};
top() = Surface In BoundingBox{-1, -1, -0.01, 3, 1, 0.01};
Physical Surface("bottom") = {bottom()};
Physical Surface("top") = {top()};

Mesh.MeshSizeMax = element_size;
