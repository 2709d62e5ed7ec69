//===- main.cpp - sluice-client --------------------------------------------------------------===//
//
// Exit status: 0 done, 1 an error (told on stderr), 2 wrong usage.
//
//===-----------------------------------------------------------------------------------------===//
#include "tools/sluice-client/commands.h"

#include <cstdio>

using namespace sluice;

static Status run(const tools::Arguments &arguments) {
  switch (arguments.command) {
  case tools::Command::inspect:
    return tools::runInspect(arguments);
  case tools::Command::keygen:
    return tools::runKeygen(arguments);
  case tools::Command::encrypt:
    return tools::runEncrypt(arguments);
  case tools::Command::decrypt:
    return tools::runDecrypt(arguments);
  case tools::Command::help:
    std::fputs(tools::usageText, stdout);
    return Status();
  case tools::Command::version:
    std::puts("sluice-client " SLUICE_VERSION);
    return Status();
  }
  return Status();
}

int main(int argc, char **argv) {
  Expected<tools::Arguments> arguments = tools::parseArguments(
      {const_cast<const char *const *>(argv) + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
  if (!arguments) {
    std::fprintf(stderr, "sluice-client: %s\n%s", arguments.message().c_str(), tools::usageText);
    return 2;
  }
  Status status = run(*arguments);
  if (status.isOk())
    return 0;
  std::fprintf(stderr, "sluice-client: error: %s\n", status.message().c_str());
  return 1;
}
