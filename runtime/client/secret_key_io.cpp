//===- secret_key_io.cpp - the secret key as a file ------------------------------------------===//
#include "runtime/client/secret_key_io.h"

#include "runtime/wire/sharing.h"

#include <filesystem>

namespace sluice::client {

Expected<std::unique_ptr<wire::Sink>> createSecretKeyFile(const std::string &path,
                                                          wire::Existing existing) {
  std::error_code unknown; // then creating the file fails, with the reason
  // A link that leads nowhere stands for a key elsewhere, on a disk that is not there now.
  bool isThere = std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
  if (isThere && existing == wire::Existing::keep)
    return Status::error(StatusCode::invalidArgument,
                         "%s: there is a secret key already, and replacing it loses all that was "
                         "encrypted under it; use --force (in Python force=True) if you want that",
                         path.c_str());
  return wire::Sink::createFile(path, 0600, existing);
}

Status writeSecretKey(const SecretKey &key, const Manifest &manifest,
                      std::unique_ptr<wire::Sink> sink) {
  std::string header = wire::secretKeyHeaderText(manifest, {key.keyId, key.sharing});
  std::span<const uint8_t> secret(reinterpret_cast<const uint8_t *>(key.coefficients.data()),
                                  key.coefficients.size());
  wire::SectionSize sizes[] = {{"header", header.size()}, {"secret", secret.size()}};
  SLUICE_ASSIGN_OR_RETURN(
      wire::SectionWriter writer,
      wire::SectionWriter::begin(std::move(sink), wire::FileKind::secretKey, sizes));
  SLUICE_RETURN_IF_ERROR(writer.append(wire::bytesOf(header)));
  SLUICE_RETURN_IF_ERROR(writer.append(secret));
  return writer.finish();
}

Expected<SecretKey> readSecretKey(std::unique_ptr<wire::Source> source, const Manifest &manifest) {
  unsigned permissions = source->permissions();
  SLUICE_ASSIGN_OR_RETURN(wire::SectionReader reader,
                          wire::SectionReader::open(std::move(source), wire::FileKind::secretKey,
                                                    wire::secretKeySections));
  if ((permissions & 077) != 0)
    return Status::error(StatusCode::insecure,
                         "%s: others can access this secret key (mode %04o): run chmod 600 on it",
                         reader.name().c_str(), permissions);
  SLUICE_ASSIGN_OR_RETURN(wire::SecretKeyHeader header,
                          wire::readSecretKeyHeader(reader, manifest));
  SecretKey key{std::move(header.keyId), {}, header.sharing};
  SLUICE_ASSIGN_OR_RETURN(wire::Section section, reader.section("secret"));
  SLUICE_RETURN_IF_ERROR(wire::expectSize(reader, section, manifest.degree()));
  key.coefficients.resize(manifest.degree());
  SLUICE_RETURN_IF_ERROR(reader.read(
      section, 0,
      std::span(reinterpret_cast<uint8_t *>(key.coefficients.data()), key.coefficients.size())));
  uint8_t isBad = 0; // one look at all of them: no branch on a coefficient
  for (int8_t coefficient : key.coefficients)
    isBad |= static_cast<uint8_t>(coefficient + 1) > 2;
  if (isBad)
    return Status::error(StatusCode::corruptFile,
                         "%s: section 'secret': a coefficient is none of -1, 0, 1",
                         reader.name().c_str());
  return key;
}

} // namespace sluice::client
