//===- stages.h - modules of any stage for tests ----------------------------------------------===//
#ifndef SLUICE_TEST_PASSES_DRIVER_STAGES_H
#define SLUICE_TEST_PASSES_DRIVER_STAGES_H

#include "dialects/InitDialects.h"
#include "passes/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <string>

/// A module that can be moved from phase to phase.
class StagedModule {
public:
  explicit StagedModule(const std::string &text) {
    mlir::DialectRegistry registry;
    sluice::registerSluiceDialects(registry);
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                    mlir::math::MathDialect, mlir::tensor::TensorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    // Diagnostics are asserted on by lit tests; here a failure is enough.
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  mlir::ModuleOp get() { return *module; }
  explicit operator bool() const { return module.get() != nullptr; }

  /// Runs the passes of one phase; false on failure.
  bool advance(sluice::Phase phase, const sluice::PipelineOptions &options = {}) {
    mlir::PassManager passes(&context);
    sluice::buildPhase(passes, phase, options);
    return succeeded(passes.run(*module));
  }

  /// Runs one pass on the module; false on failure.
  bool run(std::unique_ptr<mlir::Pass> pass) {
    mlir::PassManager passes(&context);
    passes.addPass(std::move(pass));
    return succeeded(passes.run(*module));
  }

  std::string messages;

private:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // SLUICE_TEST_PASSES_DRIVER_STAGES_H
