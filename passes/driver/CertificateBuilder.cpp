//===- CertificateBuilder.cpp - what a manifest certifies -------------------------------------===//

#include "passes/driver/CertificateBuilder.h"

#include "passes/ProgramAttributes.h"
#include "passes/algorithms/Flooding.h"
#include "runtime/abi/flooding.h"
#include "runtime/wire/certificate.h"

using namespace mlir;

namespace sluice {

CertifiedOutput certifyOutput(const OutputErrors &errors, const SharingRequest &request) {
  CertifiedOutput output;
  output.deviation = errors.deviation;
  output.errorNorm = algorithms::errorNormBound(errors.deviation, errors.numbers,
                                                request.decryptions, request.statisticalBits);
  output.floodingDeviation =
      floodingDeviation(output.errorNorm, request.decryptions, request.statisticalBits);
  output.precisionBits = precisionAfterFlooding(output.deviation, output.floodingDeviation);
  return output;
}

SharingRequest requestOf(ModuleOp module) {
  SharingRequest request;
  auto decryptions = module->getAttrOfType<IntegerAttr>(decryptionsAttr);
  auto bits = module->getAttrOfType<FloatAttr>(statisticalBitsAttr);
  if (decryptions && decryptions.getInt() > 0)
    request = {uint64_t(decryptions.getInt()),
               bits ? bits.getValueAsDouble() : defaultStatisticalBits};
  return request;
}

/// The outputs, in order; nothing without a forecast.
static std::vector<CertifiedOutput> certifyOutputs(ModuleOp module, const Manifest &manifest,
                                                   const SharingRequest &request) {
  std::vector<CertifiedOutput> outputs;
  auto deviations = module->getAttrOfType<DenseF64ArrayAttr>(outputDeviationsAttr);
  if (!deviations || size_t(deviations.size()) != manifest.outputs.size())
    return outputs;
  for (auto [tensor, deviation] : llvm::zip_equal(manifest.outputs, deviations.asArrayRef())) {
    outputs.push_back(certifyOutput({deviation, wire::numbersGivenOut(tensor)}, request));
    outputs.back().name = tensor.name;
  }
  return outputs;
}

LogicalResult addCertificate(ModuleOp module, Manifest &manifest) {
  const SharingRequest request = requestOf(module);
  ManifestCertificate &certificate = manifest.certificate.emplace();
  certificate.keys = wire::certifyKeys(manifest);
  if (auto failure = module->getAttrOfType<FloatAttr>(log2FailureAttr))
    certificate.log2Failure = failure.getValueAsDouble();
  certificate.decryptions = request.decryptions;
  certificate.statisticalBits = request.statisticalBits;
  certificate.outputs = certifyOutputs(module, manifest, request);
  if (request.decryptions > 0 && certificate.outputs.empty())
    return module.emitError("decryptions can be shared only of programs with a forecast of their "
                            "errors: '")
           << outputDeviationsAttr
           << "', one number an output, which the settled phase gives where "
           << "inputs have a ckks.layout and a ckks.range";
  Status status = wire::checkCertificate(manifest, manifest.programName);
  return status.isOk() ? success() : module.emitError(status.message());
}

} // namespace sluice
