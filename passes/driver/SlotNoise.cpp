//===- SlotNoise.cpp - errors of an encrypted run, drawn from the noise model -----------------===//

#include "passes/driver/SlotNoise.h"

#include "passes/ChainNoise.h"
#include "passes/algorithms/LevelSearch.h"
#include "passes/algorithms/ScaleValue.h"
#include "runtime/ring/embedding.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <memory>

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
      .template Case<ckks::MulPlainOp>([&](auto product) { addEncoding(product, operand, slots); })
      .template Case<ckks::ModRaiseOp>([&](auto) { addIntegers(type, slots); });
}

/// How many numbers of `value`, which are `count`, repeat.
static size_t periodOf(DenseElementsAttr value, size_t count) {
  ArrayRef<char> bytes = value.isSplat() ? ArrayRef<char>() : value.getRawData();
  if (bytes.empty())
    return 1;
  while (count % 2 == 0 &&
         bytes.take_front(bytes.size() / 2) == bytes.take_back(bytes.size() / 2)) {
    bytes = bytes.take_front(bytes.size() / 2);
    count /= 2;
  }
  return count;
}

template <typename T>
void SlotNoise::addEncoding(ckks::MulPlainOp product, const std::vector<T> &operand,
                            std::vector<T> &slots) {
  const auto type = cast<ckks::CtType>(product.getResult().getType());
  const double inverseScale = inverse(product.getScaleAttr().getValue());
  const size_t count = product.getValue().getNumElements();
  // Stretched numbers are no shorter polynomial.
  const size_t period = count == slots.size() ? periodOf(product.getValue(), count) : slots.size();
  const double deviation = algorithms::slotDeviation(
      1.0 / 12, double(type.getSlots(params)) * double(period) / double(slots.size()));
  std::normal_distribution<double> gaussian(0, deviation * inverseScale);
  std::vector<T> error(period);
  for (T &entry : error)
    if constexpr (std::is_same_v<T, double>)
      entry = gaussian(random);
    else
      entry = {gaussian(random), gaussian(random)};
  for (size_t k = 0; k < slots.size(); ++k)
    slots[k] += operand[k] * error[k % period];
}

template <typename T> void SlotNoise::addIntegers(ckks::CtType type, std::vector<T> &slots) {
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    const double weight = expectedWeight(params, type.getSecret());
    std::normal_distribution<double> gaussian(0, std::sqrt((weight + 1) / 12));
    std::vector<T> values(slots.size());
    for (T &value : values)
      value = {std::round(gaussian(random)), std::round(gaussian(random))};
    // The embedding of these coefficients, in whichever order they are.
    const auto logSlots = unsigned(llvm::Log2_64(slots.size()));
    const std::unique_ptr<double[]> roots = ring::makeEmbeddingRoots(logSlots);
    for (size_t half = 1; half < values.size(); half *= 2)
      for (size_t start = 0; start < values.size(); start += 2 * half)
        for (size_t j = 0; j < half; ++j) {
          const T root(roots[2 * (half + j)], roots[2 * (half + j) + 1]);
          const T low = values[start + j], high = root * values[start + half + j];
          values[start + j] = low + high;
          values[start + half + j] = low - high;
        }
    for (auto [slot, value] : llvm::zip_equal(slots, values))
      slot += value;
  }
}

template void SlotNoise::addEncryption(Value, std::vector<double> &);
template void SlotNoise::addEncryption(Value, std::vector<std::complex<double>> &);
template void SlotNoise::addTo(Operation *, const std::vector<double> &, std::vector<double> &);
template void SlotNoise::addTo(Operation *, const std::vector<std::complex<double>> &,
                               std::vector<std::complex<double>> &);

} // namespace sluice
