//===- options.cpp - the command line of sluice-run -----------------------------------------===//
#include "tools/sluice-run/options.h"

#include <cstdlib>
#include <string_view>

namespace sluice::run {

const char *const usageText =
    R"(usage: sluice-run PROGRAM.sluice [--keys EVAL.KEYS] INPUT.ct... -o OUTPUT.ct... [options]

Runs a compiled program on ciphertexts, one for each of its inputs, in any order. Needs no secret.

  --keys FILE    the client's evaluation keys
  -o FILE        where an output goes; once for each output, in the program's order
  --device NAME  cpu (as without), or cuda: the program must have been compiled with --target=cuda
  --json         print what it cost as JSON, and a hash of each output's residues
  --runs N       run N times (the last one is reported; runs_ms has all); also --repeat
  --profile FILE with --device cuda: run kernels one after the other, time each, and write a table
                 of them as JSON
  --check        check every call of the program's code; for work on compilers
  --help, --version

SLUICE_THREADS sets the number of threads, SLUICE_CPU the kernels (scalar, avx2, avx512ifma),
SLUICE_CUDA_DEVICE the number of the GPU, SLUICE_CUDA_MEMORY the bytes of it that may be used.
Exit status: 0, 1 after an error, 2 after wrong usage.
)";

namespace {

Expected<unsigned> parseRuns(const std::string &option, const std::string &text) {
  char *end = nullptr;
  unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != 0 || value < 1 || value > 1000000)
    return Status::error(StatusCode::invalidArgument,
                         "%s needs a number from 1 to 1000000, not '%s'", option.c_str(),
                         text.c_str());
  return static_cast<unsigned>(value);
}

Status expectComplete(const Options &options) {
  if (options.program.empty())
    return Status::error(StatusCode::invalidArgument, "no program was given");
  if (options.inputs.empty())
    return Status::error(StatusCode::invalidArgument, "no input was given");
  if (options.outputs.empty())
    return Status::error(StatusCode::invalidArgument, "no output was given (-o FILE)");
  if (!options.profile.empty() && options.device == "cpu")
    return Status::error(StatusCode::invalidArgument,
                         "--profile times the kernels of a GPU: give --device cuda with it");
  return Status();
}

} // namespace

Expected<Options> parseOptions(std::span<const char *const> arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
      return options;
    }
    if (argument == "--version") {
      options.version = true;
      return options;
    }
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--check") {
      options.checkCalls = true;
    } else if (argument == "--keys" || argument == "-o" || argument == "--repeat" ||
               argument == "--runs" || argument == "--device" || argument == "--profile") {
      if (++i == arguments.size())
        return Status::error(StatusCode::invalidArgument, "%s needs a value", argument.c_str());
      std::string value = arguments[i];
      if (argument == "--keys")
        options.keys = value;
      else if (argument == "-o")
        options.outputs.push_back(value);
      else if (argument == "--device")
        options.device = value;
      else if (argument == "--profile")
        options.profile = value;
      else {
        SLUICE_ASSIGN_OR_RETURN(options.repeat, parseRuns(argument, value));
      }
    } else if (argument.size() > 1 && argument[0] == '-') {
      return Status::error(StatusCode::invalidArgument, "unknown option '%s'", argument.c_str());
    } else if (options.program.empty()) {
      options.program = argument;
    } else {
      options.inputs.push_back(argument);
    }
  }
  SLUICE_RETURN_IF_ERROR(expectComplete(options));
  return options;
}

} // namespace sluice::run
