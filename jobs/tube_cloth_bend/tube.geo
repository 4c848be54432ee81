// A tube of cloth around the x axis. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.008, Name "element edge length"},
                radius = {0.053, Name "radius"},
                half_length = {0.12, Name "half the length"} ];

Circle(1) = {0, 0, -half_length, radius};
Rotate { {0, 1, 0}, {0, 0, 0}, Pi / 2 } { Curve{1}; }
cloth() = Extrude {2 * half_length, 0, 0} { Curve{1}; };
Physical Surface("cloth") = Surface{:};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm = 6;
