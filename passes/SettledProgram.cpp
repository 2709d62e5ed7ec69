//===- SettledProgram.cpp - what a settled program must be to be lowered ----------------------===//

#include "passes/SettledProgram.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice {

func::FuncOp findProgram(ModuleOp module) {
  func::FuncOp program;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    if (program) {
      InFlightDiagnostic error =
          function.emitError("a program has one public function; this is a second one");
      error.attachNote(program.getLoc()) << "the first is here";
      return {};
    }
    program = function;
  }
  if (!program)
    module.emitError("the module has no public function");
  return program;
}

static StringRef passThatExpands(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](ckks::BootstrapOp) { return "expand-bootstraps"; })
      .Case([](ckks::PolynomialOp) { return "evaluate-polynomials"; })
      .Case([](ckks::LinearTransformOp) { return "lower-linear-transforms"; })
      .Default(StringRef());
}

LogicalResult verifySettled(func::FuncOp function, ckks::ParamsAttr params) {
  auto isSettled = [](Type type) {
    auto ciphertext = dyn_cast<ckks::CtType>(type);
    return ciphertext && ciphertext.isSettled();
  };
  for (Type type :
       llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes())) {
    if (!isSettled(type))
      return function.emitError("arguments and results must be settled ciphertexts; found ")
             << type << "; run settle-scales first";
    if (cast<ckks::CtType>(type).isEphemeral())
      return function.emitError("arguments and results must be under the main secret, the only "
                                "one that the client keeps; found ")
             << type;
    if (cast<ckks::CtType>(type).getOwnSlots() != 0)
      return function.emitError("arguments and results must have the slots of 'ckks.params'; "
                                "found ")
             << type << "; use ckks.view_slots";
  }
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (StringRef pass = passThatExpands(op); !pass.empty())
      return op->emitOpError("is expanded by ") << pass << ", which must run first";
    for (Type type : op->getResultTypes())
      if (!isSettled(type))
        return op->emitOpError("makes ") << type << "; a settled ciphertext is needed";
    if (auto scale = op->getAttrOfType<ckks::ScaleAttr>("scale");
        scale && !ckks::hasBoundedExponents(scale.getValue()))
      return op->emitOpError("has a plaintext at scale ")
             << scale.getValue().str() << ", whose exponents are beyond 2^20";
    if (isa<ckks::RelinearizeOp, ckks::RotateOp, ckks::ConjugateOp, ckks::SwitchKeyOp>(op) &&
        params.getSpecial().empty())
      return op->emitOpError("switches keys, which needs special limbs in 'ckks.params'");
    if (auto adjust = dyn_cast<ckks::AdjustScaleOp>(op);
        adjust && !ckks::roundRatio(adjust.getRatio(), params.getLimbs()))
      return op->emitOpError("the ratio of the scales, ")
             << adjust.getRatio().str() << ", is beyond 2^4096";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace sluice
