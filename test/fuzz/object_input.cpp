//===- object_input.cpp - fuzzer input as a file that passes its checksum --------------------===//
#include "test/fuzz/object_input.h"

#include "runtime/wire/manifest.h"

#include <algorithm>
#include <cstdio>

namespace sluice::fuzz {

const Manifest &sampleManifest() {
  static const Manifest manifest = [] {
    auto source = wire::Source::openFile(SLUICE_COMPAT "/manifest.json");
    require(source.isOk());
    auto bytes = wire::readManifestBytes(std::move(*source));
    require(bytes.isOk());
    auto read = wire::readManifest(*bytes, "manifest.json");
    require(read.isOk());
    return std::move(*read);
  }();
  return manifest;
}

static std::vector<uint8_t> seal(std::span<const uint8_t> input) {
  std::vector<uint8_t> file(input.begin(), input.end());
  if (file.size() >= 32) {
    wire::Hash hash = wire::hash256(std::span(file).first(file.size() - 32));
    std::ranges::copy(hash, file.end() - 32);
  }
  return file;
}

std::vector<uint8_t> makeFile(wire::FileKind kind, std::span<const std::string_view> tags,
                              size_t middleBytes, std::span<const uint8_t> input) {
  constexpr std::string_view magic = "SLUICE";
  if (input.size() >= magic.size() && std::equal(magic.begin(), magic.end(), input.begin()))
    return seal(input);
  std::vector<std::span<const uint8_t>> contents;
  std::vector<wire::SectionSize> sizes;
  auto take = [&](std::string_view tag, size_t bytes) {
    contents.push_back(input.first(std::min(bytes, input.size())));
    sizes.push_back({tag, contents.back().size()});
    input = input.subspan(contents.back().size());
  };
  take(tags[0], static_cast<size_t>(std::ranges::find(input, 0) - input.begin()));
  bool hasMiddle = input.size() >= 2 && input[1] % 2 == 1;
  input = input.subspan(std::min<size_t>(2, input.size()));
  if (tags.size() == 3 && hasMiddle)
    take(tags[1], middleBytes);
  if (tags.size() > 1)
    take(tags.back(), input.size());

  std::vector<uint8_t> file;
  auto writer = wire::SectionWriter::begin(wire::Sink::toMemory(file), kind, sizes);
  require(writer.isOk());
  for (std::span<const uint8_t> content : contents)
    require(writer->append(content).isOk());
  require(writer->finish().isOk());
  return file;
}

void requireCanonical(const Manifest &manifest, std::span<const uint16_t> limbs,
                      std::span<const uint64_t> rows) {
  require(rows.size() == limbs.size() * manifest.degree());
  for (size_t word = 0; word < rows.size(); ++word)
    require(rows[word] < manifest.limbs[limbs[word / manifest.degree()]]);
}

} // namespace sluice::fuzz
