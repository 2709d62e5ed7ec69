//===- RuntimeCalls.h - builds sluice_program_run
//---------------------------------------------------===//
//
// Calls of the functions of runtime/abi/functions.def, in the LLVM dialect.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_RUNTIMECALLS_H
#define SLUICE_PASSES_RUNTIMECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <vector>

namespace sluice {

/// The functions that compiled code may call; the value is the position in functions.def.
enum class RuntimeFunction : unsigned {
#define SLUICE_FUNCTION(name, parameters) name,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
};

/// Builds the function `int32_t sluice_program_run(context, functions)` at the end of a module,
/// call by call.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module);

  void setLocation(mlir::Location newLocation) { location = newLocation; }

  /// An i32 argument.
  mlir::Value number(uint32_t value);
  /// Pointer to a read-only copy of the elements; equal tables share one.
  mlir::Value table(llvm::ArrayRef<uint16_t> elements);
  mlir::Value table(llvm::ArrayRef<uint32_t> elements);
  mlir::Value table(llvm::ArrayRef<uint64_t> elements);
  /// Calls `callee` with the context and then `arguments`.
  void call(RuntimeFunction callee, llvm::ArrayRef<mlir::Value> arguments);

  /// Ends the function and writes the tables. Nothing may follow.
  void finish();

private:
  /// All tables of one element type, one after the other in one global.
  template <typename T> class TablePool {
  public:
    explicit TablePool(llvm::StringLiteral name) : name(name) {}
    mlir::Value pointer(RuntimeCalls &calls, llvm::ArrayRef<T> elements);
    void writeGlobal(RuntimeCalls &calls) const;

  private:
    llvm::StringLiteral name;
    std::vector<T> content;
    std::map<std::vector<T>, int32_t> offsets;
    mlir::Value base;
  };

  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::LLVM::LLVMPointerType pointerType;
  mlir::LLVM::LLVMStructType functionsType;
  mlir::LLVM::LLVMFuncOp function;
  TablePool<uint16_t> limbs{"limbs"};
  TablePool<uint32_t> slots{"slots"};
  TablePool<uint64_t> scalars{"scalars"};
};

} // namespace sluice

#endif // SLUICE_PASSES_RUNTIMECALLS_H
