//===- sluice-compile.cpp - from an .mlir file to a .sluice file ------------------------------===//
//
// Exit status: 0 compiled, 1 refused (diagnostics on stderr), 2 wrong usage.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/driver/Compile.h"
#include "runtime/abi/flooding.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using sluice::CompileOptions;
using sluice::CompileResult;
using sluice::Phase;

namespace {

constexpr int exitRefused = 1, exitUsage = 2;

// NOLINTBEGIN(bugprone-throwing-static-initialization): LLVM's options are static; they throw only
// when memory is out, which ends the program at any time.
cl::OptionCategory category("Options of sluice-compile");

cl::opt<std::string> inputFile(cl::Positional, cl::desc("<file.mlir, or - for stdin>"),
                               cl::Required, cl::cat(category));
cl::opt<std::string>
    outputFile("o",
               cl::desc("Output file; default: the input's name with .sluice, or stdout "
                        "when --to names a textual phase"),
               cl::value_desc("file"), cl::cat(category));
cl::opt<std::string> fromPhase("from", cl::desc("Phase of the input (default traced)"),
                               cl::value_desc("phase"), cl::init("traced"), cl::cat(category));
cl::opt<std::string>
    toPhase("to",
            cl::desc("Phase to stop at (default artifact): traced, packed, planned, "
                     "settled, rns, fused, llvm, artifact"),
            cl::value_desc("phase"), cl::init("artifact"), cl::cat(category));
cl::opt<std::string> programName("name",
                                 cl::desc("Name of the program (default: the public function's)"),
                                 cl::cat(category));
cl::opt<double> precision("precision", cl::desc("Bits of precision wanted (default 16)"),
                          cl::init(16), cl::cat(category));
cl::opt<int64_t> batch("batch", cl::desc("Batch items that one ciphertext must hold"), cl::init(0),
                       cl::cat(category));
cl::opt<int64_t> logN("log-n",
                      cl::desc("log2 of the ring dimension (default: the smallest that is secure)"),
                      cl::init(0), cl::cat(category));
cl::opt<double> comparisonGap(
    "comparison-gap",
    cl::desc("Part of the largest |a - b| below which comparisons need not be decided (default: "
             "2^(-precision / 2))"),
    cl::init(0), cl::cat(category));
cl::opt<uint64_t> decryptions(
    "decryptions",
    cl::desc("Decryptions that may be shared under one secret key, by noise flooding (default 0)"),
    cl::init(0), cl::cat(category));
cl::opt<double> statisticalBits("statistical-bits",
                                cl::desc("Statistical bits that flooding promises (default 30)"),
                                cl::init(sluice::defaultStatisticalBits), cl::cat(category));
cl::opt<bool> insecure("insecure",
                       cl::desc("Accept parameters below 128 bits of security (for tests)"),
                       cl::cat(category));
cl::opt<std::string> target("target",
                            cl::desc("What the program is to run on: cpu (default), or cuda, "
                                     "which is the CPU and CUDA devices"),
                            cl::value_desc("target"), cl::init("cpu"), cl::cat(category));
cl::opt<std::string> costsFile(
    "costs",
    cl::desc("Cost file of sluice-calibrate to choose and forecast by (default: a generic "
             "CPU)"),
    cl::value_desc("file.json"), cl::cat(category));
cl::opt<std::string> manifestFile("emit-manifest", cl::desc("Write the manifest to this file too"),
                                  cl::value_desc("file.json"), cl::cat(category));
cl::opt<std::string>
    cudaFile("emit-cuda", cl::desc("Write the CUDA C++ source of the device code to this file too"),
             cl::value_desc("file.cu"), cl::cat(category));
cl::opt<std::string>
    launchesFile("emit-launches",
                 cl::desc("Write the launches of the device code to this file too, as text"),
                 cl::value_desc("file.txt"), cl::cat(category));
cl::opt<bool>
    verbose("v",
            cl::desc("Print the report, with the parameters that were looked at, and the remarks "
                     "of the passes on stderr"),
            cl::cat(category));
cl::opt<bool> json("json", cl::desc("Print the report as JSON on stdout"), cl::cat(category));
// NOLINTEND(bugprone-throwing-static-initialization)

int refuse(const Twine &message) {
  errs() << "sluice-compile: error: " << message << "\n";
  return exitRefused;
}

int refuseUsage(const Twine &message) {
  errs() << "sluice-compile: " << message << "; see sluice-compile --help\n";
  return exitUsage;
}

/// Writes `text` to `path` ("-" is stdout), all of it or nothing.
bool writeFile(StringRef path, StringRef text) {
  std::error_code code;
  ToolOutputFile file(path, code, sys::fs::OF_None);
  if (!code) {
    file.os() << text;
    file.os().flush();
    code = file.os().error();
  }
  if (code) {
    file.os().clear_error();
    refuse("cannot write " + path + ": " + code.message());
    return false;
  }
  file.keep();
  return true;
}

std::string defaultOutput(bool isArtifact) {
  if (!isArtifact || inputFile == "-")
    return "-";
  SmallString<128> path(inputFile);
  sys::path::replace_extension(path, "sluice");
  return path.str().str();
}

void printDiagnostics(const CompileResult &result) {
  for (const sluice::Diagnostic &diagnostic : result.diagnostics)
    if (verbose || diagnostic.severity != sluice::Diagnostic::Severity::Remark)
      errs() << sluice::formatDiagnostic(diagnostic);
}

int compile(const CompileOptions &options) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(inputFile, /*IsText=*/true);
  if (!buffer)
    return refuse("cannot read " + inputFile + ": " + buffer.getError().message());

  CompileResult result = sluice::compileModule((*buffer)->getBuffer(), inputFile, options);
  printDiagnostics(result);
  if (!result.succeeded) {
    if (verbose && !result.report.candidates.empty())
      errs() << sluice::formatCandidates(result.report.candidates);
    return exitRefused;
  }

  bool isArtifact = options.to == Phase::Artifact;
  std::string output = outputFile.empty() ? defaultOutput(isArtifact) : outputFile.getValue();
  if (!writeFile(output, isArtifact ? result.artifact : result.stages.back().second))
    return exitRefused;
  if (!manifestFile.empty() && !writeFile(manifestFile, result.manifest))
    return exitRefused;
  if (result.deviceProgram && !cudaFile.empty() &&
      !writeFile(cudaFile, result.deviceProgram->source))
    return exitRefused;
  if (result.deviceProgram && !launchesFile.empty() &&
      !writeFile(launchesFile, sluice::formatLaunches(result.deviceProgram->launches)))
    return exitRefused;
  if (verbose)
    errs() << sluice::formatReport(result.report);
  if (json)
    outs() << sluice::formatReportJson(result.report) << "\n";
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, "Sluice: compile a program for encrypted inputs\n",
                                   &errs()))
    return exitUsage;

  std::optional<Phase> from = sluice::parsePhase(fromPhase), to = sluice::parsePhase(toPhase);
  if (!from)
    return refuseUsage("no phase is called '" + fromPhase + "'");
  if (!to)
    return refuseUsage("no phase is called '" + toPhase + "'");
  if (!manifestFile.empty() && *to != Phase::Artifact)
    return refuseUsage("--emit-manifest needs --to=artifact: earlier phases have no manifest");

  std::optional<sluice::Target> wanted = sluice::parseTarget(target);
  if (!wanted)
    return refuseUsage("no target is called '" + target + "'; the targets are cpu and cuda");
  if ((!cudaFile.empty() || !launchesFile.empty()) &&
      (*wanted != sluice::Target::Cuda || *to < Phase::Llvm))
    return refuseUsage("--emit-cuda and --emit-launches need --target=cuda and --to=llvm or "
                       "--to=artifact");

  CompileOptions options;
  options.name = programName;
  options.from = *from;
  options.to = *to;
  options.costsFile = costsFile;
  options.sharing = {decryptions, statisticalBits};
  options.pipeline.precisionBits = precision;
  options.pipeline.batch = batch;
  options.pipeline.logN = logN;
  options.pipeline.comparisonGap = comparisonGap;
  options.pipeline.insecure = insecure;
  options.pipeline.target = *wanted;
  return compile(options);
}
