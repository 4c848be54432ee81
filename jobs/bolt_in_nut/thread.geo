// A ring with a thread around z, outside (a hollow bolt) if its wall lies inside the thread, inside (a nut) if it lies outside. The axial section of one turn, between
// the thread and the wall, is swept along the helix, so that the ring ends in a step at both ends like a spring. Lengths in metres.
DefineConstant[ steps = {48, Name "steps around the circle"},
                turns = {2, Name "number of turns, at least 2"},
                pitch = {0.004, Name "pitch"},
                radius = {0.01, Name "mean radius of the thread"},
                depth = {0.0016, Name "depth of the thread"},
                clearance = {0, Name "added to the radius of the thread"},
                wall = {0.016, Name "radius of the wall"},
                element_size = {0.0014, Name "element edge length"} ];

// Crest and flanks of the bolt's thread take up a quarter and 0.23 of the pitch each.
profile_z() = {0, 0.25 * pitch, 0.48 * pitch, 0.77 * pitch};
profile_r() = {0.5, 0.5, -0.5, -0.5};   // of the depth
last = steps * turns;

Macro NewPoint   // at this angle's step m, radius r, height z over the helix
  angle = 2 * Pi * m / steps;
  Point(id) = {r * Cos(angle), r * Sin(angle), z + pitch * m / steps, element_size};
Return

// Thread points 4 m + j, wall points 100000 + 2 m + j; those with j = 0 go on for one turn, the end face.
For m In {0 : last + steps}
  For j In {0 : 3}
    If (j == 0 || m <= last)
      id = 1 + 4 * m + j; r = radius + clearance + depth * profile_r(j); z = profile_z(j);
      Call NewPoint;
    EndIf
  EndFor
  For j In {0 : 1}
    If (j == 0 || m <= last)
      id = 100001 + 2 * m + j; r = wall; z = 0.5 * j * pitch;
      Call NewPoint;
    EndIf
  EndFor
EndFor

// Strips along the helix: in the cell (j, m) lie the triangles of its corners a, b (at m) and c, d (at m + 1). Lines: across + 8 m + j, along + 8 m + j, diagonal + 8 m + j.
across = 1000000;
along = 2000000;
diagonal = 3000000;
faces() = {};
For m In {0 : last + steps}
  For j In {0 : 5}   // 0 to 3 of the thread, 4 and 5 of the wall
    n = (j < 4) ? 4 : 2;
    base = (j < 4) ? 1 : 100001;
    q = (j < 4) ? j : j - 4;
    here = base + n * m + q;
    next = (q == n - 1) ? base + n * (m + steps) : here + 1;
    If (m <= last)
      Line(across + 8 * m + j) = {here, next};
    EndIf
    If (m < last || (q == 0 && m < last + steps))
      Line(along + 8 * m + j) = {here, here + n};
    EndIf
    If (m < last)
      Line(diagonal + 8 * m + j) = {here, next + n};
    EndIf
  EndFor
  If (m <= steps || m >= last)
    Line(across + 8 * m + 6) = {1 + 4 * m, 100001 + 2 * m};   // radial, in the end faces
  EndIf
  If (m < steps || (m >= last && m < last + steps))
    Line(diagonal + 8 * m + 6) = {1 + 4 * m, 100001 + 2 * (m + 1)};
  EndIf
EndFor
For m In {0 : last - 1}
  For j In {0 : 5}
    opposite = (j == 3) ? along + 8 * (m + steps) : ((j == 5) ? along + 8 * (m + steps) + 4 : along + 8 * m + j + 1);
    s = newreg; Curve Loop(s) = {across + 8 * m + j, opposite, -(diagonal + 8 * m + j)}; Plane Surface(s) = {s}; faces() += s;
    s = newreg; Curve Loop(s) = {diagonal + 8 * m + j, -(across + 8 * (m + 1) + j), -(along + 8 * m + j)}; Plane Surface(s) = {s}; faces() += s;
  EndFor
EndFor
For turn In {0 : 1}
  first = turn * last;
  For m In {first : first + steps - 1}
    s = newreg; Curve Loop(s) = {across + 8 * m + 6, along + 8 * m + 4, -(diagonal + 8 * m + 6)}; Plane Surface(s) = {s}; faces() += s;
    s = newreg; Curve Loop(s) = {diagonal + 8 * m + 6, -(across + 8 * (m + 1) + 6), -(along + 8 * m)}; Plane Surface(s) = {s}; faces() += s;
  EndFor
  b = 8 * first;   // the step
  s = newreg;
  Curve Loop(s) = {across + b, across + b + 1, across + b + 2, across + b + 3, across + 8 * (first + steps) + 6, -(across + b + 5), -(across + b + 4), -(across + b + 6)};
  Plane Surface(s) = {s};
  faces() += s;
EndFor
Surface Loop(1) = {faces()};
Volume(1) = {1};
Physical Volume("ring") = {1};

Mesh.MeshSizeExtendFromBoundary = 1;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
