//===- inspect.cpp - sluice-client inspect ---------------------------------------------------===//
#include "runtime/client/tensor.h"
#include "runtime/wire/evaluation_keys.h"
#include "runtime/wire/hash.h"
#include "runtime/wire/manifest.h"
#include "tools/sluice-client/commands.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace sluice::tools {
namespace {

double megabytes(uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

/// Bytes of the file of evaluation keys, but for its header.
uint64_t evaluationKeyBytes(const Manifest &manifest) {
  uint64_t bytes = 0;
  for (const ManifestKey &key : manifest.evaluationKeys)
    bytes += 8 * wire::keyWords(manifest, key) + sizeof(wire::Seed);
  return bytes;
}

void printTensor(const char *title, const ManifestTensor &tensor, bool isInput) {
  std::printf("%-10s %s %s%s", title, tensor.name.c_str(), client::shapeText(tensor.shape).c_str(),
              tensor.isComplex ? " complex" : "");
  if (isInput)
    std::printf(", values in [%g, %g]", tensor.rangeLow, tensor.rangeHigh);
  if (tensor.batched)
    std::printf(", up to %llu items", static_cast<unsigned long long>(tensor.batch));
  std::printf(", level %u, scale %s\n", tensor.level, tensor.scale.exact.c_str());
}

void printSecurity(const Manifest &manifest) {
  const ManifestSecurity &security = manifest.security;
  if (security.insecure)
    std::printf("security   NONE: insecure parameters for tests, log QP %.1f\n", security.logQP);
  else
    std::printf("security   %g bits (%s): log QP %.1f of %u\n", security.bits, security.row.c_str(),
                security.logQP, security.limit);
}

void printCertificate(const ManifestCertificate &certificate) {
  for (const CertifiedKey &key : certificate.keys)
    std::printf("key        %s: log QP %.1f of %u (%s)\n", key.object.c_str(), key.logQP, key.limit,
                key.row.c_str());
  if (certificate.log2Failure)
    std::printf("failure    2^%.1f a run, of its bootstraps\n", *certificate.log2Failure);
  for (const CertifiedOutput &output : certificate.outputs)
    std::printf("noise      %s: deviation %.3g, norm at most %.3g\n", output.name.c_str(),
                output.deviation, output.errorNorm);
  if (certificate.decryptions == 0) {
    std::printf("sharing    no decryption may be shared\n");
    return;
  }
  std::printf("sharing    %llu decryptions under one secret key, %g statistical bits\n",
              static_cast<unsigned long long>(certificate.decryptions),
              certificate.statisticalBits);
  for (const CertifiedOutput &output : certificate.outputs)
    std::printf("           %s: flooded by a deviation of %.3g, %.1f bits of precision left\n",
                output.name.c_str(), output.floodingDeviation, output.precisionBits);
}

void printText(const Manifest &manifest, const wire::Hash &hash) {
  std::printf("program    %s, id %.16s…, by %s\n", manifest.programName.c_str(),
              manifest.programId.c_str(), manifest.compiler.c_str());
  std::printf("manifest   %.16s…\n", wire::toHex(hash).c_str());
  printSecurity(manifest);
  if (manifest.certificate)
    printCertificate(*manifest.certificate);
  std::printf("ring       N = 2^%u, %zu limbs (%zu special), %zu levels, %llu slots\n",
              manifest.logN, manifest.limbs.size(), manifest.special.size(), manifest.levels.size(),
              static_cast<unsigned long long>(manifest.slots));
  for (const ManifestTensor &tensor : manifest.inputs)
    printTensor("input", tensor, true);
  for (const ManifestTensor &tensor : manifest.outputs)
    printTensor("output", tensor, false);
  std::printf("keys       %zu evaluation keys, %.1f MB\n", manifest.evaluationKeys.size(),
              megabytes(evaluationKeyBytes(manifest)));
  const ManifestForecast &forecast = manifest.forecast;
  std::printf("forecast   %.1f bits of precision, %.1f ms, %.1f MB of memory; %llu products, %llu "
              "key switches\n",
              forecast.precisionBits, forecast.timeMs, megabytes(forecast.arenaBytes),
              static_cast<unsigned long long>(forecast.ciphertextProducts),
              static_cast<unsigned long long>(forecast.keySwitches));
}

} // namespace

Status runInspect(const Arguments &arguments) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source,
                          wire::Source::openFile(arguments.program));
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, wire::readManifestBytes(std::move(source)));
  SLUICE_ASSIGN_OR_RETURN(Manifest manifest, wire::readManifest(bytes, arguments.program));
  wire::Hash hash = wire::hash256(bytes);
  if (!arguments.json) {
    printText(manifest, hash);
    return Status();
  }
  nlohmann::ordered_json json;
  json["manifest_hash"] = wire::toHex(hash);
  json["evaluation_key_bytes"] = evaluationKeyBytes(manifest);
  json["manifest"] = nlohmann::ordered_json::parse(wire::writeManifest(manifest));
  std::printf("%s\n", json.dump(2).c_str());
  return Status();
}

} // namespace sluice::tools
