//===- Codegen.cpp - from the llvm phase to native code ---------------------------------------===//

#include "passes/driver/Codegen.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;

namespace sluice {

namespace {

constexpr const char *targetTriple = "x86_64-unknown-linux-gnu";

/// The contract of the artifact (docs/formats.md): every x86-64 machine with AVX2 kernels or
/// without runs it.
constexpr const char *targetCpu = "x86-64-v2";

/// Only the X86 target: initialising all of them would cost more time than compiling a program.
void initializeX86Once() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

std::unique_ptr<llvm::TargetMachine> createTargetMachine(std::string &error) {
  initializeX86Once();
  llvm::Triple triple(targetTriple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  // Generated code is one straight list of calls: there is nothing to optimise, and the optimising
  // code generator needs time quadratic in its length (34 s for 20,000 calls; this one takes 2 s).
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, targetCpu, /*Features=*/"", options, llvm::Reloc::PIC_,
                                  /*CodeModel=*/std::nullopt, llvm::CodeGenOptLevel::None));
}

/// Library functions are out of reach: the code is opened without any library to resolve them.
void makeFreestanding(llvm::Module &llvmModule) {
  for (llvm::Function &function : llvmModule) {
    function.addFnAttr("no-builtins");
    function.addFnAttr("target-cpu", targetCpu);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::None);
  }
}

/// Contents of the file at `path`; empty when it cannot be read.
std::string readAll(llvm::StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

} // namespace

void registerCodegenTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

FailureOr<std::string> translateToObject(ModuleOp module) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context, "sluice");
  if (!llvmModule)
    return module.emitError("cannot translate the module to LLVM IR");

  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(error);
  if (!machine)
    return module.emitError("this LLVM cannot generate x86-64 code: ") << error;
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  llvmModule->setPICLevel(llvm::PICLevel::BigPIC);
  makeFreestanding(*llvmModule);

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  llvm::TargetLibraryInfoImpl library(machine->getTargetTriple());
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return module.emitError("this LLVM cannot emit x86-64 ELF objects");
  passes.run(*llvmModule);
  return std::string(object.begin(), object.end());
}

std::string findLinker() {
  static constexpr StringRef besideLLVM[] = {SLUICE_LLVM_TOOLS_DIR};
  for (StringRef name : {"ld.lld", "ld.lld-22"}) {
    if (auto path = llvm::sys::findProgramByName(name, besideLLVM))
      return *path;
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  }
  return {};
}

FailureOr<std::string> linkSharedObject(ModuleOp module, StringRef object, StringRef linker) {
  if (linker.empty())
    return module.emitError("no ld.lld found in " SLUICE_LLVM_TOOLS_DIR
                            " or on PATH; install the package lld-22");

  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("sluice", folder))
    return module.emitError("cannot create a temporary folder: ") << code.message();
  llvm::scope_exit removeFolder([&] { (void)llvm::sys::fs::remove_directories(folder); });
  auto inFolder = [&](StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path;
  };
  llvm::SmallString<128> input = inFolder("program.o"), output = inFolder("program.so"),
                         messages = inFolder("messages");
  {
    std::error_code code;
    llvm::raw_fd_ostream stream(input, code);
    stream << object;
    stream.close();
    if (code || stream.has_error()) {
      stream.clear_error();
      return module.emitError("cannot write ") << input << ": is the temporary folder full?";
    }
  }

  // One thread: an object of some hundred kilobytes links faster than a thread pool starts.
  StringRef arguments[] = {linker,
                           "-shared",
                           "--no-undefined",
                           "--threads=1",
                           "-z",
                           "noexecstack",
                           "--build-id=none",
                           "--strip-all",
                           "--hash-style=both",
                           "-o",
                           output,
                           input};
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(messages), StringRef(messages)};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(linker, arguments, /*Env=*/std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (status != 0)
    return module.emitError("linking the code failed: ")
           << (error.empty() ? readAll(messages) : error);
  return readAll(output);
}

} // namespace sluice
