//===- LevelWork.cpp - what a circuit does at each level --------------------------------------===//

#include "passes/algorithms/LevelWork.h"

#include "passes/algorithms/BsgsPlan.h"
#include "passes/algorithms/PolynomialPlan.h"

#include <cmath>
#include <set>
#include <utility>

namespace sluice::algorithms {

void addPolynomial(const Polynomial &p, std::span<LevelWork> levels) {
  const std::vector<Coefficient> coefficients(p.coefficients.begin(), p.coefficients.end());
  const PolynomialPlan steps = planPolynomial(coefficients, p.basis);
  std::set<std::pair<unsigned, unsigned>> lowered; // powers, and levels that they come down to
  const auto take = [&](unsigned power, unsigned level) {
    if (powerDepth(power) < level && lowered.emplace(power, level).second)
      ++levels[level].drops;
  };
  for (const PowerStep &step : steps.powers) {
    LevelWork &work = levels[powerDepth(step.index) - 1];
    ++work.tensors;
    ++work.relinearizations;
    ++work.rescales;
    take(step.high, powerDepth(step.index) - 1);
    take(step.low, powerDepth(step.index) - 1);
  }
  for (const PolynomialBlock &block : steps.blocks) {
    if (block.products.empty() && block.terms.empty())
      continue;
    LevelWork &work = levels[block.below - 1];
    work.tensors += unsigned(block.products.size());
    work.relinearizations += !block.products.empty();
    work.constants += unsigned(block.terms.size());
    ++work.rescales;
    for (const BlockProduct &product : block.products)
      take(product.power, block.below - 1);
    for (const BlockTerm &term : block.terms)
      take(term.power, block.below - 1);
  }
}

namespace {

/// That of lower-linear-transforms.
constexpr double keyTolerance = 0.1;

BsgsPlan planMatrix(const MatrixWork &matrix, const OperandSize &size, const KernelCosts &costs) {
  return planBsgs(
      matrix.indices, matrix.size,
      {size.logN, size.limbs, size.special, size.digits, costs.butterflyNs / costs.multiplyNs},
      keyTolerance);
}

} // namespace

double latencyNs(const LevelWork &work, const OperandSize &size, const LevelSteps &steps,
                 const KernelCosts &costs) {
  Work sum = double(work.tensors) * tensorWork(size);
  sum += double(work.relinearizations) * keySwitchWork(size);
  sum += double(work.switches) * rotateWork(size);
  sum += double(work.constants) * multiplyPlainWork(size);
  const double rescales = work.rescales + (steps.isNested ? 0 : work.drops);
  sum += rescales * (2 * divideWork(size.logN, steps.dropped, size.limbs));
  double ns = sum.latencyNs(costs);
  for (const MatrixWork &matrix : work.matrices) {
    const double products = 2 * double(matrix.indices.size()) * std::ldexp(1.0, int(size.logN)) *
                            (size.limbs + size.special);
    ns += (planMatrix(matrix, size, costs).cost + products) * costs.multiplyNs;
  }
  return ns;
}

uint64_t keyBytes(std::span<const LevelWork> levels, std::span<const OperandSize> sizes,
                  const KernelCosts &costs) {
  uint64_t bytes = 0;
  bool hasRelinearization = false;
  std::set<int64_t> known;
  for (size_t i = 0; i < levels.size(); ++i) {
    unsigned keys = 0;
    const auto need = [&](int64_t rotation) { keys += known.insert(rotation).second; };
    if (levels[i].relinearizations > 0 && !hasRelinearization) {
      hasRelinearization = true;
      ++keys;
    }
    for (int64_t rotation : levels[i].rotations)
      need(rotation);
    for (const MatrixWork &matrix : levels[i].matrices) {
      const BsgsPlan plan = planMatrix(matrix, sizes[i], costs);
      const auto needMultiple = [&](int64_t by) {
        if (by != 0)
          need((by + matrix.size) % matrix.size * matrix.stride);
      };
      for (int64_t baby : plan.babies)
        needMultiple(baby);
      for (const BsgsGiant &giant : plan.giants)
        needMultiple(giant.rotation);
    }
    bytes += keys * keyBytes(sizes[i]);
  }
  return bytes;
}

} // namespace sluice::algorithms
