//===- CostModel.h - what operations cost, counted in kernel work -----------------------------===//
//
// Work of one operation in modular multiplications per docs/mathematics.md section 3, and its time
// for given kernel costs: for passes that choose before there are kernels to count. What a finished
// program takes, ProgramTime.h says.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_COSTMODEL_H
#define SLUICE_PASSES_ALGORITHMS_COSTMODEL_H

#include "runtime/abi/costs.h"

#include <cstdint>

namespace sluice::algorithms {

/// Measured by `sluice calibrate`: one core with AVX2 (GenericCosts.cpp says which). What the
/// compiler takes when it is not given a cost file.
const CostTable &genericCosts();

/// Nanoseconds per modular multiplication and per NTT butterfly, one thread.
struct KernelCosts {
  double multiplyNs = 0;
  double butterflyNs = 0;
};

/// The two prices at degree 2^logN, operands in the caches: of a butterfly, the mean of both
/// directions; of a multiplication, the mean of one in a base conversion and one in an inner
/// product, where nearly all of a key switch's are.
KernelCosts kernelCosts(const CostTable &table, unsigned logN);

/// Work in units of kernels; adds up.
struct Work {
  double multiplications = 0;
  double butterflies = 0;

  Work &operator+=(const Work &other) {
    multiplications += other.multiplications;
    butterflies += other.butterflies;
    return *this;
  }
  friend Work operator+(Work a, const Work &b) { return a += b; }
  friend Work operator*(double factor, Work a) {
    return {factor * a.multiplications, factor * a.butterflies};
  }
  double latencyNs(const KernelCosts &costs) const {
    return multiplications * costs.multiplyNs + butterflies * costs.butterflyNs;
  }
};

/// The operand: a ciphertext of `limbs` limbs in a ring of degree 2^logN, switched with `digits`
/// digits and `special` limbs of P.
struct OperandSize {
  unsigned logN = 12;
  unsigned limbs = 1;
  unsigned digits = 1;
  unsigned special = 1;
};

/// Digit decomposition with mod_up, inner product, mod_down of both halves.
Work keySwitchWork(const OperandSize &size);
/// Tensor product of two ciphertexts, before its relinearisation.
Work tensorWork(const OperandSize &size);
/// Tensor product and relinearisation.
Work multiplyWork(const OperandSize &size);
/// Automorphism of both halves and key switch.
Work rotateWork(const OperandSize &size);
/// Product of both halves with an encoded plaintext.
Work multiplyPlainWork(const OperandSize &size);
/// Division of one polynomial in evaluation form by `dropped` limbs, `kept` limbs being left or
/// added: mod_down, rescale, or both merged (docs/mathematics.md 16.3). A ring of degree 2^logN.
Work divideWork(unsigned logN, unsigned dropped, unsigned kept);
/// Division of both halves by one limb.
Work rescaleWork(const OperandSize &size);

/// Bytes of one evaluation key in its file: digits x (limbs + special) residue polynomials of
/// 8-byte words, the half that is not expanded from a seed (docs/formats.md).
uint64_t keyBytes(const OperandSize &size);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_COSTMODEL_H
