//===- arguments.cpp - the command line ------------------------------------------------------===//
#include "tools/sluice-client/arguments.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sluice::tools {

const char usageText[] =
    R"(usage: sluice-client inspect PROGRAM [--json]
       sluice-client keygen  PROGRAM -o FOLDER [--force] [--json]
       sluice-client encrypt PROGRAM --key KEY VALUES -o FILE [--input NAME] [--json]
       sluice-client decrypt PROGRAM --key SECRET CIPHERTEXT -o FILE [--share] [--json]

The client's side of a program compiled by Sluice: makes keys, encrypts inputs, decrypts outputs.

  PROGRAM      a .sluice file, or its manifest alone (.json)
  KEY          public.key, or secret.key (smaller ciphertexts)
  VALUES       .npy (real numbers) or .csv (one item a line; column names if any first)

  -o PATH      keygen: folder for secret.key, public.key, eval.keys; encrypt: the ciphertext;
               decrypt: .npy or .csv
  --input NAME which input of the program, if it has several
  --force      keygen: replace a secret key that is there
  --share      decrypt: add noise and count, for values that others than you will see
  --least-deviation D  decrypt --share: of that noise, where it is to be more
  --allow-insecure  accept parameters that are marked insecure: for tests
  --insecure-seed N keygen, encrypt: everything follows from N and is no secret: for tests
  --json       print the result as JSON
  --help, --version
)";

namespace {

constexpr std::pair<std::string_view, Command> commands[] = {
    {"inspect", Command::inspect},  {"keygen", Command::keygen}, {"encrypt", Command::encrypt},
    {"decrypt", Command::decrypt},  {"--help", Command::help},   {"-h", Command::help},
    {"--version", Command::version}};

Status usageError(const std::string &what) {
  return Status::error(StatusCode::invalidArgument, "%s", what.c_str());
}

bool isEncryption(Command command) {
  return command == Command::encrypt || command == Command::decrypt;
}

bool drawsSecrets(Command command) {
  return command == Command::keygen || command == Command::encrypt;
}

/// The field of an option that takes a value in this command, or null.
std::string *valueOption(Arguments &arguments, std::string_view word) {
  if (word == "-o" && arguments.command != Command::inspect)
    return &arguments.output;
  if (word == "--key" && isEncryption(arguments.command))
    return &arguments.key;
  if (word == "--input" && arguments.command == Command::encrypt)
    return &arguments.input;
  if (word == "--insecure-seed" && drawsSecrets(arguments.command))
    return &arguments.insecureSeedText;
  if (word == "--least-deviation" && arguments.command == Command::decrypt)
    return &arguments.leastDeviationText;
  return nullptr;
}

bool *flag(Arguments &arguments, std::string_view word) {
  if (word == "--json")
    return &arguments.json;
  if (word == "--allow-insecure")
    return &arguments.allowInsecure;
  if (word == "--force" && arguments.command == Command::keygen)
    return &arguments.force;
  if (word == "--share" && arguments.command == Command::decrypt)
    return &arguments.share;
  return nullptr;
}

Status takePositional(Arguments &arguments, std::string_view word) {
  if (arguments.program.empty())
    arguments.program = word;
  else if (arguments.positional.empty() && isEncryption(arguments.command))
    arguments.positional = word;
  else
    return usageError("'" + std::string(word) + "' is one argument too many");
  return Status();
}

Status readSeed(Arguments &arguments) {
  const std::string &text = arguments.insecureSeedText;
  if (text.empty())
    return Status();
  uint64_t seed = 0;
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, seed);
  if (failure != std::errc() || rest != end)
    return usageError("--insecure-seed needs a number from 0 to 2^64 - 1, not '" + text + "'");
  arguments.insecureSeed = seed;
  return Status();
}

Status checkNumbers(Arguments &arguments) {
  SLUICE_RETURN_IF_ERROR(readSeed(arguments));
  const std::string &text = arguments.leastDeviationText;
  if (text.empty())
    return Status();
  if (!arguments.share)
    return usageError("--least-deviation is for --share");
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, arguments.leastDeviation);
  if (failure != std::errc() || rest != end || !(arguments.leastDeviation >= 0))
    return usageError("--least-deviation needs a number that is not negative, not '" + text + "'");
  return Status();
}

Status checkComplete(const Arguments &arguments) {
  if (arguments.program.empty())
    return usageError("the program is missing");
  if (arguments.command != Command::inspect && arguments.output.empty())
    return usageError("-o is missing");
  if (!isEncryption(arguments.command))
    return Status();
  if (arguments.key.empty())
    return usageError("--key is missing");
  if (arguments.positional.empty())
    return usageError(arguments.command == Command::encrypt ? "the values are missing"
                                                            : "the ciphertext is missing");
  return Status();
}

} // namespace

Expected<Arguments> parseArguments(std::span<const char *const> words) {
  if (words.empty())
    return usageError("a command is missing");
  const auto *command =
      std::ranges::find_if(commands, [&](const auto &entry) { return entry.first == words[0]; });
  if (command == std::end(commands))
    return usageError("there is no command '" + std::string(words[0]) + "'");
  Arguments arguments;
  arguments.command = command->second;
  if (arguments.command == Command::help || arguments.command == Command::version)
    return arguments;
  for (size_t index = 1; index < words.size(); ++index) {
    std::string_view word = words[index];
    if (word == "--help" || word == "-h") {
      arguments.command = Command::help;
      return arguments;
    }
    if (std::string *value = valueOption(arguments, word)) {
      if (!value->empty() || index + 1 == words.size() || !*words[index + 1])
        return usageError(std::string(word) + " needs one value");
      *value = words[++index];
    } else if (bool *isSet = flag(arguments, word)) {
      *isSet = true;
    } else if (word.empty() || word.starts_with("-")) {
      return usageError("there is no option '" + std::string(word) + "' here");
    } else {
      SLUICE_RETURN_IF_ERROR(takePositional(arguments, word));
    }
  }
  SLUICE_RETURN_IF_ERROR(checkComplete(arguments));
  SLUICE_RETURN_IF_ERROR(checkNumbers(arguments));
  return arguments;
}

} // namespace sluice::tools
