//===- field_integer.cuh - residues as words, for devices that multiply doubles slowly --------===//
//
// The reductions of runtime/kernels/arithmetic.h. A residue is canonical; forward transforms let
// words grow by 2q a stage, inverse ones keep them below 2q.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_FIELD_INTEGER_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_FIELD_INTEGER_CUH

#include "runtime/cuda/kernels/launch.cuh"
#include "runtime/cuda/kernels/launch_parameters.h"

namespace sluice::cuda {

#ifdef SLUICE_CUDA_HOST_SHIM
inline uint64_t mulHigh(uint64_t a, uint64_t b) {
  __extension__ using Word128 = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Word128>(a) * b) >> 64);
}
#else
SLUICE_DEVICE uint64_t mulHigh(uint64_t a, uint64_t b) { return __umul64hi(a, b); }
#endif

/// x - bound if x >= bound, else x.
SLUICE_DEVICE uint64_t reduceOnce(uint64_t x, uint64_t bound) { return x >= bound ? x - bound : x; }

/// Arithmetic modulo the prime of one limb.
struct IntegerField {
  using Word = uint64_t;

  const LimbConstants &limb;
  uint64_t q;

  SLUICE_DEVICE explicit IntegerField(const LimbConstants &limb) : limb(limb), q(limb.q) {}

  static SLUICE_DEVICE Word fromResidue(uint64_t residue) { return residue; }
  SLUICE_DEVICE uint64_t toResidue(Word x) const { return x; }
  static SLUICE_DEVICE Word fromHalf(uint64_t word) { return word; }
  static SLUICE_DEVICE uint64_t toHalf(Word x) { return x; }

  /// x mod q for any word.
  SLUICE_DEVICE uint64_t reduceWord(uint64_t x) const {
    return reduceOnce(x - mulHigh(x, limb.wordBarrett) * q, q);
  }
  /// x * factor, below 2q, for any word.
  SLUICE_DEVICE uint64_t multiplyLazy(uint64_t x, Factor factor) const {
    return x * factor.value - mulHigh(x, factor.quotient) * q;
  }
  /// high * 2^64 + low < 2^(bits+60) modulo q.
  SLUICE_DEVICE uint64_t reduceWide(uint64_t high, uint64_t low) const {
    const uint32_t shift = static_cast<uint32_t>(limb.bits) - 2; // 18 ... 48
    const uint64_t top = (high << (64 - shift)) | (low >> shift);
    return reduceOnce(low - mulHigh(top, limb.wideBarrett) * q, q);
  }

  // --- Residues ---

  SLUICE_DEVICE Word add(Word a, Word b) const { return reduceOnce(a + b, q); }
  SLUICE_DEVICE Word sub(Word a, Word b) const { return reduceOnce(a + q - b, q); }
  SLUICE_DEVICE Word negate(Word a) const { return sub(0, a); }
  SLUICE_DEVICE Word mul(Word a, Word b) const { return reduceWide(mulHigh(a, b), a * b); }
  SLUICE_DEVICE Word mac(Word acc, Word a, Word b) const { return add(acc, mul(a, b)); }
  SLUICE_DEVICE Word mulScalar(Word a, uint64_t scalar) const { return mul(a, scalar); }
  SLUICE_DEVICE Word addScalar(Word a, uint64_t scalar) const { return add(a, scalar); }

  // --- Transforms ---

  SLUICE_DEVICE Word beginForward(Word x) const { return x; }
  SLUICE_DEVICE Word beginInverse(Word x) const { return x; }
  using Root = Factor;
  SLUICE_DEVICE Root forwardRoot(uint32_t index) const {
    return {limb.roots[index], limb.rootQuotients[index]};
  }
  SLUICE_DEVICE Root inverseRoot(uint32_t index) const {
    return {limb.inverseRoots[index], limb.inverseRootQuotients[index]};
  }
  static constexpr bool derivesRoots = false; // a root's quotient takes a division
  SLUICE_DEVICE void forwardButterfly(Word &x, Word &y, Root root) const {
    const Word product = multiplyLazy(y, root);
    y = x + 2 * q - product;
    x = x + product;
  }
  SLUICE_DEVICE Word endForwardPass(Word x) const { return x; }
  SLUICE_DEVICE Word endForward(Word x) const { return reduceWord(x); }
  SLUICE_DEVICE void inverseButterfly(Word &x, Word &y, Root root) const {
    const Word difference = x + 2 * q - y;
    x = reduceOnce(x + y, 2 * q);
    y = multiplyLazy(difference, root);
  }
  SLUICE_DEVICE Word settleSums(Word x) const { return x; }
  SLUICE_DEVICE Word endInversePass(Word x) const { return x; }
  SLUICE_DEVICE void inverseLast(Word &x, Word &y, Factor sum, Factor difference) const {
    const Word d = x + 2 * q - y;
    x = reduceOnce(multiplyLazy(x + y, sum), q);
    y = reduceOnce(multiplyLazy(d, difference), q);
  }
  SLUICE_DEVICE Word scale(Word x, Factor factor) const {
    return reduceOnce(multiplyLazy(x, factor), q);
  }

  /// A sum of products as a word of 128 bits, which has room for all that a program may sum.
  struct Sum {
    uint64_t high, low;
  };
  static constexpr uint32_t maxProducts = ~0u;
  SLUICE_DEVICE Sum beginSum() const { return {0, 0}; }
  SLUICE_DEVICE Sum beginSum(Word acc) const { return {0, acc}; }
  SLUICE_DEVICE void addProduct(Sum &sum, Word a, Word b) const {
    const uint64_t low = a * b;
    sum.low += low;
    sum.high += mulHigh(a, b) + (sum.low < low ? 1 : 0);
  }
  SLUICE_DEVICE Sum settledLow(const Sum &sum) const { return sum; }
  SLUICE_DEVICE Word reduceSum(const Sum &sum) const { return reduceWide(sum.high, sum.low); }
  static SLUICE_DEVICE Word factorOf(const ConversionFactor &factor) { return factor.value; }
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_FIELD_INTEGER_CUH
