//===- Codegen.cpp - from the llvm phase to native code ---------------------------------------===//

#include "passes/driver/Codegen.h"

#include "passes/driver/TemporaryFolder.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
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

  FailureOr<TemporaryFolder> folder = TemporaryFolder::create(module);
  if (failed(folder) || failed(folder->write(module, "program.o", object)))
    return failure();
  std::string input = folder->path("program.o"), output = folder->path("program.so");
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
  if (failed(folder->run(module, arguments, "linking the code")))
    return failure();
  return folder->read("program.so");
}

} // namespace sluice
