// A ball around the origin, the tip of a finger as a pressure field. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.0025, Name "element edge length"},
                radius = {0.01, Name "radius"} ];

Sphere(1) = {0, 0, 0, radius};
Physical Volume("tip") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
