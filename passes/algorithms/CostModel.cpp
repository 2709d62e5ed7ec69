//===- CostModel.cpp - what operations cost, counted in kernel work ---------------------------===//

#include "passes/algorithms/CostModel.h"

#include <cmath>

namespace sluice::algorithms {

static double degree(const OperandSize &size) { return std::ldexp(1.0, int(size.logN)); }

/// `count` transforms of one residue polynomial.
static Work transforms(const OperandSize &size, double count) {
  return {0, count * degree(size) * size.logN / 2};
}

KernelCosts kernelCosts(const CostTable &table, unsigned logN) {
  auto cached = [&](KernelFamily family) { return table.time(logN, family).cached; };
  // A digit of an inner product multiplies by both halves of the key.
  return {.multiplyNs =
              (cached(KernelFamily::convertTerm) + cached(KernelFamily::innerProductDigit) / 2) / 2,
          .butterflyNs = (cached(KernelFamily::ntt) + cached(KernelFamily::intt)) / 2};
}

Work keySwitchWork(const OperandSize &size) {
  double e = size.limbs, k = size.special, beta = size.digits, alpha = std::ceil(e / beta);
  double N = degree(size);
  // Decompose: to coefficients, one conversion of alpha limbs to the others per digit, and back.
  Work work = transforms(size, e + beta * (e + k - alpha));
  work.multiplications += N * (e + beta * alpha * (e + k - alpha));
  // Inner product with both halves of the key.
  work.multiplications += 2 * beta * N * (e + k);
  // Division of both halves by P.
  return work + 2 * divideWork(size.logN, size.special, size.limbs);
}

Work tensorWork(const OperandSize &size) { return {4 * degree(size) * size.limbs, 0}; }

Work multiplyWork(const OperandSize &size) { return tensorWork(size) + keySwitchWork(size); }

Work rotateWork(const OperandSize &size) { return keySwitchWork(size); }

Work multiplyPlainWork(const OperandSize &size) { return {2 * degree(size) * size.limbs, 0}; }

Work divideWork(unsigned logN, unsigned dropped, unsigned kept) {
  OperandSize size{.logN = logN};
  Work work = transforms(size, double(dropped) + kept);
  work.multiplications += degree(size) * (dropped + double(dropped) * kept + kept);
  return work;
}

Work rescaleWork(const OperandSize &size) {
  return transforms(size, 2.0 * size.limbs) + Work{2 * degree(size) * size.limbs, 0};
}

uint64_t keyBytes(const OperandSize &size) {
  return (uint64_t(size.digits) * (size.limbs + size.special) * 8) << size.logN;
}

} // namespace sluice::algorithms
