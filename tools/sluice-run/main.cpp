//===- main.cpp - sluice-run: runs a compiled program on ciphertexts ------------------------===//
#include "tools/sluice-run/run.h"

#include <cstdio>

using namespace sluice;

int main(int argc, char **argv) {
  Expected<run::Options> options =
      run::parseOptions({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
  if (!options) {
    std::fprintf(stderr, "sluice-run: %s\n%s", options.message().c_str(), run::usageText);
    return 2;
  }
  if (options->help) {
    std::fputs(run::usageText, stdout);
    return 0;
  }
  if (options->version) {
    std::puts("sluice-run " SLUICE_VERSION);
    return 0;
  }
  Status status = run::runProgram(*options);
  if (status.isOk())
    return 0;
  std::fprintf(stderr, "sluice-run: error: %s\n", status.message().c_str());
  return 1;
}
