//===- arguments.h - the command line --------------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_CLIENT_ARGUMENTS_H
#define SLUICE_TOOLS_SLUICE_CLIENT_ARGUMENTS_H

#include "runtime/base/status.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::tools {

enum class Command { inspect, keygen, encrypt, decrypt, help, version };

struct Arguments {
  Command command = Command::help;
  std::string program;    // a .sluice file or a manifest
  std::string positional; // encrypt: values; decrypt: ciphertext
  std::string key;
  std::string output;
  std::string input; // name; empty: the only input
  std::string leastDeviationText;
  std::string insecureSeedText;
  bool json = false;
  bool force = false;
  bool allowInsecure = false;
  bool share = false;
  double leastDeviation = 0; // of what --share adds
  std::optional<uint64_t> insecureSeed;
};

extern const char usageText[];

/// Parses the words after the program's name. invalidArgument: the message says what is wrong.
Expected<Arguments> parseArguments(std::span<const char *const> words);

} // namespace sluice::tools

#endif // SLUICE_TOOLS_SLUICE_CLIENT_ARGUMENTS_H
