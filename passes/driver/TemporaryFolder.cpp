//===- TemporaryFolder.cpp - where other compilers and linkers work ---------------------------===//

#include "passes/driver/TemporaryFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice {

FailureOr<TemporaryFolder> TemporaryFolder::create(ModuleOp module) {
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("sluice", folder))
    return module.emitError("cannot create a temporary folder: ") << code.message();
  return TemporaryFolder(folder.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (!folder.empty())
    (void)llvm::sys::fs::remove_directories(folder);
}

std::string TemporaryFolder::path(StringRef name) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

LogicalResult TemporaryFolder::write(ModuleOp module, StringRef name, StringRef text) const {
  std::string file = path(name);
  std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
  if (!code) {
    llvm::raw_fd_ostream stream(file, code);
    stream << text;
    stream.close();
    if (!code && !stream.has_error())
      return success();
    stream.clear_error();
  }
  return module.emitError("cannot write ") << file << ": is the temporary folder full?";
}

std::string TemporaryFolder::read(StringRef name) const {
  auto buffer = llvm::MemoryBuffer::getFile(path(name), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

LogicalResult TemporaryFolder::run(ModuleOp module, ArrayRef<StringRef> arguments,
                                   const llvm::Twine &what) const {
  std::string messages = path("messages"), error;
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(messages), StringRef(messages)};
  int status = llvm::sys::ExecuteAndWait(arguments.front(), arguments, /*Env=*/std::nullopt,
                                         redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (status == 0)
    return success();
  return module.emitError(what) << " failed: " << (error.empty() ? read("messages") : error);
}

} // namespace sluice
