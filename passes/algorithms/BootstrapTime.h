//===- BootstrapTime.h - how long a bootstrap takes, before it is written out -----------------===//
//
// One warm round on one thread, by kernel work (CostModel.h): to compare plans. What a finished
// program takes, ProgramTime.h says. Limbs are those of a packed chain (docs/mathematics.md 16.1).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPTIME_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPTIME_H

#include "passes/algorithms/BootstrapPlan.h"
#include "passes/algorithms/CostModel.h"

#include <map>
#include <tuple>

namespace sluice::algorithms {

/// log2 of the modulus at which SlotsToCoeffs begins.
double slotsToCoefficientsLogQ(const BootstrapPlan &plan);

/// Prices plans; remembers what it has priced before, so that many are cheap.
class BootstrapTimer {
public:
  explicit BootstrapTimer(const CostTable &costs) : costs(costs) {}

  /// Nanoseconds of a plan with one round.
  double timeNs(const BootstrapPlan &plan, const EvalMod &evalMod);
  /// Bytes of its evaluation keys in their file.
  uint64_t keyBytes(const BootstrapPlan &plan);

  /// The parts, each from a level of logQ bits down; other sizes of the plan than its own do not
  /// matter.
  double raiseNs(const BootstrapPlan &plan, double logQ);
  double coefficientsToSlotsNs(const BootstrapPlan &plan, double logQ);
  double evalModNs(const BootstrapPlan &plan, const EvalMod &evalMod, double logQ);
  double slotsToCoefficientsNs(const BootstrapPlan &plan, double logQ);

private:
  struct Transform {
    double multiplications = 0;
    unsigned keys = 0;
  };

  OperandSize sizeAt(const BootstrapPlan &plan, double logQ) const;
  /// A matrix of `factors` radix-2 factors; `isFirst`: V_1 is among them.
  const Transform &transform(const OperandSize &size, unsigned logSlots, int64_t factors,
                             bool isFirst);
  double transformsNs(const BootstrapPlan &plan, const std::vector<int64_t> &groups,
                      const std::vector<double> &sizes, double logQ, bool isFromFirst);

  const CostTable &costs;
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, int64_t, bool>, Transform>
      transforms; ///< by ring, limbs, digits, special limbs, slots, factors, isFirst
};

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPTIME_H
