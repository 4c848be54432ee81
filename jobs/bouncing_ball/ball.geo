// A ball around the origin, for the picture and the mass of a rigid body. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.012, Name "element edge length"},
                radius = {0.05, Name "radius"} ];

Sphere(1) = {0, 0, 0, radius};
Physical Volume("ball") = {1};
Physical Surface("outer") = Boundary{ Volume{1}; };

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
