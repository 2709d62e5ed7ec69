//===- CircuitWork.cpp - what a packed circuit does at each level -----------------------------===//

#include "passes/CircuitWork.h"

#include "passes/TracedOps.h"

#include "passes/algorithms/PolynomialPlan.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using sluice::algorithms::LevelWork;

namespace sluice {

namespace {

void addPolynomialWork(ckks::PolynomialOp op, std::span<LevelWork> levels) {
  const algorithms::Polynomial p = toPolynomial(op);
  if (p.degree() == 0)
    return;
  if (!algorithms::variableChange(p.basis, p.interval).isFree()) {
    ++levels.front().constants;
    ++levels.front().rescales;
    levels = levels.subspan(1);
  }
  algorithms::addPolynomial(p, levels);
}

/// `levels` begins with that of the operands.
void addWork(Operation *op, int64_t slots, std::span<LevelWork> levels) {
  LevelWork &work = levels.front();
  llvm::TypeSwitch<Operation *>(op)
      .Case<ckks::MulOp, ckks::SquareOp>([&](auto) {
        ++work.tensors;
        ++work.relinearizations;
        ++work.rescales;
      })
      .Case<ckks::MulPlainOp, ckks::MulScalarOp>([&](auto product) {
        ++work.constants;
        work.rescales += levelsOf(product);
      })
      .Case([&](ckks::LinearTransformOp transform) {
        const int64_t size = transform.getDiagonals().getType().getShape()[1];
        ArrayRef<int64_t> indices = transform.getIndices();
        work.matrices.push_back({{indices.begin(), indices.end()}, size, slots / size});
        ++work.rescales;
      })
      .Case([&](ckks::RotateOp rotation) {
        ++work.switches;
        work.rotations.insert((int64_t(rotation.getBy()) % slots + slots) % slots);
      })
      .Case([&](ckks::ConjugateOp) {
        ++work.switches;
        work.rotations.insert(-1);
      })
      .Case([&](ckks::PolynomialOp polynomial) { addPolynomialWork(polynomial, levels); });
}

} // namespace

std::vector<LevelWork> workByLevel(const CircuitAnalysis &analysis) {
  std::vector<LevelWork> levels(analysis.depth() + 1);
  func::FuncOp function = analysis.getFunction();
  llvm::DenseSet<std::pair<Value, unsigned>> lowered; // to levels
  for (Operation &op : function.front().without_terminator()) {
    if (op.getNumResults() != 1)
      continue;
    const unsigned level = analysis.height(op.getResult(0)) + levelsOf(&op);
    for (Value operand : op.getOperands())
      if (analysis.height(operand) > level && lowered.insert({operand, level}).second)
        ++levels[analysis.depth() - level].drops;
    addWork(&op, analysis.getSlots(), std::span(levels).subspan(analysis.depth() - level));
  }
  return levels;
}

} // namespace sluice
