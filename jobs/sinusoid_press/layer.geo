// Half a wavelength of a layer of thickness 1, one cell wide along y. Lengths in units of the thickness.
DefineConstant[ element_size = {0.0625, Name "element edge length"},
                wavelength = {2 * Pi / 3, Name "wavelength"} ];

half = wavelength / 2;
Point(1) = {0, 0, 0};
Point(2) = {half, 0, 0};
Point(3) = {half, 0, 1};
Point(4) = {0, 0, 1};
For i In {1 : 4}
  Line(i) = {i, i % 4 + 1};
EndFor
Transfinite Curve {1, 3} = Round(half / element_size) + 1;
Transfinite Curve {2, 4} = Round(1 / element_size) + 1;
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Surface {1} Alternate;
solid[] = Extrude {0, element_size, 0} { Surface{1}; Layers{1}; };
Physical Volume("layer") = {solid[1]};
Physical Surface("bottom") = {solid[2]};
Physical Surface("ends") = {solid[3], solid[5]};
Physical Surface("top") = {solid[4]};
Physical Surface("sides") = {1, solid[0]};
