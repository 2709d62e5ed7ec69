//===- CalibrationCode.cpp - device code that is timed ----------------------------------------===//

#include "passes/driver/CalibrationCode.h"

#include "passes/driver/CudaCompiler.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace sluice {

CalibrationCode compileCalibration(unsigned logN) {
  CalibrationCode result;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    result.diagnostics.push_back(convertDiagnostic(diagnostic));
  });
  // There is no program: a module only for the errors to be reported on.
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context), "calibration");
  std::string source = "#define SLUICE_LOG_N " + std::to_string(logN) +
                       "\n#include \"runtime/cuda/kernels/calibration.cuh\"\n";
  if (FailureOr<std::string> code = compileDeviceCode(*module, source, findNvcc()); succeeded(code))
    result.bytes = std::move(*code);
  return result;
}

} // namespace sluice
