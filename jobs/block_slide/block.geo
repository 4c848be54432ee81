// A unit cube standing on z = 0. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.5, Name "element edge length"} ];

Box(1) = {-0.5, -0.5, 0, 1, 1, 1};
Physical Volume("block") = {1};
bottom() = Surface In BoundingBox{-1, -1, -0.01, 1, 1, 0.01};
Physical Surface("bottom") = {bottom()};

cells = Ceil(1 / element_size - 1e-6);
Transfinite Curve{:} = cells + 1;
Transfinite Surface{:};
Transfinite Volume{1};
