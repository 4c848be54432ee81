// A solid ball around the origin. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {6e-3, Name "element edge length"},
                radius = {30e-3, Name "radius"} ];

Sphere(1) = {0, 0, 0, radius};
Physical Volume("ball") = {1};
Physical Surface("outer") = Boundary{ Volume{1}; };
Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
