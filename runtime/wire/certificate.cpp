//===- certificate.cpp - the certificate in a manifest ---------------------------------------===//
#include "runtime/wire/certificate.h"

#include "runtime/abi/flooding.h"
#include "runtime/wire/manifest.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace sluice::wire {
namespace {

/// Numbers in JSON are exact; this is for logarithms and products that others computed.
constexpr double slackBits = 0.01, slackPart = 0x1p-30;
/// A Gaussian stays within 16 deviations but for a part of 2^-180.
constexpr double log2DeviationsOfRoom = 4;

Status fail(StatusCode code, const std::string &name, const std::string &place, const char *format,
            ...) __attribute__((format(printf, 4, 5)));

Status fail(StatusCode code, const std::string &name, const std::string &place, const char *format,
            ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return Status::error(code, "%s: certificate%s: %s", name.c_str(), place.c_str(), text);
}

/// Takes a key of `logQP` bits into the list.
void certify(std::vector<CertifiedKey> &keys, std::string_view object,
             const std::optional<SecurityRow> &row, double logQP) {
  auto found = std::ranges::find(keys, object, &CertifiedKey::object);
  if (found == keys.end()) {
    keys.push_back({std::string(object), logQP, row ? row->limitBits : 0,
                    row ? std::string(row->name) : "none"});
    return;
  }
  found->logQP = std::max(found->logQP, logQP);
}

Status checkKeys(const Manifest &manifest, const ManifestCertificate &certificate,
                 const std::string &name) {
  const std::vector<CertifiedKey> expected = certifyKeys(manifest);
  const std::vector<CertifiedKey> &stated = certificate.keys;
  if (stated.size() != expected.size())
    return fail(StatusCode::corruptFile, name, ".keys", "has %zu kinds of keys; there are %zu",
                stated.size(), expected.size());
  for (size_t k = 0; k < stated.size(); ++k) {
    const CertifiedKey &key = expected[k];
    bool isEqual = stated[k].object == key.object && stated[k].limit == key.limit &&
                   stated[k].row == key.row && std::abs(stated[k].logQP - key.logQP) <= slackBits;
    if (!isEqual)
      return fail(StatusCode::corruptFile, name, ".keys[" + std::to_string(k) + "]",
                  "must be %s with log_qp %.2f, limit %u, row \"%s\"", key.object.c_str(),
                  key.logQP, key.limit, key.row.c_str());
  }
  return Status();
}

Status checkPromise(const Manifest &manifest, const ManifestCertificate &certificate,
                    const std::string &name) {
  if (certificate.log2Failure && !(*certificate.log2Failure <= 0))
    return fail(StatusCode::corruptFile, name, ".log2_failure", "%g is not the log2 of a part of 1",
                *certificate.log2Failure);
  if (certificate.decryptions == 0 && certificate.statisticalBits != 0)
    return fail(StatusCode::corruptFile, name, ".statistical_bits",
                "must be 0 where no decryption may be shared");
  if (certificate.decryptions == 0)
    return Status();
  if (!(certificate.statisticalBits > 0 && certificate.statisticalBits <= maxStatisticalBits))
    return fail(StatusCode::corruptFile, name, ".statistical_bits", "%g is not in 0 to %g",
                certificate.statisticalBits, maxStatisticalBits);
  if (certificate.statisticalBits < defaultStatisticalBits && !manifest.security.insecure)
    return fail(StatusCode::insecure, name, ".statistical_bits",
                "%g bits are promised of shared decryptions; %g are the least",
                certificate.statisticalBits, defaultStatisticalBits);
  return Status();
}

Status checkOutput(const Manifest &manifest, const ManifestCertificate &certificate, size_t index,
                   const std::string &name) {
  const CertifiedOutput &output = certificate.outputs[index];
  const ManifestTensor &tensor = manifest.outputs[index];
  const std::string place = ".outputs[" + std::to_string(index) + "]";
  if (output.name != tensor.name)
    return fail(StatusCode::corruptFile, name, place + ".name", "output %zu of the program is '%s'",
                index, tensor.name.c_str());
  double least = leastDeviation(manifest, tensor);
  if (!(output.deviation >= least * (1 - slackPart)))
    return fail(StatusCode::corruptFile, name, place + ".deviation",
                "%g is less than %g, the error of one rounding", output.deviation, least);
  double norm = output.deviation * std::sqrt(static_cast<double>(numbersGivenOut(tensor)));
  if (!(output.errorNorm >= norm * (1 - slackPart)))
    return fail(StatusCode::corruptFile, name, place + ".error_norm",
                "%g is less than %g, that of %llu errors of this deviation", output.errorNorm, norm,
                static_cast<unsigned long long>(numbersGivenOut(tensor)));
  double flooding =
      floodingDeviation(output.errorNorm, certificate.decryptions, certificate.statisticalBits);
  if (certificate.decryptions == 0 ? output.floodingDeviation != 0
                                   : !(output.floodingDeviation >= flooding * (1 - slackPart)))
    return fail(StatusCode::corruptFile, name, place + ".flooding_deviation",
                "%g is stated, but the other numbers give %g", output.floodingDeviation,
                certificate.decryptions == 0 ? 0 : flooding);
  double precision = precisionAfterFlooding(output.deviation, output.floodingDeviation);
  if (!(std::abs(output.precisionBits - precision) <= slackBits))
    return fail(StatusCode::corruptFile, name, place + ".precision_bits",
                "%.2f is stated, but the deviations give %.2f", output.precisionBits, precision);
  if (certificate.decryptions == 0)
    return Status();
  if (!(output.floodingDeviation <= floodingRoom(manifest, tensor)))
    return fail(StatusCode::corruptFile, name, place + ".flooding_deviation",
                "%g is more than %g, which level %u can hold", output.floodingDeviation,
                floodingRoom(manifest, tensor), tensor.level);
  return Status();
}

Expected<CertifiedKey> readKey(const JsonValue &json) {
  CertifiedKey key;
  SLUICE_ASSIGN_OR_RETURN(key.object, json.text("object", limits::nameBytes));
  SLUICE_ASSIGN_OR_RETURN(key.logQP, json.number("log_qp"));
  SLUICE_ASSIGN_OR_RETURN(uint64_t limit, json.integer("limit", 0, 1 << 20));
  key.limit = static_cast<uint32_t>(limit);
  SLUICE_ASSIGN_OR_RETURN(key.row, json.text("row", limits::nameBytes));
  return key;
}

Expected<CertifiedOutput> readOutput(const JsonValue &json) {
  CertifiedOutput output;
  SLUICE_ASSIGN_OR_RETURN(output.name, json.text("name", limits::nameBytes));
  SLUICE_ASSIGN_OR_RETURN(output.deviation, json.number("deviation"));
  SLUICE_ASSIGN_OR_RETURN(output.errorNorm, json.number("error_norm"));
  SLUICE_ASSIGN_OR_RETURN(output.floodingDeviation, json.number("flooding_deviation"));
  SLUICE_ASSIGN_OR_RETURN(output.precisionBits, json.number("precision_bits"));
  return output;
}

} // namespace

std::vector<CertifiedKey> certifyKeys(const Manifest &manifest) {
  const auto mainRow = findSecurityRow(manifest.secret, manifest.logN);
  std::vector<CertifiedKey> keys;
  certify(keys, "public_key", mainRow,
          productLog2(manifest, manifest.special) + productLog2(manifest, manifest.levels.back()));
  for (const ManifestKey &key : manifest.evaluationKeys) {
    bool isEphemeral = key.kind == KeyKind::toEphemeral && manifest.ephemeral;
    certify(keys, keyKindName(key.kind),
            isEphemeral ? findSecurityRow(manifest.ephemeral->distribution, manifest.logN)
                        : mainRow,
            productLog2(manifest, key.limbs));
  }
  return keys;
}

uint64_t numbersGivenOut(const ManifestTensor &tensor) {
  uint64_t numbers = (tensor.batched ? tensor.batch : 1) * (tensor.isComplex ? 2 : 1);
  for (uint64_t size : tensor.shape)
    numbers *= size;
  return numbers;
}

double leastDeviation(const Manifest &manifest, const ManifestTensor &output) {
  return std::sqrt(static_cast<double>(manifest.slots) / 12) / output.scale.high;
}

double floodingRoom(const Manifest &manifest, const ManifestTensor &output) {
  double half = productLog2(manifest, manifest.levels[output.level]) - 1;
  double perCoefficient = std::exp2(std::min(half - log2DeviationsOfRoom, maxFloodingLog2));
  return perCoefficient / coefficientDeviation(1, output.scale.high, manifest.slots);
}

Expected<ManifestCertificate> readCertificate(const JsonValue &json) {
  ManifestCertificate certificate;
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> keys, json.array("keys", 0, 16));
  for (const JsonValue &key : keys) {
    SLUICE_ASSIGN_OR_RETURN(CertifiedKey read, readKey(key));
    certificate.keys.push_back(std::move(read));
  }
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> failure, json.optionalField("log2_failure"));
  if (failure) {
    SLUICE_ASSIGN_OR_RETURN(certificate.log2Failure, failure->asNumber());
  }
  SLUICE_ASSIGN_OR_RETURN(certificate.decryptions, json.integer("decryptions", 0, maxDecryptions));
  SLUICE_ASSIGN_OR_RETURN(certificate.statisticalBits, json.number("statistical_bits"));
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> outputs,
                          json.array("outputs", 0, limits::tensors));
  for (const JsonValue &output : outputs) {
    SLUICE_ASSIGN_OR_RETURN(CertifiedOutput read, readOutput(output));
    certificate.outputs.push_back(std::move(read));
  }
  return certificate;
}

nlohmann::ordered_json certificateJson(const ManifestCertificate &certificate) {
  nlohmann::ordered_json json;
  json["keys"] = nlohmann::ordered_json::array();
  for (const CertifiedKey &key : certificate.keys)
    json["keys"].push_back(
        {{"object", key.object}, {"log_qp", key.logQP}, {"limit", key.limit}, {"row", key.row}});
  if (certificate.log2Failure)
    json["log2_failure"] = *certificate.log2Failure;
  json["decryptions"] = certificate.decryptions;
  json["statistical_bits"] = certificate.statisticalBits;
  json["outputs"] = nlohmann::ordered_json::array();
  for (const CertifiedOutput &output : certificate.outputs)
    json["outputs"].push_back({{"name", output.name},
                               {"deviation", output.deviation},
                               {"error_norm", output.errorNorm},
                               {"flooding_deviation", output.floodingDeviation},
                               {"precision_bits", output.precisionBits}});
  return json;
}

Status checkCertificate(const Manifest &manifest, const std::string &name) {
  if (!manifest.certificate)
    return Status();
  const ManifestCertificate &certificate = *manifest.certificate;
  SLUICE_RETURN_IF_ERROR(checkKeys(manifest, certificate, name));
  SLUICE_RETURN_IF_ERROR(checkPromise(manifest, certificate, name));
  bool hasNone = certificate.outputs.empty() && certificate.decryptions == 0;
  if (!hasNone && certificate.outputs.size() != manifest.outputs.size())
    return fail(StatusCode::corruptFile, name, ".outputs", "has %zu outputs; the program has %zu",
                certificate.outputs.size(), manifest.outputs.size());
  for (size_t index = 0; index < certificate.outputs.size(); ++index)
    SLUICE_RETURN_IF_ERROR(checkOutput(manifest, certificate, index, name));
  return Status();
}

} // namespace sluice::wire
