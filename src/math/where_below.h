// A choice between two numbers, in each lane of packs.
#pragma once

#include "math/pack.h"

namespace traction {

/// `below` where x is below the bound, else `otherwise`.
inline double where_below(double x, double bound, double below, double otherwise) { return x < bound ? below : otherwise; }
inline Pack where_below(const Pack& x, double bound, const Pack& below, const Pack& otherwise) { return Pack(x.data < bound ? below.data : otherwise.data); }

}  // namespace traction
