// A soft pad whose face lies on the plane that touches the bowl's side at `azimuth`, `grip` above the table, and `gap` away from it. Lengths in metres, angles in degrees.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.005, Name "element edge length"},
                azimuth = {0, Name "where around the bowl"},
                rim_radius = {0.1, Name "the bowl's outer radius at the rim"},
                top_radius = {0.075, Name "the bowl's outer radius on top"},
                height = {0.07, Name "the bowl's height"},
                grip = {0.035, Name "height of the face's centre"},
                gap = {0.0012, Name "distance of the face from the bowl"},
                width = {0.03, Name "width and height of the face"},
                depth = {0.015, Name "thickness of the pad"} ];

tilt = Atan((rim_radius - top_radius) / height);
Box(1) = {gap, -0.5 * width, -0.5 * width, depth, width, width};
Rotate { {0, 1, 0}, {0, 0, 0}, -tilt } { Volume{1}; }
Translate { rim_radius - grip * Tan(tilt), 0, grip } { Volume{1}; }
Rotate { {0, 0, 1}, {0, 0, 0}, azimuth * Pi / 180 } { Volume{1}; }
Physical Volume("pad") = {1};
Physical Surface("face") = {1};
Physical Surface("back") = {2};

cells = Ceil(width / element_size - 1e-6);
layers = Ceil(depth / element_size - 1e-6);
Transfinite Curve{:} = cells + 1;
Transfinite Curve{9, 10, 11, 12} = layers + 1;
Transfinite Surface{:};
Transfinite Volume{1};
