//===- SlotNoise.cpp - errors of an encrypted run, drawn from the noise model -----------------===//

#include "passes/driver/SlotNoise.h"

#include "passes/ChainNoise.h"
#include "passes/algorithms/LevelSearch.h"
#include "passes/algorithms/ScaleValue.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace sluice {

const std::vector<double> &SlotNoise::secretSquares(ckks::CtType type, size_t length) {
  int64_t slots = type.getSlots(params);
  auto [entry, isNew] = squares.try_emplace({type.getSecret(), slots});
  if (!isNew)
    return entry->second;
  double weight = expectedWeight(params, type.getSecret());
  // |s(zeta)|^2 of a random ternary secret: a sum of many terms, exponential with the weight as its
  // mean. The mean of as many as one packed slot has places follows a Gamma distribution.
  double places = std::ldexp(1.0, int(params.getLogN()) - 1) / double(slots);
  std::gamma_distribution<double> square(places, weight / places);
  for (size_t slot = 0; slot < length; ++slot)
    entry->second.push_back(square(random));
  return entry->second;
}

FailureOr<SlotNoise> SlotNoise::create(ModuleOp module, uint64_t seed) {
  auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  if (!params)
    return module.emitError("noise needs levels and scales; simulate the settled stage"), failure();
  return SlotNoise(params, seed);
}

double SlotNoise::inverse(const ckks::Scale &scale) const {
  return std::exp2(-algorithms::scaleLog2(scale, params.getLimbs()));
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
void SlotNoise::add(ckks::CtType type, std::vector<T> &slots, double plain, double timesSecret,
                    double inverseScale) {
  std::normal_distribution<double> gaussian;
  for (auto [slot, square] : llvm::zip_equal(slots, secretSquares(type, slots.size()))) {
    double deviation =
        algorithms::slotDeviation(plain + timesSecret * square, double(type.getSlots(params)));
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
  algorithms::NoiseParameters parameters = noiseAtLevel(params, params.getNumLevels() - 1);
  double plain = algorithms::encryptionVariance(parameters);
  parameters.hammingWeight = 1;
  double timesSecret = algorithms::encryptionVariance(parameters) - plain;
  add(type, slots, plain, timesSecret, inverse(type.getScale()));
}

template <typename T>
void SlotNoise::addTo(Operation *op, const std::vector<T> &operand, std::vector<T> &slots) {
  auto type = dyn_cast<ckks::CtType>(op->getResult(0).getType());
  if (!type || type.isFloating())
    return;
  double inverseScale = inverse(type.getScale());
  llvm::TypeSwitch<Operation *>(op)
      .Case<ckks::RescaleOp>([&](auto) { add(type, slots, 1.0 / 12, 1.0 / 12, inverseScale); })
      .template Case<ckks::RelinearizeOp, ckks::RotateOp, ckks::ConjugateOp>([&](auto) {
        add(type, slots, algorithms::keySwitchVariance(noiseAtLevel(params, type.getLevel())),
            1.0 / 12, inverseScale);
      })
      .template Case<ckks::SwitchKeyOp>([&](auto) {
        add(type, slots,
            algorithms::keySwitchVariance(
                type.isEphemeral() ? toEphemeral() : noiseAtLevel(params, type.getLevel())),
            1.0 / 12, inverseScale);
      })
      .template Case<ckks::AddPlainOp>([&](auto) { add(type, slots, 1.0 / 12, 0, inverseScale); })
      .template Case<ckks::MulPlainOp>([&](auto product) {
        std::vector<T> error(slots.size(), T(0.0));
        add(type, error, 1.0 / 12, 0, inverse(product.getScaleAttr().getValue()));
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
