//===- field_fp64.cuh - residues as doubles, for devices that multiply doubles fast -----------===//
//
// A product of two residues below 2^50 is the exact sum of two doubles, and its residue follows
// from the integer next to its quotient, as in runtime/kernels/arithmetic_avx2.h, where the bounds
// are proven; bounds here are in multiples of q. A residue is an integer in [-3/4, 1), a *settled*
// one at most 1/2 and a little.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_FIELD_FP64_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_FIELD_FP64_CUH

#include "runtime/cuda/kernels/launch.cuh"
#include "runtime/cuda/kernels/launch_parameters.h"

#include <cmath>
#include <cstring>

namespace sluice::cuda {

#ifdef SLUICE_CUDA_HOST_SHIM
inline uint64_t bitsOf(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline double realOf(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline double fusedMultiplyAdd(double a, double b, double c) { return std::fma(a, b, c); }
#else
SLUICE_DEVICE uint64_t bitsOf(double x) { return __double_as_longlong(x); }
SLUICE_DEVICE double realOf(uint64_t bits) { return __longlong_as_double(bits); }
SLUICE_DEVICE double fusedMultiplyAdd(double a, double b, double c) { return __fma_rn(a, b, c); }
#endif

/// Arithmetic modulo the prime of one limb.
struct Fp64Field {
  using Word = double;

  double q, inverse;
  int64_t wholeQ; // conversions are slow
  const double *roots, *inverseRoots;

  SLUICE_DEVICE explicit Fp64Field(const LimbConstants &limb)
      : q(limb.realQ), inverse(limb.inverseQ), wholeQ(static_cast<int64_t>(limb.q)),
        roots(limb.centredRoots), inverseRoots(limb.centredInverseRoots) {}

  /// An integer below 2^52, as the mantissa of a number from 2^52 on.
  static SLUICE_DEVICE double fromInteger(uint64_t word) {
    return realOf(word | 0x4330000000000000) - 0x1p52;
  }
  static SLUICE_DEVICE Word fromResidue(uint64_t residue) { return fromInteger(residue); }
  /// The residue in [0, q) of an integer |x| < q.
  SLUICE_DEVICE uint64_t toResidue(Word x) const {
    const int64_t shifted =
        static_cast<int64_t>(bitsOf(x + 0x1.8p52)) - static_cast<int64_t>(bitsOf(0x1.8p52));
    return static_cast<uint64_t>(shifted < 0 ? shifted + wholeQ : shifted);
  }
  /// The half form keeps doubles.
  static SLUICE_DEVICE Word fromHalf(uint64_t word) { return realOf(word); }
  static SLUICE_DEVICE uint64_t toHalf(Word x) { return bitsOf(x); }

  /// x / q rounded, for |x| / q < 2^51.
  SLUICE_DEVICE double quotient(double x) const {
    return fusedMultiplyAdd(x, inverse, 0x1.8p52) - 0x1.8p52;
  }
  /// x settled, for an integer |x| < 2^53.
  SLUICE_DEVICE Word settle(Word x) const { return fusedMultiplyAdd(-quotient(x), q, x); }
  /// a * b for |a * b| / q < 2^51: |a| <= A and |b| <= 1/2 give at most 1/2 + A/8, |b| <= 0.57
  /// gives 1/2 + A/7, |b| < 1 gives 1/2 + A/4.
  SLUICE_DEVICE Word multiply(Word a, Word b) const {
    const double high = a * b;
    const double low = fusedMultiplyAdd(a, b, -high);
    return fusedMultiplyAdd(-quotient(high), q, high) + low;
  }
  SLUICE_DEVICE Word centred(uint64_t residue) const {
    const double real = fromInteger(residue);
    return real + real > q ? real - q : real;
  }

  // --- Residues ---

  SLUICE_DEVICE Word add(Word a, Word b) const { return settle(a + b); }
  SLUICE_DEVICE Word sub(Word a, Word b) const { return settle(a - b); }
  /// Not below -3/4, as all residues: sums of products count on it.
  SLUICE_DEVICE Word negate(Word a) const { return a > 0 ? q - a : -a; }
  SLUICE_DEVICE Word mul(Word a, Word b) const { return multiply(a, b); }
  SLUICE_DEVICE Word mac(Word acc, Word a, Word b) const { return settle(acc + multiply(a, b)); }
  SLUICE_DEVICE Word mulScalar(Word a, uint64_t scalar) const {
    return multiply(a, fromInteger(scalar));
  }
  SLUICE_DEVICE Word addScalar(Word a, uint64_t scalar) const {
    return settle(a + fromInteger(scalar));
  }

  // --- Transforms: a pass has up to three stages; its operands are settled ---

  SLUICE_DEVICE Word beginForward(Word x) const { return x; }
  SLUICE_DEVICE Word beginInverse(Word x) const { return settle(x); }
  using Root = double; // at most 0.57
  SLUICE_DEVICE Root forwardRoot(uint32_t index) const { return roots[index]; }
  SLUICE_DEVICE Root inverseRoot(uint32_t index) const { return inverseRoots[index]; }
  /// roots[k], k even, gives roots[k / 2], its square, and roots[k + 1], its product by roots[1]:
  /// cheaper than to read these. The same of inverse roots.
  static constexpr bool derivesRoots = true;
  /// Of three roots the first and the last from the second, which is roots[k], and roots[1].
  SLUICE_DEVICE void deriveRoots(Root *of, Root turn) const {
    of[0] = multiply(of[1], of[1]);
    of[2] = multiply(of[1], turn);
  }
  /// Three stages take 1/2 to 2.5, the last one multiplying 1.7.
  SLUICE_DEVICE void forwardButterfly(Word &x, Word &y, Root root) const {
    const Word product = multiply(y, root);
    y = x - product;
    x = x + product;
  }
  SLUICE_DEVICE Word endForwardPass(Word x) const { return settle(x); }
  SLUICE_DEVICE Word endForward(Word x) const { return x; }
  /// Sums double at each stage; those of two sums are settled before the third.
  SLUICE_DEVICE void inverseButterfly(Word &x, Word &y, Root root) const {
    const Word difference = x - y;
    x = x + y;
    y = multiply(difference, root);
  }
  SLUICE_DEVICE Word settleSums(Word x) const { return settle(x); }
  SLUICE_DEVICE Word endInversePass(Word x) const { return settle(x); }
  /// The last stage with a product; leaves residues.
  SLUICE_DEVICE void inverseLast(Word &x, Word &y, Factor sum, Factor difference) const {
    const Word d = x - y;
    x = multiply(x + y, centred(sum.value));
    y = multiply(d, centred(difference.value));
  }
  SLUICE_DEVICE Word scale(Word x, Factor factor) const { return mulScalar(x, factor.value); }

  /// A sum of products, exact, as high + low. high begins at 2^53 q, which is 0, and stays between
  /// 2^49 q and 2^54 q with eight products of residues, or fifteen of words below 2^50 by words of
  /// at most q/2. So it is a multiple of q's last bit times 2^-3 at least, each product leaves at
  /// most 2^50 to low, and eight at most 2^53, exactly. What a sum begins with stands in low for
  /// one of the eight.
  struct Sum {
    double high, low;
  };
  static constexpr uint32_t maxProducts = 8;
  SLUICE_DEVICE Sum beginSum() const { return {q * 0x1p53, 0}; }
  SLUICE_DEVICE Sum beginSum(Word acc) const { return {q * 0x1p53, acc}; }
  SLUICE_DEVICE void addProduct(Sum &sum, Word a, Word b) const {
    const double next = fusedMultiplyAdd(a, b, sum.high);
    sum.low += fusedMultiplyAdd(a, b, -(next - sum.high));
    sum.high = next;
  }
  /// Room for seven products more, once, if one factor of each is at most q/2.
  SLUICE_DEVICE Sum settledLow(const Sum &sum) const { return {sum.high, settle(sum.low)}; }
  /// Settled. The quotient of high is rounded to a multiple of eight and up to two away from that,
  /// which leaves at most 6.1 q.
  SLUICE_DEVICE Word reduceSum(const Sum &sum) const {
    const double multiple = fusedMultiplyAdd(sum.high, inverse, 0x1.8p55) - 0x1.8p55;
    const double left = fusedMultiplyAdd(-multiple, q, sum.high);
    return settle(left + settle(sum.low));
  }
  static SLUICE_DEVICE Word factorOf(const ConversionFactor &factor) { return factor.centred; }
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_FIELD_FP64_CUH
