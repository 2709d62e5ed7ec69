//===- SlotNoise.cpp - errors of an encrypted run, drawn from the noise model -----------------===//

#include "passes/driver/SlotNoise.h"

#include "passes/algorithms/LevelSearch.h"
#include "passes/algorithms/ScaleValue.h"
#include "runtime/abi/security_table.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace sluice {

SlotNoise::SlotNoise(ckks::ParamsAttr params, int64_t length, uint64_t seed)
    : params(params), random(seed) {
  // |s(zeta)|^2 of a random ternary secret: a sum of many terms, exponential with the weight as its
  // mean. The mean of as many as one packed slot has places follows a Gamma distribution.
  double places = std::ldexp(1.0, int(params.getLogN()) - 1) / double(params.getSlots());
  auto drawSquares = [&](double weight, std::vector<double> &squares) {
    std::gamma_distribution<double> square(places, weight / places);
    for (int64_t slot = 0; slot < length; ++slot)
      squares.push_back(square(random));
  };
  bool isSparse = params.getSecret() == ckks::ParamsAttr::sparseSecret;
  drawSquares(isSparse ? double(secretWeight(SecretDistribution::sparse192))
                       : algorithms::uniformTernaryWeight(params.getLogN()),
              secretSquares);
  if (params.hasEphemeral())
    drawSquares(double(secretWeight(SecretDistribution::ephemeral32)), ephemeralSquares);
}

FailureOr<SlotNoise> SlotNoise::create(ModuleOp module, int64_t length, uint64_t seed) {
  auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  if (!params)
    return module.emitError("noise needs levels and scales; simulate the settled stage"), failure();
  return SlotNoise(params, length, seed);
}

double SlotNoise::inverse(const ckks::Scale &scale) const {
  return std::exp2(-algorithms::scaleLog2(scale, params.getLimbs()));
}

algorithms::NoiseParameters SlotNoise::atLevel(int64_t level) const {
  algorithms::NoiseParameters result;
  result.logN = params.getLogN();
  result.specialLog2 = algorithms::sumLog2(params.getPrimes(params.getSpecial()));
  for (DenseI64ArrayAttr digit : params.getDigits()) {
    double alive = 0;
    for (int64_t limb : digit.asArrayRef())
      if (llvm::is_contained(params.getLevel(level), limb))
        alive += std::log2(double(params.getLimbs()[limb]));
    if (alive > 0)
      result.digitsLog2.push_back(alive);
  }
  return result;
}

algorithms::NoiseParameters SlotNoise::toEphemeral() const {
  algorithms::NoiseParameters result;
  result.logN = params.getLogN();
  result.specialLog2 = algorithms::sumLog2(params.getPrimes(params.getEphemeralSpecial()));
  for (uint64_t prime : params.getPrimes(params.getLevel(0)))
    result.digitsLog2.push_back(std::log2(double(prime)));
  return result;
}

template <typename T>
void SlotNoise::add(std::vector<T> &slots, double plain, double timesSecret, double inverseScale,
                    bool isEphemeral) {
  std::normal_distribution<double> gaussian;
  const std::vector<double> &squares = isEphemeral ? ephemeralSquares : secretSquares;
  for (auto [slot, square] : llvm::zip_equal(slots, squares)) {
    double deviation =
        algorithms::slotDeviation(plain + timesSecret * square, double(params.getSlots()));
    auto draw = [&] { return gaussian(random) * deviation * inverseScale; };
    double real = draw();
    if constexpr (std::is_same_v<T, double>)
      slot += real;
    else // both parts have this deviation, independently
      slot += T(real, draw());
  }
}

template <typename T> void SlotNoise::addEncryption(Value argument, std::vector<T> &slots) {
  auto type = cast<ckks::CtType>(argument.getType());
  if (type.isFloating())
    return;
  // The formula is linear in the weight: with weight 0 it gives the part without the secret, and
  // one more gives what the secret multiplies, one error and one rounding.
  algorithms::NoiseParameters parameters = atLevel(params.getNumLevels() - 1);
  double plain = algorithms::encryptionVariance(parameters);
  parameters.hammingWeight = 1;
  double timesSecret = algorithms::encryptionVariance(parameters) - plain;
  add(slots, plain, timesSecret, inverse(type.getScale()));
}

template <typename T>
void SlotNoise::addTo(Operation *op, const std::vector<T> &operand, std::vector<T> &slots) {
  auto type = dyn_cast<ckks::CtType>(op->getResult(0).getType());
  if (!type || type.isFloating())
    return;
  double inverseScale = inverse(type.getScale());
  llvm::TypeSwitch<Operation *>(op)
      .Case<ckks::RescaleOp>([&](auto) { add(slots, 1.0 / 12, 1.0 / 12, inverseScale); })
      .template Case<ckks::RelinearizeOp, ckks::RotateOp, ckks::ConjugateOp>([&](auto) {
        add(slots, algorithms::keySwitchVariance(atLevel(type.getLevel())), 1.0 / 12, inverseScale);
      })
      .template Case<ckks::SwitchKeyOp>([&](auto) {
        bool isEphemeral = type.isEphemeral();
        add(slots,
            algorithms::keySwitchVariance(isEphemeral ? toEphemeral() : atLevel(type.getLevel())),
            1.0 / 12, inverseScale, isEphemeral);
      })
      .template Case<ckks::AddPlainOp>([&](auto) { add(slots, 1.0 / 12, 0, inverseScale); })
      .template Case<ckks::MulPlainOp>([&](auto product) {
        std::vector<T> error(slots.size(), T(0.0));
        add(error, 1.0 / 12, 0, inverse(product.getScaleAttr().getValue()));
        for (size_t k = 0; k < slots.size(); ++k)
          slots[k] += operand[k] * error[k];
      });
}

template void SlotNoise::addEncryption(Value, std::vector<double> &);
template void SlotNoise::addEncryption(Value, std::vector<std::complex<double>> &);
template void SlotNoise::addTo(Operation *, const std::vector<double> &, std::vector<double> &);
template void SlotNoise::addTo(Operation *, const std::vector<std::complex<double>> &,
                               std::vector<std::complex<double>> &);

} // namespace sluice
