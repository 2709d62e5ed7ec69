//===- FusedProgram.h - what code generators read of a module in phase fused ------------------===//
//
// Places of values in the arena, numbers of constants, keys and stages: the same for every backend,
// since one section `program` describes them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_FUSEDPROGRAM_H
#define SLUICE_PASSES_FUSEDPROGRAM_H

#include "passes/ConstantTable.h"
#include "passes/ProgramAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <vector>

namespace sluice {

class FusedProgram {
public:
  /// The one function of `module`, its keys and the places of its arguments; reports an error when
  /// something is missing.
  static mlir::FailureOr<FusedProgram> read(mlir::ModuleOp module);

  mlir::func::FuncOp getFunction() const { return function; }
  const ConstantTable &getConstants() const { return constants; }

  /// Reads `rns.slots` of `op`: the slots of all its results, in order.
  mlir::LogicalResult findPlaces(mlir::Operation &op);
  /// Says where `value` stands; `slots` must outlive the program.
  void setPlace(mlir::Value value, llvm::ArrayRef<int32_t> slots) { places[value] = slots; }
  bool hasPlace(mlir::Value value) const { return places.contains(value); }
  /// One slot a limb; empty without a place.
  llvm::ArrayRef<int32_t> slotsOf(mlir::Value value) const { return places.lookup(value); }

  /// What an inner product reads of a key.
  struct KeyUse {
    uint32_t key;                          // its number
    llvm::SmallVector<uint16_t, 8> digits; // of the key, one for each polynomial
    llvm::SmallVector<uint16_t> rows;      // of the key, one for each limb of the result
  };
  /// Reports an error when the key is not listed or the digits are no polynomials yet.
  mlir::FailureOr<KeyUse> keyUseOf(rns::InnerProductOp op) const;

  /// The number of the stage that begins with an operation at `location`, if one does. Operations
  /// of no stage belong to the one that runs.
  std::optional<uint32_t> enterStage(mlir::Location location);
  /// In the order of their first operations.
  llvm::ArrayRef<mlir::StringAttr> getStages() const { return stages.getArrayRef(); }

private:
  FusedProgram(mlir::func::FuncOp function, std::vector<EvaluationKey> keys)
      : function(function), keys(std::move(keys)) {}
  std::optional<uint32_t> numberOf(rns::KeyOp op) const;

  mlir::func::FuncOp function;
  std::vector<EvaluationKey> keys;
  ConstantTable constants;
  llvm::DenseMap<mlir::Value, llvm::ArrayRef<int32_t>> places;
  llvm::SetVector<mlir::StringAttr> stages;
  mlir::StringAttr currentStage;
};

/// Constants and keys are not computed, views are not moved: no code is made of them, nor of the
/// end of the function.
bool isWithoutCode(mlir::Operation &op);

} // namespace sluice

#endif // SLUICE_PASSES_FUSEDPROGRAM_H
