// A soft ball around the origin. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.002, Name "element edge length"},
                radius = {0.01, Name "radius"} ];

Sphere(1) = {0, 0, 0, radius};
Physical Volume("ball") = {1};
Physical Surface("skin") = Boundary{ Volume{1}; };

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
