//===- CudaCompiler.cpp - from CUDA C++ to device code ----------------------------------------===//

#include "passes/driver/CudaCompiler.h"

#include "passes/driver/TemporaryFolder.h"
#include "runtime/wire/launches.h"

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
  StringRef arguments[] = {nvcc,
                           "-fatbin",
                           "-std=c++17",
                           "-O3",
                           "--threads=2", // one for each architecture
                           "-gencode=arch=compute_90,code=sm_90",
                           "-gencode=arch=compute_80,code=compute_80",
                           "-ccbin",
                           hostCompiler,
                           include,
                           "-o",
                           output,
                           input};
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
