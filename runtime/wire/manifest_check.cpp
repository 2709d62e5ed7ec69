//===- manifest_check.cpp - what must hold in a manifest -------------------------------------===//
//
// The checks that are about meaning; those about shape are in manifest.cpp, where the JSON is read.
//
//===-----------------------------------------------------------------------------------------===//
#include "runtime/ring/primes.h"
#include "runtime/wire/certificate.h"
#include "runtime/wire/manifest.h"
#include "runtime/wire/scale_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <numbers>
#include <set>
#include <tuple>

namespace sluice::wire {
namespace {

using Indices = std::vector<uint16_t>;

std::string numbered(const char *what, size_t index) {
  return std::string(what) + "[" + std::to_string(index) + "]";
}

/// Collects the place of a check for its message.
class Checker {
public:
  Checker(const Manifest &manifest, std::string name) : manifest(manifest), name(std::move(name)) {}
  Status run() const;

private:
  [[gnu::format(printf, 3, 4)]] Status fail(const std::string &place, const char *format,
                                            ...) const;
  Status checkIndices(const Indices &indices, const std::string &place) const;
  Status checkRing() const;
  Status checkLevels() const;
  Status checkKey(const ManifestKey &key, const std::string &place) const;
  Status checkKeys() const;
  Status checkSecurity() const;
  Status checkEphemeral() const;
  Status checkScale(const ManifestScale &scale, const std::string &place) const;
  Status checkShape(const ManifestTensor &tensor, const std::string &place) const;
  Status checkTensor(const ManifestTensor &tensor, const std::string &place) const;
  Status checkRange(const ManifestTensor &tensor, const std::string &place) const;
  Status checkTensors() const;

  const Manifest &manifest;
  std::string name;
};

Status Checker::fail(const std::string &place, const char *format, ...) const {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return Status::error(StatusCode::corruptFile, "%s: %s: %s", name.c_str(), place.c_str(), text);
}

unsigned long long number(uint64_t value) { return value; }

Status Checker::checkIndices(const Indices &indices, const std::string &place) const {
  std::vector<bool> seen(manifest.limbs.size());
  for (uint16_t index : indices) {
    if (index >= manifest.limbs.size())
      return fail(place, "limb %u is not in the table of %zu limbs", index, manifest.limbs.size());
    if (seen[index])
      return fail(place, "limb %u stands twice", index);
    seen[index] = true;
  }
  return Status();
}

Status Checker::checkRing() const {
  if (manifest.logN < limits::minLogN || manifest.logN > limits::maxLogN)
    return fail("ring.log_n", "%u is not in %u to %u", manifest.logN, limits::minLogN,
                limits::maxLogN);
  std::set<uint64_t> seen;
  for (size_t i = 0; i < manifest.limbs.size(); ++i) {
    uint64_t q = manifest.limbs[i];
    if (!ring::isNttPrime(manifest.logN, q))
      return fail(numbered("ring.limbs", i),
                  "%llu is not a prime of 20 to 50 bits that is 1 modulo 2N = %llu", number(q),
                  number(2 * manifest.degree()));
    if (!seen.insert(q).second)
      return fail(numbered("ring.limbs", i), "%llu stands twice", number(q));
  }
  return checkIndices(manifest.special, "ring.special");
}

Status Checker::checkLevels() const {
  if (manifest.levels.empty())
    return fail("levels", "there must be at least one");
  double previous = 0;
  for (size_t level = 0; level < manifest.levels.size(); ++level) {
    const Indices &limbs = manifest.levels[level];
    std::string place = numbered("levels", level);
    SLUICE_RETURN_IF_ERROR(checkIndices(limbs, place));
    for (uint16_t index : limbs)
      if (std::find(manifest.special.begin(), manifest.special.end(), index) !=
          manifest.special.end())
        return fail(place, "limb %u is one of P (ring.special)", index);
    double bits = productLog2(manifest, limbs);
    if (limbs.empty() || bits <= previous)
      return fail(place, "its modulus (%.2f bits) must be larger than that of the level below",
                  bits);
    previous = bits;
  }
  return Status();
}

Status Checker::checkKey(const ManifestKey &key, const std::string &place) const {
  if (key.kind == KeyKind::galois &&
      (key.element % 2 == 0 || key.element < 3 || key.element >= 2 * manifest.degree()))
    return fail(place, "element %u must be odd, more than 1 and less than 2N = %llu", key.element,
                number(2 * manifest.degree()));
  SLUICE_RETURN_IF_ERROR(checkIndices(key.limbs, place + ".limbs"));
  if ((key.kind == KeyKind::toEphemeral || key.kind == KeyKind::toMain) && !manifest.ephemeral)
    return fail(place, "there is no ephemeral secret (ephemeral) that it could switch");
  const Indices &special = manifest.specialLimbs(key.kind);
  if (special.empty())
    return fail(place, "a key needs at least one limb of P (ring.special is empty)");
  if (key.limbs.size() <= special.size() ||
      !std::equal(special.begin(), special.end(), key.limbs.begin()))
    return fail(place + ".limbs", "must begin with %s, followed by the limbs served",
                key.kind == KeyKind::toEphemeral ? "ephemeral.special" : "ring.special");
  Indices served(key.limbs.begin() + static_cast<ptrdiff_t>(special.size()), key.limbs.end());
  Indices inDigits;
  for (const Indices &digit : key.digits) {
    if (digit.empty())
      return fail(place + ".digits", "a digit is empty");
    inDigits.insert(inDigits.end(), digit.begin(), digit.end());
  }
  SLUICE_RETURN_IF_ERROR(checkIndices(inDigits, place + ".digits"));
  std::sort(served.begin(), served.end());
  std::sort(inDigits.begin(), inDigits.end());
  if (served != inDigits)
    return fail(place + ".digits", "must hold each limb that the key serves exactly once");
  return Status();
}

Status Checker::checkKeys() const {
  std::set<std::tuple<KeyKind, uint32_t, bool, Indices, std::vector<Indices>>> seen;
  for (size_t index = 0; index < manifest.evaluationKeys.size(); ++index) {
    const ManifestKey &key = manifest.evaluationKeys[index];
    std::string place = numbered("evaluation_keys", index);
    SLUICE_RETURN_IF_ERROR(checkKey(key, place));
    if (!seen.emplace(key.kind, key.element, key.permuted, key.limbs, key.digits).second)
      return fail(place, "the same key stands twice");
  }
  return Status();
}

Status Checker::checkEphemeral() const {
  if (!manifest.ephemeral)
    return Status();
  const ManifestEphemeral &ephemeral = *manifest.ephemeral;
  SLUICE_RETURN_IF_ERROR(checkIndices(ephemeral.special, "ephemeral.special"));
  if (manifest.security.insecure)
    return Status();
  double logQP = 0;
  for (const ManifestKey &key : manifest.evaluationKeys)
    if (key.kind == KeyKind::toEphemeral)
      logQP = std::max(logQP, productLog2(manifest, key.limbs));
  SLUICE_RETURN_IF_ERROR(checkModulus(manifest, ephemeral.distribution, logQP,
                                      "the modulus of the key for the ephemeral secret")
                             .withContext(name));
  if (std::abs(ephemeral.logQP - logQP) > 0.01)
    return fail("ephemeral.log_qp", "%.2f is stated, but the limbs give %.2f", ephemeral.logQP,
                logQP);
  std::optional<SecurityRow> row = findSecurityRow(ephemeral.distribution, manifest.logN);
  if (!row || ephemeral.limit != row->limitBits || ephemeral.row != row->name)
    return fail("ephemeral", "must name the row \"%s\" with limit %u",
                row ? std::string(row->name).c_str() : "none", row ? row->limitBits : 0);
  return Status();
}

Status Checker::checkSecurity() const {
  const ManifestSecurity &security = manifest.security;
  if (manifest.errorStandardDeviation != errorStandardDeviation)
    return fail("error_standard_deviation", "%g, but only %g is supported",
                manifest.errorStandardDeviation, errorStandardDeviation);
  if (security.insecure)
    return Status();
  double logQP = largestModulusLog2(manifest);
  SLUICE_RETURN_IF_ERROR(
      checkModulus(manifest, manifest.secret, logQP, "the largest modulus").withContext(name));
  // The union of all levels bounds every key's: what a planner may have stated.
  std::set<uint16_t> all(manifest.special.begin(), manifest.special.end());
  for (const Indices &limbs : manifest.levels)
    all.insert(limbs.begin(), limbs.end());
  double bound = productLog2(manifest, Indices(all.begin(), all.end()));
  if (security.logQP < logQP - 0.01 || security.logQP > bound + 0.01)
    return fail("security.log_qp", "%.2f is stated, but the limbs give %.2f", security.logQP,
                logQP);
  std::optional<SecurityRow> row = findSecurityRow(manifest.secret, manifest.logN);
  if (!row || security.bits != 128 || security.limit != row->limitBits || security.row != row->name)
    return fail("security", "must name the row \"%s\" with limit %u for 128 bits",
                row ? std::string(row->name).c_str() : "none", row ? row->limitBits : 0);
  return Status();
}

Status Checker::checkScale(const ManifestScale &scale, const std::string &place) const {
  double value = scale.high + scale.low;
  if (!(value >= 1) || !(value <= 0x1p1000) || std::abs(scale.low) > scale.high * 0x1p-52)
    return fail(place + ".scale", "high = %g, low = %g is not a scale", scale.high, scale.low);
  std::optional<double> log = scaleTextLog2(scale.exact, manifest.limbs);
  if (!log)
    return fail(place + ".scale.exact",
                "must be a product of powers of 2 and limbs, such as 2^90 * q3^-1");
  if (std::abs(*log - std::log2(value)) > 0x1p-40)
    return fail(place + ".scale", "'%s' is 2^%.6f, but high + low is 2^%.6f", scale.exact.c_str(),
                *log, std::log2(value));
  return Status();
}

Status Checker::checkShape(const ManifestTensor &tensor, const std::string &place) const {
  uint64_t padded = 1;
  for (uint64_t size : tensor.shape) {
    if (size == 0 || size > manifest.slots || std::bit_ceil(size) > manifest.slots / padded)
      return fail(place + ".shape", "does not fit %llu slots", number(manifest.slots));
    padded *= std::bit_ceil(size);
  }
  if (tensor.lanes < padded || !std::has_single_bit(tensor.lanes))
    return fail(place + ".lanes",
                "must be a power of two and at least %llu, the elements after padding each "
                "dimension to a power of two",
                number(padded));
  if (tensor.batch == 0 || tensor.batch > manifest.slots / tensor.lanes)
    return fail(place + ".batch", "%llu items of %llu lanes do not fit %llu slots",
                number(tensor.batch), number(tensor.lanes), number(manifest.slots));
  return Status();
}

Status Checker::checkTensor(const ManifestTensor &tensor, const std::string &place) const {
  if (tensor.name.empty())
    return fail(place + ".name", "must not be empty");
  if (tensor.level >= manifest.levels.size())
    return fail(place + ".level", "%u is not one of the %zu levels", tensor.level,
                manifest.levels.size());
  SLUICE_RETURN_IF_ERROR(checkShape(tensor, place));
  return checkScale(tensor.scale, place);
}

Status Checker::checkRange(const ManifestTensor &tensor, const std::string &place) const {
  if (!(tensor.rangeLow <= tensor.rangeHigh) || !std::isfinite(tensor.rangeLow) ||
      !std::isfinite(tensor.rangeHigh))
    return fail(place + ".range", "[%g, %g] is not a range", tensor.rangeLow, tensor.rangeHigh);
  double largest = std::max(std::abs(tensor.rangeLow), std::abs(tensor.rangeHigh));
  largest *= tensor.isComplex ? std::numbers::sqrt2 : 1;
  double bits = std::log2(std::max(largest, 0x1p-1000)) + std::log2(tensor.scale.high);
  double available = productLog2(manifest, manifest.levels[tensor.level]) - 1;
  if (bits >= available)
    return fail(place, "values up to %g at scale 2^%.1f do not fit level %u (%.1f bits)", largest,
                std::log2(tensor.scale.high), tensor.level, available);
  return Status();
}

Status Checker::checkTensors() const {
  if (!std::has_single_bit(manifest.slots) || manifest.slots > manifest.degree() / 2)
    return fail("slots", "%llu is not a power of two up to N/2 = %llu", number(manifest.slots),
                number(manifest.degree() / 2));
  if (manifest.inputs.empty() || manifest.outputs.empty())
    return fail(manifest.inputs.empty() ? "inputs" : "outputs", "there must be at least one");
  std::set<std::string> names;
  for (size_t index = 0; index < manifest.inputs.size(); ++index) {
    const ManifestTensor &tensor = manifest.inputs[index];
    std::string place = numbered("inputs", index);
    SLUICE_RETURN_IF_ERROR(checkTensor(tensor, place));
    SLUICE_RETURN_IF_ERROR(checkRange(tensor, place));
    if (!names.insert(tensor.name).second)
      return fail(place + ".name", "two inputs have the name '%s'", tensor.name.c_str());
  }
  for (size_t index = 0; index < manifest.outputs.size(); ++index)
    SLUICE_RETURN_IF_ERROR(checkTensor(manifest.outputs[index], numbered("outputs", index)));
  return Status();
}

Status Checker::run() const {
  SLUICE_RETURN_IF_ERROR(checkRing());
  SLUICE_RETURN_IF_ERROR(checkLevels());
  SLUICE_RETURN_IF_ERROR(checkKeys());
  SLUICE_RETURN_IF_ERROR(checkSecurity());
  SLUICE_RETURN_IF_ERROR(checkEphemeral());
  SLUICE_RETURN_IF_ERROR(checkTensors());
  return checkCertificate(manifest, name);
}

} // namespace

double productLog2(const Manifest &manifest, std::span<const uint16_t> indices) {
  double bits = 0;
  for (uint16_t index : indices)
    bits += std::log2(static_cast<double>(manifest.limbs[index]));
  return bits;
}

double largestModulusLog2(const Manifest &manifest) {
  double bits =
      productLog2(manifest, manifest.special) + productLog2(manifest, manifest.levels.back());
  for (const ManifestKey &key : manifest.evaluationKeys)
    if (key.kind != KeyKind::toEphemeral)
      bits = std::max(bits, productLog2(manifest, key.limbs));
  return bits;
}

Status checkModulus(const Manifest &manifest, SecretDistribution secret, double logModulus,
                    const std::string &what) {
  std::optional<SecurityRow> row = findSecurityRow(secret, manifest.logN);
  if (!row && secret == SecretDistribution::uniformTernary)
    return Status::error(StatusCode::insecure,
                         "no parameters of degree N = 2^%u are secure: N = 2^%u is the smallest",
                         manifest.logN, limits::minSecureLogN);
  if (!row)
    return Status::error(StatusCode::insecure,
                         "no modulus is known to be secure for a secret '%s' of degree N = 2^%u",
                         std::string(secretDistributionName(secret)).c_str(), manifest.logN);
  if (isWithin(*row, logModulus))
    return Status();
  return Status::error(StatusCode::insecure,
                       "%s has %.2f bits, but 128 bits of security allow %u (%s)", what.c_str(),
                       logModulus, row->limitBits, std::string(row->name).c_str());
}

Status checkManifest(const Manifest &manifest, const std::string &name) {
  return Checker(manifest, name).run();
}

} // namespace sluice::wire
