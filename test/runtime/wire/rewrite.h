//===- rewrite.h - files with one thing changed, under a right checksum ----------------------===//
#ifndef SLUICE_TEST_RUNTIME_WIRE_REWRITE_H
#define SLUICE_TEST_RUNTIME_WIRE_REWRITE_H

#include "runtime/wire/section.h"

#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::test {

/// Copies a file with its JSON header changed by `change`; all else stays.
template <typename Change>
std::vector<uint8_t> withHeader(std::span<const uint8_t> file, Change change) {
  constexpr std::string_view tags[] = {"header", "seed", "data", "seeds", "keys", "secret"};
  uint32_t kind = 0, count = 0;
  std::memcpy(&kind, file.data() + 12, 4);
  std::memcpy(&count, file.data() + 16, 4);
  wire::SectionReader reader = *wire::SectionReader::open(wire::Source::fromMemory(file, "before"),
                                                          static_cast<wire::FileKind>(kind), tags);
  std::vector<std::string> names;
  std::vector<std::vector<uint8_t>> contents;
  for (uint32_t index = 0; index < count; ++index) {
    names.emplace_back(reinterpret_cast<const char *>(file.data()) + 24 + 32 * index,
                       strnlen(reinterpret_cast<const char *>(file.data()) + 24 + 32 * index, 8));
    contents.push_back(*reader.readSection(names.back(), file.size()));
  }
  nlohmann::ordered_json header = nlohmann::ordered_json::parse(contents[0]);
  change(header);
  std::string text = header.dump();
  contents[0].assign(text.begin(), text.end());

  std::vector<wire::SectionSize> sizes;
  for (uint32_t index = 0; index < count; ++index)
    sizes.push_back({names[index], contents[index].size()});
  std::vector<uint8_t> out;
  wire::SectionWriter writer = *wire::SectionWriter::begin(
      wire::Sink::toMemory(out), static_cast<wire::FileKind>(kind), sizes);
  for (const std::vector<uint8_t> &content : contents)
    EXPECT_TRUE(writer.append(content).isOk());
  EXPECT_TRUE(writer.finish().isOk());
  return out;
}

/// The same for one field of the header.
inline std::vector<uint8_t> withHeaderField(std::span<const uint8_t> file, const char *field,
                                            const nlohmann::json &value) {
  return withHeader(file, [&](nlohmann::ordered_json &header) { header[field] = value; });
}

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_WIRE_REWRITE_H
