//===- main.cpp - sluice-calibrate: writes what kernels cost on this machine ------------------===//
#include "runtime/base/threads.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/wire/cost_file.h"
#include "runtime/wire/stream.h"

#include <cstdio>
#include <string>

using namespace sluice;

namespace {

constexpr const char *usageText = R"(usage: sluice-calibrate -o COSTS.json

Times the kernels on one thread and on all, and writes the cost file that compilers forecast with.
Takes about 15 s; other work on the machine makes its figures worse.

  -o FILE            where the file goes
  --help, --version

SLUICE_THREADS sets the number of threads, SLUICE_CPU the kernels (scalar, avx2, avx512ifma).
Exit status: 0, 1 after an error, 2 after wrong usage.
)";

Status writeText(const std::string &path, const std::string &text) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink, wire::Sink::createFile(path));
  SLUICE_RETURN_IF_ERROR(
      sink->write({reinterpret_cast<const uint8_t *>(text.data()), text.size()}));
  return sink->commit();
}

Status calibrateTo(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(unsigned threads, threadCountFromEnvironment());
  SLUICE_ASSIGN_OR_RETURN(Costs costs, calibrate::measureCosts(threads));
  return writeText(path, wire::writeCosts(costs));
}

} // namespace

int main(int argc, char **argv) {
  std::string first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h") {
    std::fputs(usageText, stdout);
    return 0;
  }
  if (first == "--version") {
    std::puts("sluice-calibrate " SLUICE_VERSION);
    return 0;
  }
  if (argc != 3 || first != "-o") {
    std::fprintf(stderr, "sluice-calibrate: give -o and the name of the file to write\n%s",
                 usageText);
    return 2;
  }
  Status status = calibrateTo(argv[2]);
  if (status.isOk())
    return 0;
  std::fprintf(stderr, "sluice-calibrate: error: %s\n", status.message().c_str());
  return 1;
}
