//===- TemporaryFolder.h - where other compilers and linkers work -----------------------------===//
#ifndef SLUICE_PASSES_DRIVER_TEMPORARYFOLDER_H
#define SLUICE_PASSES_DRIVER_TEMPORARYFOLDER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/LogicalResult.h"

#include <string>
#include <utility>

namespace sluice {

/// A folder of its own, removed with all that is in it when it goes. Errors are reported on the
/// module that is compiled.
class TemporaryFolder {
public:
  static mlir::FailureOr<TemporaryFolder> create(mlir::ModuleOp module);
  TemporaryFolder(TemporaryFolder &&other) noexcept : folder(std::exchange(other.folder, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  /// The absolute path of a file in it.
  std::string path(llvm::StringRef name) const;
  /// Writes a file, with the folders that `name` goes through.
  mlir::LogicalResult write(mlir::ModuleOp module, llvm::StringRef name,
                            llvm::StringRef text) const;
  /// Contents of a file; empty when it cannot be read.
  std::string read(llvm::StringRef name) const;
  /// Runs a program, whose path is the first argument. Where it fails, the error is "`what`
  /// failed:" and what the program said.
  mlir::LogicalResult run(mlir::ModuleOp module, llvm::ArrayRef<llvm::StringRef> arguments,
                          const llvm::Twine &what) const;

private:
  explicit TemporaryFolder(std::string folder) : folder(std::move(folder)) {}

  std::string folder;
};

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_TEMPORARYFOLDER_H
