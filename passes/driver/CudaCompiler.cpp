//===- CudaCompiler.cpp - from CUDA C++ to device code ----------------------------------------===//

#include "passes/driver/CudaCompiler.h"

#include "passes/driver/TemporaryFolder.h"
#include "runtime/wire/launches.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <utility>

using namespace mlir;

namespace sluice {

namespace {

/// Path from the root of the source, and text.
constexpr std::pair<const char *, const char *> kernelHeaders[] = {
#include "cuda_headers.inc"
};

constexpr StringRef nvccFolders[] = {SLUICE_NVCC_WHEEL_DIR, "/usr/local/cuda/bin"};

/// nvcc compiles its host half, of which nothing is kept, with whichever is there.
std::string findHostCompiler() {
  for (StringRef name : {"g++", "clang++", "clang++-22"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return {};
}

/// Code for data-centre devices, and PTX that the driver compiles for others: the newest that is
/// not newer than the device, so that each kind gets the arithmetic that it is fast with
/// (runtime/cuda/kernels/field.cuh).
constexpr StringRef defaultArchitectures = "sm_80,sm_90,compute_86,compute_90,compute_120";

/// nvcc's option for `name`, sm_XX (code) or compute_XX (PTX); empty if it is neither.
std::string codeOption(StringRef name) {
  StringRef number = name;
  bool isKnown = number.consume_front("sm_") || number.consume_front("compute_");
  if (!isKnown || number.empty() || !llvm::all_of(number, llvm::isDigit))
    return {};
  return ("-gencode=arch=compute_" + number + ",code=" + name).str();
}

/// The options for all architectures that SLUICE_CUDA_ARCHITECTURES lists, or the usual ones.
FailureOr<std::vector<std::string>> codeOptions(ModuleOp module) {
  std::string chosen =
      llvm::sys::Process::GetEnv("SLUICE_CUDA_ARCHITECTURES").value_or(defaultArchitectures.str());
  std::vector<std::string> options;
  for (StringRef name : llvm::split(chosen, ',')) {
    options.push_back(codeOption(name));
    if (options.back().empty())
      return module.emitError("SLUICE_CUDA_ARCHITECTURES is '")
             << chosen << "', but must list architectures such as " << defaultArchitectures;
  }
  return options;
}

} // namespace

std::string findNvcc() {
  if (auto chosen = llvm::sys::Process::GetEnv("SLUICE_NVCC"))
    return *chosen;
  if (auto path = llvm::sys::findProgramByName("nvcc"))
    return *path;
  for (StringRef folder : nvccFolders)
    if (!folder.empty())
      if (auto path = llvm::sys::findProgramByName("nvcc", folder))
        return *path;
  return {};
}

FailureOr<std::string> compileDeviceCode(ModuleOp module, StringRef source, StringRef nvcc) {
  if (nvcc.empty())
    return module.emitError("target cuda needs nvcc: none at SLUICE_NVCC, on PATH, ")
           << (nvccFolders[0].empty() ? "" : "in " + nvccFolders[0].str() + " ")
           << "or in /usr/local/cuda/bin; install CUDA 13, or the packages of "
              "requirements-cuda.txt";
  std::string hostCompiler = findHostCompiler();
  if (hostCompiler.empty())
    return module.emitError("nvcc needs a host compiler: neither g++ nor clang++ is on PATH");

  FailureOr<TemporaryFolder> folder = TemporaryFolder::create(module);
  if (failed(folder))
    return failure();
  for (auto [path, text] : kernelHeaders)
    if (failed(folder->write(module, path, text)))
      return failure();
  if (failed(folder->write(module, "program.cu", source)))
    return failure();
  std::string input = folder->path("program.cu"), output = folder->path("program.fatbin"),
              include = "-I" + folder->path("");
  FailureOr<std::vector<std::string>> architectures = codeOptions(module);
  if (failed(architectures))
    return failure();
  SmallVector<StringRef> arguments = {nvcc, "-fatbin", "-std=c++17", "-O3",
                                      "--threads=0"}; // architectures side by side
  llvm::append_range(arguments, *architectures);
  llvm::append_values(arguments, StringRef("-ccbin"), StringRef(hostCompiler), StringRef(include),
                      StringRef("-o"), StringRef(output), StringRef(input));
  if (failed(folder->run(module, arguments, "compiling device code with " + nvcc.str())))
    return failure();
  return folder->read("program.fatbin");
}

LogicalResult addDeviceCode(ModuleOp module, const CudaProgram &program,
                            ArtifactContents &contents) {
  FailureOr<std::string> code = compileDeviceCode(module, program.source, findNvcc());
  if (failed(code))
    return failure();
  contents.launches = wire::writeLaunches(program.launches, program.logN);
  contents.deviceCode = std::move(*code);
  return success();
}

} // namespace sluice
