// A spherical skin around the origin. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.015, Name "element edge length"},
                radius = {0.1, Name "radius"} ];

Sphere(1) = {0, 0, 0, radius};
skin() = Boundary{ Volume{1}; };
Delete { Volume{1}; }
Physical Surface("skin") = {skin()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
