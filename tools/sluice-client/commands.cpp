//===- commands.cpp - sluice-client keygen, encrypt, decrypt ---------------------------------===//
#include "tools/sluice-client/commands.h"

#include "runtime/client/key_files.h"
#include "runtime/client/value_files.h"
#include "runtime/wire/manifest.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace sluice::tools {
namespace {

using Json = nlohmann::ordered_json;

Expected<client::Client> openProgram(const Arguments &arguments) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source,
                          wire::Source::openFile(arguments.program));
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, wire::readManifestBytes(std::move(source)));
  return client::Client::create(
      bytes, arguments.program, {.allowInsecure = arguments.allowInsecure},
      arguments.insecureSeed ? client::Entropy::insecureFromSeed(*arguments.insecureSeed)
                             : client::Entropy::fromSystem());
}

uint64_t fileBytes(const std::string &path) {
  std::error_code ignored; // only printed
  uint64_t size = std::filesystem::file_size(path, ignored);
  return ignored ? 0 : size;
}

void print(const Arguments &arguments, const Json &json, const std::string &text) {
  std::printf("%s\n", arguments.json ? json.dump(2).c_str() : text.c_str());
}

/// A bar on stderr, redrawn in place.
void drawProgress(size_t done, size_t total) {
  constexpr size_t width = 40;
  size_t filled = done * width / total;
  std::fprintf(stderr, "\revaluation keys [%s%s] %zu/%zu%s", std::string(filled, '#').c_str(),
               std::string(width - filled, ' ').c_str(), done, total, done == total ? "\n" : "");
  std::fflush(stderr);
}

} // namespace

Status runKeygen(const Arguments &arguments) {
  SLUICE_ASSIGN_OR_RETURN(client::Client client, openProgram(arguments));
  auto started = std::chrono::steady_clock::now();
  bool showsProgress = !arguments.json && isatty(STDERR_FILENO);
  SLUICE_ASSIGN_OR_RETURN(
      client::KeyFiles files,
      client::writeKeyFiles(client, arguments.output,
                            arguments.force ? wire::Existing::replace : wire::Existing::keep,
                            showsProgress ? client::Progress(drawProgress) : client::Progress()));
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  size_t keys = client.manifest().evaluationKeys.size();
  uint64_t bytes = fileBytes(files.evaluation);
  Json json = {{"key", files.keyId},
               {"secret_key", files.secret},
               {"public_key", files.publicHalf},
               {"evaluation_keys", files.evaluation},
               {"evaluation_key_count", keys},
               {"evaluation_key_bytes", bytes},
               {"public_key_bytes", fileBytes(files.publicHalf)},
               {"seconds", seconds}};
  char text[256];
  std::snprintf(text, sizeof text, "key %s: %zu evaluation keys, %.1f MB, in %.2f s",
                files.keyId.c_str(), keys, static_cast<double>(bytes) / 1e6, seconds);
  print(arguments, json,
        std::string(text) + "\nkeep " + files.secret + "; give " + files.evaluation +
            " to the server");
  return Status();
}

Status runEncrypt(const Arguments &arguments) {
  SLUICE_ASSIGN_OR_RETURN(client::Client client, openProgram(arguments));
  SLUICE_ASSIGN_OR_RETURN(uint32_t index, client.inputIndex(arguments.input));
  const ManifestTensor &tensor = client.manifest().inputs[index];
  SLUICE_ASSIGN_OR_RETURN(client::Tensor values, client::readValues(arguments.positional, tensor));
  SLUICE_RETURN_IF_ERROR(client::readKeyFile(client, arguments.key, client::KeyUse::encrypt));
  Expected<wire::Ciphertext> ciphertext = client.encrypt(index, values);
  if (!ciphertext)
    return ciphertext.status().withContext(arguments.positional);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink,
                          wire::Sink::createFile(arguments.output));
  SLUICE_RETURN_IF_ERROR(wire::writeCiphertext(*ciphertext, client.manifest(), std::move(sink)));
  uint64_t bytes = fileBytes(arguments.output);
  Json json = {{"ciphertext", arguments.output},
               {"input", tensor.name},
               {"items", ciphertext->items},
               {"key", ciphertext->keyId},
               {"bytes", bytes}};
  print(arguments, json,
        arguments.output + ": input '" + tensor.name + "', " + std::to_string(ciphertext->items) +
            (ciphertext->items == 1 ? " item, " : " items, ") + std::to_string(bytes) + " bytes");
  return Status();
}

Status runDecrypt(const Arguments &arguments) {
  SLUICE_RETURN_IF_ERROR(client::checkExtension(arguments.output));
  SLUICE_ASSIGN_OR_RETURN(client::Client client, openProgram(arguments));
  SLUICE_RETURN_IF_ERROR(client::readKeyFile(client, arguments.key, client::KeyUse::decrypt));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source,
                          wire::Source::openFile(arguments.positional));
  SLUICE_ASSIGN_OR_RETURN(wire::Ciphertext ciphertext,
                          wire::readCiphertext(std::move(source), client.manifest()));
  Expected<client::Tensor> values =
      arguments.share ? client.decryptToShare(ciphertext, arguments.leastDeviation)
                      : client.decrypt(ciphertext);
  if (!values)
    return values.status().withContext(arguments.positional);
  SLUICE_RETURN_IF_ERROR(client::writeValues(arguments.output, *values));
  const std::string &name = ciphertext.tensor(client.manifest()).name;
  Json json = {{"values", arguments.output},
               {"name", name},
               {"shape", values->shape},
               {"items", ciphertext.items}};
  std::string text =
      arguments.output + ": '" + name + "', shape " + client::shapeText(values->shape);
  if (arguments.share) {
    json["shared_count"] = client.sharedCount();
    text +=
        "\n" + std::to_string(client.sharedCount()) + " decryptions shared so far under this key";
  }
  print(arguments, json, text);
  return Status();
}

} // namespace sluice::tools
