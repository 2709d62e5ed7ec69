//===- key_files.cpp - a client's keys in files ----------------------------------------------===//
#include "runtime/client/key_files.h"

#include "runtime/client/secret_key_io.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

namespace sluice::client {
namespace {

/// A file that is written but not committed by who writes it.
class HeldBack : public wire::Sink {
public:
  explicit HeldBack(wire::Sink &file) : file(file) {}
  Status write(std::span<const uint8_t> bytes) override { return file.write(bytes); }
  Status commit() override { return Status(); }

private:
  wire::Sink &file;
};

/// The folder, with its parents; a new one is private from the start.
Status makePrivateFolder(std::filesystem::path folder) {
  std::string name = folder.string();
  if (!folder.has_filename()) // "keys/"
    folder = folder.parent_path();
  std::error_code failure;
  if (folder.has_parent_path())
    std::filesystem::create_directories(folder.parent_path(), failure);
  if (!failure && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    failure = std::error_code(errno, std::generic_category());
  if (!failure && !std::filesystem::is_directory(folder, failure) && !failure)
    failure = std::make_error_code(std::errc::not_a_directory);
  if (failure)
    return Status::error(StatusCode::io, "%s: cannot create this folder: %s", name.c_str(),
                         failure.message().c_str());
  return Status();
}

} // namespace

Expected<KeyFiles> writeKeyFiles(Client &client, const std::string &folder, wire::Existing existing,
                                 const Progress &progress) {
  SLUICE_RETURN_IF_ERROR(makePrivateFolder(folder));
  std::filesystem::path path(folder);
  KeyFiles files{path / "secret.key", path / "public.key", path / "eval.keys", {}};
  // First, because making keys takes long and a refusal should not.
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> secret,
                          createSecretKeyFile(files.secret, existing));
  if (!client.hasKey())
    client.makeSecretKey();
  SLUICE_ASSIGN_OR_RETURN(wire::PublicKey publicKey, client.makePublicKey());
  files.keyId = publicKey.keyId;
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> publicHalf,
                          wire::Sink::createFile(files.publicHalf));
  SLUICE_RETURN_IF_ERROR(
      wire::writePublicKey(publicKey, client.manifest(), std::make_unique<HeldBack>(*publicHalf)));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> evaluation,
                          wire::Sink::createFile(files.evaluation));
  SLUICE_RETURN_IF_ERROR(
      client.makeEvaluationKeys(std::make_unique<HeldBack>(*evaluation), progress));
  SLUICE_RETURN_IF_ERROR(client.writeSecretKey(std::make_unique<HeldBack>(*secret)));
  // The secret key before the others: if it cannot appear, keys that belong to no secret must not
  // replace those that do.
  SLUICE_RETURN_IF_ERROR(secret->commit());
  // A key whose count could not be written shares nothing.
  SLUICE_RETURN_IF_ERROR(client.moveShareCount(files.secret));
  for (wire::Sink *file : {publicHalf.get(), evaluation.get()})
    SLUICE_RETURN_IF_ERROR(file->commit());
  return files;
}

Status readKeyFile(Client &client, const std::string &path, KeyUse use) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source, wire::Source::openFile(path));
  SLUICE_ASSIGN_OR_RETURN(wire::FileKind kind, wire::readKind(*source));
  if (kind == wire::FileKind::secretKey) {
    SLUICE_ASSIGN_OR_RETURN(SecretKey key, readSecretKey(std::move(source), client.manifest()));
    client.setSecretKey(std::move(key), path);
    return Status();
  }
  if (kind == wire::FileKind::publicKey && use == KeyUse::encrypt) {
    SLUICE_ASSIGN_OR_RETURN(wire::PublicKey key,
                            wire::readPublicKey(std::move(source), client.manifest()));
    client.setPublicKey(std::move(key));
    return Status();
  }
  return Status::error(StatusCode::mismatch,
                       "%s: this is %s; encryption needs public.key or secret.key, decryption "
                       "needs secret.key",
                       path.c_str(), std::string(wire::fileKindName(kind)).c_str());
}

} // namespace sluice::client
