// A spherical skin that stands on z = 0. Lengths in metres.
SetFactory("OpenCASCADE");
DefineConstant[ radius = {0.1, Name "radius"}, element_size = {0.03, Name "element edge length"} ];

Sphere(1) = {0, 0, radius, radius};
skin() = Boundary{ Volume{1}; };
Delete { Volume{1}; }
Physical Surface("skin") = {skin()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
