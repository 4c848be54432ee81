// A block that stands on z = 0. Lengths in metres.
SetFactory("OpenCASCADE");
DefineConstant[ element_size = {0.02, Name "element edge length"} ];

Box(1) = {-0.06, -0.06, 0, 0.12, 0.12, 0.08};
Physical Volume("rubber") = {1};
Physical Surface("skin") = Boundary{ Volume{1}; };

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
