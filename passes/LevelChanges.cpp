//===- LevelChanges.cpp - going down the chain ------------------------------------------------===//

#include "passes/LevelChanges.h"

using namespace mlir;

namespace sluice {

algorithms::ScaleChain chainOf(ckks::ParamsAttr params) {
  algorithms::ScaleChain chain;
  chain.primes.assign(params.getLimbs().begin(), params.getLimbs().end());
  for (int64_t level = 0; level < params.getNumLevels(); ++level)
    chain.levels.emplace_back(params.getLevel(level).begin(), params.getLevel(level).end());
  return chain;
}

Value lowerToLevel(OpBuilder &builder, Location loc, Value value, int64_t level,
                   ckks::ParamsAttr params) {
  auto type = cast<ckks::CtType>(value.getType());
  if (type.getLevel() == level)
    return value;
  std::optional<int64_t> exponent = chainOf(params).dropExponent(type.getLevel(), level);
  if (!exponent)
    return ckks::DropLevelOp::create(builder, loc, value, level);
  // A power of two is a natural number: the adjustment makes no error.
  Value adjusted = ckks::AdjustScaleOp::create(
      builder, loc, value, type.getScale() * ckks::Scale::powerOfTwo(*exponent));
  return ckks::RescaleOp::create(builder, loc, adjusted, level, params);
}

Value withoutLevelChange(Value value, ckks::ParamsAttr params) {
  if (auto drop = value.getDefiningOp<ckks::DropLevelOp>())
    return withoutLevelChange(drop.getInput(), params);
  auto rescale = value.getDefiningOp<ckks::RescaleOp>();
  auto adjust = rescale ? rescale.getInput().getDefiningOp<ckks::AdjustScaleOp>() : nullptr;
  if (!adjust)
    return value;
  ckks::CtType from = adjust.getInput().getType(), to = rescale.getResult().getType();
  std::optional<int64_t> exponent = chainOf(params).dropExponent(from.getLevel(), to.getLevel());
  bool isLevelChange = exponent && adjust.getResult().getType().getScale() ==
                                       from.getScale() * ckks::Scale::powerOfTwo(*exponent);
  return isLevelChange ? withoutLevelChange(adjust.getInput(), params) : value;
}

} // namespace sluice
