// A SIMD pack: as many doubles as the processor computes with at once. Element kernels use it as their scalar for speed, alone or inside dual numbers.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstring>
#include <limits>

namespace traction {

#if defined(__AVX512F__)
inline constexpr int kPackWidth = 8;
#elif defined(__AVX__)
inline constexpr int kPackWidth = 4;
#else
inline constexpr int kPackWidth = 2;
#endif

/// Doubles of several elements, which operations treat at once.
struct Pack {
  using Data __attribute__((vector_size(kPackWidth * sizeof(double)))) = double;
  using Bits __attribute__((vector_size(kPackWidth * sizeof(double)))) = long long;
  Data data;

  Pack() = default;
  Pack(double constant) : data(constant - Data{}) {}  ///< implicit, so that kernels may mix constants and packs
  explicit Pack(const Data& lanes) : data(lanes) {}

  double operator[](int lane) const { return data[lane]; }
  void set(int lane, double value) { data[lane] = value; }

  Pack& operator+=(const Pack& b) {
    data += b.data;
    return *this;
  }
  Pack& operator-=(const Pack& b) {
    data -= b.data;
    return *this;
  }
  Pack& operator*=(const Pack& b) {
    data *= b.data;
    return *this;
  }
  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.data + b.data); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.data - b.data); }
  friend Pack operator-(const Pack& a) { return Pack(-a.data); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.data * b.data); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.data / b.data); }

  friend double sum(const Pack& a) {
    double total = 0;
    for (int lane = 0; lane < kPackWidth; ++lane) total += a.data[lane];
    return total;
  }

  /// Accurate to 2 units in the last place; NaN for arguments that are not positive, not finite, or below 2.2e-308.
  friend Pack log(const Pack& x) {
    // x = 2^k m with m in [sqrt(1/2), sqrt(2)), and log m = 2 atanh(s), s = (m - 1) / (m + 1), whose series to s^21 is exact to rounding for |s| <= 0.172.
    constexpr long long kMantissa = 0x000fffffffffffff, kExponentOfOne = 0x3ff0000000000000;
    constexpr double kRootTwo = 1.4142135623730951, kLogTwoHigh = 0x1.62e42fefa0000p-1, kLogTwoLow = 0x1.cf79abc9e3b3ap-40;
    const Bits bits = std::bit_cast<Bits>(x.data);
    Bits exponent = (bits >> 52) - 1023;
    const Bits unit = (bits & kMantissa) | kExponentOfOne;
    Data m = std::bit_cast<Data>(unit);
    const Bits above = m > kRootTwo;  // -1 where true
    m = above ? 0.5 * m : m;
    exponent -= above;
    const Data k = __builtin_convertvector(exponent, Data), f = m - 1.0, s = f / (2.0 + f), z = s * s;
    Data series = Data{} + 1.0 / 21;
    for (int n = 19; n >= 3; n -= 2) series = series * z + 1.0 / n;
    const Data small = s * z * series;  // atanh(s) - s
    const Data result = k * kLogTwoHigh + (2.0 * s + (2.0 * small + k * kLogTwoLow));
    const Data undefined = Data{} + std::numeric_limits<double>::quiet_NaN();
    const Bits defined = (x.data >= std::numeric_limits<double>::min()) & (x.data <= std::numeric_limits<double>::max());
    return Pack(defined ? result : undefined);
  }

  /// Accurate to 2 units in the last place; 0 for arguments below -708, infinite above 709, NaN for NaN.
  friend Pack exp(const Pack& x) {
    // x = k log 2 + r with |r| <= log(2) / 2, for which the series of exp(r) to r^13 is exact to rounding.
    constexpr double kInverseLogTwo = 0x1.71547652b82fep+0, kLogTwoHigh = 0x1.62e42fefa0000p-1, kLogTwoLow = 0x1.cf79abc9e3b3ap-40;
    constexpr double kRounding = 0x1.8p52;  // a sum with this number, minus it, is rounded to a whole number
    const Bits too_small = x.data<-708.0, too_large = x.data> 709.0;
    const Data inside = too_small ? Data{} - 708.0 : (too_large ? Data{} + 709.0 : x.data);
    const Data k = (inside * kInverseLogTwo + kRounding) - kRounding, r = (inside - k * kLogTwoHigh) - k * kLogTwoLow;
    Data series = Data{} + 1.0;
    for (int n = 13; n >= 1; --n) series = 1.0 + series * r / n;
    const Bits exponent = (__builtin_convertvector(k, Bits) + 1023) << 52;
    const Data result = series * std::bit_cast<Data>(exponent), infinite = Data{} + std::numeric_limits<double>::infinity();
    return Pack(too_small ? Data{} : (too_large ? infinite : result));
  }
};

/// Three doubles and one unused lane, so that they are loaded and added at once.
struct Four {
  using Data __attribute__((vector_size(4 * sizeof(double)))) = double;
  Data data;

  static Four load(const double* values) {
    Four result;
    std::memcpy(&result.data, values, sizeof(Data));
    return result;
  }
};

}  // namespace traction

namespace Eigen {

/// Makes packs a scalar type of Eigen.
template <>
struct NumTraits<traction::Pack> : GenericNumTraits<double> {
  using Real = traction::Pack;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0, ReadCost = 1, AddCost = 1, MulCost = 1 };
};

}  // namespace Eigen
