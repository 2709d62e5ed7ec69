//===- CertificateBuilder.h - what a manifest certifies ---------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_CERTIFICATEBUILDER_H
#define SLUICE_PASSES_DRIVER_CERTIFICATEBUILDER_H

#include "passes/driver/Forecast.h"
#include "runtime/abi/manifest.h"

#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// How many decryptions are to be shared, and the statistical bits that this promises.
struct SharingRequest {
  uint64_t decryptions = 0;   ///< 0: none
  double statisticalBits = 0; ///< 0 with none
};

/// Bound, flooding and precision left of an output with these errors.
CertifiedOutput certifyOutput(const OutputErrors &errors, const SharingRequest &request);

/// What the module's attributes ask for.
SharingRequest requestOf(mlir::ModuleOp module);

/// The certificate of a manifest that is complete but for it, from the attributes of a module of
/// the llvm phase. An error when decryptions are to be shared and the module has no forecast of its
/// errors, or a reader would refuse the certificate.
mlir::LogicalResult addCertificate(mlir::ModuleOp module, Manifest &manifest);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CERTIFICATEBUILDER_H
