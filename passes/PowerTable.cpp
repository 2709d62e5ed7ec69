//===- PowerTable.cpp - the powers of one variable, for all polynomials of it -----------------===//

#include "passes/PowerTable.h"

#include "passes/LevelChanges.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using sluice::algorithms::PolynomialPlan;
using sluice::algorithms::PowerStep;

namespace sluice {

void PowerTable::announce(const PolynomialPlan &plan, int64_t variableLevel) {
  start = std::max(start, variableLevel);
  for (const PowerStep &step : plan.powers) {
    int64_t &level = levels[step.index];
    level = std::max(level, variableLevel - int64_t(llvm::Log2_32_Ceil(step.index)));
  }
}

unsigned PowerTable::make(const PolynomialPlan &plan, const std::set<unsigned> &rescaled,
                          ImplicitLocOpBuilder &builder, ckks::ParamsAttr params) {
  unsigned made = 0;
  for (const PowerStep &step : plan.powers)
    if (!products.contains(step.index)) {
      products[step.index] = makeProduct(step, plan.basis, builder, params);
      if (rescaled.contains(step.index))
        at(step.index, levelOf(step.index), builder, params);
      ++made;
    }
  return made;
}

Value PowerTable::at(unsigned index, int64_t level, ImplicitLocOpBuilder &builder,
                     ckks::ParamsAttr params) {
  Value &power = powers[index];
  if (!power)
    power = ckks::RescaleOp::create(builder, products.at(index), levelOf(index), params);
  Value &result = lowered[{power, level}];
  if (!result)
    result = lowerToLevel(builder, builder.getLoc(), power, level, params);
  return result;
}

/// T_high * T_low, in the Chebyshev basis doubled and less T_{high-low}, subtracted before the
/// rescale, which is left to whoever needs it. Whoever needs T_index needs its factors, so that
/// these stand high enough.
Value PowerTable::makeProduct(const PowerStep &step, algorithms::Basis basis,
                              ImplicitLocOpBuilder &builder, ckks::ParamsAttr params) {
  int64_t level = levelOf(step.index) + 1;
  Value product = multiply(builder, at(step.high, level, builder, params),
                           at(step.low, level, builder, params));
  product = ckks::RelinearizeOp::create(builder, product);
  if (basis == algorithms::Basis::chebyshev) {
    product = ckks::AddOp::create(builder, product, product);
    if (step.high == step.low) {
      product = ckks::AddScalarOp::create(builder, product, builder.getF64FloatAttr(-1));
    } else {
      Value subtrahend =
          ckks::AdjustScaleOp::create(builder, at(step.high - step.low, level, builder, params),
                                      cast<ckks::CtType>(product.getType()).getScale());
      product = ckks::SubOp::create(builder, product, subtrahend);
    }
  }
  return product;
}

Value multiply(ImplicitLocOpBuilder &builder, Value lhs, Value rhs) {
  if (lhs == rhs)
    return ckks::SquareOp::create(builder, lhs);
  return ckks::MulOp::create(builder, lhs, rhs);
}

} // namespace sluice
