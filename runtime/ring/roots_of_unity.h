//===- roots_of_unity.h - powers of a root of unity in double-double --------------------------===//
#ifndef SLUICE_RUNTIME_RING_ROOTS_OF_UNITY_H
#define SLUICE_RUNTIME_RING_ROOTS_OF_UNITY_H

#include "runtime/kernels/embedding/double_double.h"

#include <complex>
#include <cstdint>
#include <vector>

namespace sluice::ring {

/// The powers of exp(2 pi i / order), order a power of two from 8 on, each within 2^-101.
class RootsOfUnity {
public:
  using Root = kernels::WideComplex<double>;

  explicit RootsOfUnity(uint64_t order);

  /// Power k < order. Only angles up to pi/4 are computed, so that symmetric roots are exactly
  /// symmetric.
  Root power(uint64_t k) const;
  /// The same in doubles: correctly rounded, or within one ulp.
  std::complex<double> rounded(uint64_t k) const {
    const Root root = power(k);
    return {root.re.high, root.im.high};
  }

private:
  Root firstOctant(uint64_t k) const;

  uint64_t order;
  unsigned fineBits;
  std::vector<Root> fine, coarse;
};

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_ROOTS_OF_UNITY_H
