//===- options.h - the command line of sluice-run -------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_RUN_OPTIONS_H
#define SLUICE_TOOLS_SLUICE_RUN_OPTIONS_H

#include "runtime/base/status.h"

#include <span>
#include <string>
#include <vector>

namespace sluice::run {

struct Options {
  std::string program;
  std::string keys; // empty: none given
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  unsigned repeat = 1; // --runs
  bool json = false;
  bool checkCalls = false;
  std::string device = "cpu";
  std::string profile; // where times of kernels go; empty: nowhere
  bool help = false;
  bool version = false;
};

/// The text of --help.
extern const char *const usageText;

/// Reads the arguments after the tool's name (invalidArgument: not as usageText says).
Expected<Options> parseOptions(std::span<const char *const> arguments);

} // namespace sluice::run

#endif // SLUICE_TOOLS_SLUICE_RUN_OPTIONS_H
