// A rigid stamp over a layer: its lower side is z = top + amplitude (1 - cos(2 pi x / wavelength)). Lengths in units of the layer's thickness.
DefineConstant[ amplitude = {0.333, Name "amplitude"},
                wavelength = {2 * Pi / 3, Name "wavelength"},
                top = {1, Name "height of its lowest point"},
                margin = {0, Name "how far it extends beyond half a wavelength, in parts of it"},
                facets = {64, Name "facets of half a wavelength"},
                width = {1, Name "extent along y"},
                front = {0, Name "least y"},
                layers = {1, Name "facets along y"} ];

half = wavelength / 2;
extra = Ceil(margin * facets);
n = facets + 2 * extra;
height = top + 2 * amplitude + 0.6;
For i In {0 : n}
  x = half * (i - extra) / facets;
  Point(1 + i) = {x, front, top + amplitude * (1 - Cos(2 * Pi * x / wavelength)), 0.2};
EndFor
Point(n + 2) = {half * (n - extra) / facets, front, height, 0.2};
Point(n + 3) = {-half * extra / facets, front, height, 0.2};
For i In {1 : n + 2}
  Line(i) = {i, i + 1};
EndFor
Line(n + 3) = {n + 3, 1};
Transfinite Curve {1 : n} = 2;
Curve Loop(1) = {1 : n + 3};
Plane Surface(1) = {1};
solid[] = Extrude {0, width, 0} { Surface{1}; Layers{layers}; };
Physical Volume("stamp") = {solid[1]};
Physical Surface("lower") = {solid[{2 : n + 1}]};
