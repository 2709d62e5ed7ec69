//===- RuntimeCalls.h - builds sluice_program_run ---------------------------------------------===//
//
// Calls of the functions of runtime/abi/functions.def, in the LLVM dialect.
//
//===------------------------------------------------------------------------------------------===//
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
/// call by call. Between beginBody() and endBody() calls go to the body of a loop over limbs
/// instead.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module);

  void setLocation(mlir::Location newLocation) { location = newLocation; }

  /// Starts a function that parallel_for or parallel_for_blocks can call.
  void beginBody();
  /// Ends it; the pointer to it is an argument for calls of the program itself.
  mlir::Value endBody();
  bool isInBody() const { return current != program; }

  /// An i32 argument.
  mlir::Value number(uint32_t value);
  /// The number of limbs that a call works on: `limbs`, or 1 in a body.
  mlir::Value limbCount(size_t limbs) {
    return number(isInBody() ? 1 : static_cast<uint32_t>(limbs));
  }
  /// Pointer to a read-only copy of the elements; equal tables share one.
  template <typename T> mlir::Value table(llvm::ArrayRef<T> elements) {
    return pool(T()).pointer(*this, elements);
  }
  /// The same for a table with `perLimb` elements for each limb; in a body, the pointer to those of
  /// the body's limb.
  template <typename T> mlir::Value limbTable(llvm::ArrayRef<T> elements, size_t perLimb = 1) {
    return atLimb(table(elements), sizeof(T), perLimb);
  }
  /// In a body: pointer to numbers of slots, each the body's limb of a slot list or a scratch slot
  /// of its thread.
  struct Place {
    llvm::ArrayRef<uint32_t> slots; ///< one a limb; empty: a scratch slot
    uint32_t scratch = 0;
  };
  mlir::Value gather(llvm::ArrayRef<Place> places);
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
    std::map<void *, mlir::Value> bases; // of each function
  };

  TablePool<uint16_t> &pool(uint16_t) { return limbs; }
  TablePool<uint32_t> &pool(uint32_t) { return slots; }
  TablePool<uint64_t> &pool(uint64_t) { return scalars; }
  mlir::Value atLimb(mlir::Value table, size_t elementBytes, size_t perLimb);

  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::LLVM::LLVMPointerType pointerType;
  mlir::LLVM::LLVMStructType functionsType;
  mlir::LLVM::LLVMFuncOp program, current;
  mlir::OpBuilder::InsertPoint afterLastCall; // of the program, while a body is built
  unsigned bodies = 0;
  TablePool<uint16_t> limbs{"limbs"};
  TablePool<uint32_t> slots{"slots"};
  TablePool<uint64_t> scalars{"scalars"};
};

} // namespace sluice

#endif // SLUICE_PASSES_RUNTIMECALLS_H
