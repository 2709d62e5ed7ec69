//===- sample.cpp - a small program made by hand, and its file ------------------------------===//
#include "test/runtime/exec/sample/sample.h"

#include "runtime/base/bytes.h"
#include "runtime/wire/manifest.h"
#include "runtime/wire/section.h"
#include "test/runtime/exec/sample/sample_parameters.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sluice::sample {
namespace {

/// Ends the test program; what is checked here depends on no input.
void require(bool condition, const std::string &what) {
  if (condition)
    return;
  std::fprintf(stderr, "sample: %s\n", what.c_str());
  std::abort();
}

std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

ManifestTensor tensor(const char *name, uint32_t level, bool batched) {
  ManifestTensor tensor;
  tensor.name = name;
  tensor.shape = {lanes};
  tensor.rangeLow = -1;
  tensor.rangeHigh = 1;
  tensor.lanes = lanes;
  tensor.batch = batched ? batch : 1;
  tensor.batched = batched;
  tensor.level = level;
  tensor.scale = {"2^45", 0x1p45, 0};
  return tensor;
}

std::string programId(std::span<const uint8_t> code,
                      const std::vector<std::span<const uint8_t>> &others = {}) {
  wire::Hasher hasher;
  hasher.update(bytesOf(sampleSectionJson()));
  hasher.update(doubleBytes(sampleConstants()));
  hasher.update(code);
  for (std::span<const uint8_t> other : others)
    hasher.update(other);
  return wire::toHex(hasher.finish());
}

} // namespace

Manifest sampleManifest(std::span<const uint8_t> code) {
  Manifest manifest;
  manifest.programName = "sample";
  manifest.programId = programId(code);
  manifest.compiler = "by hand";
  manifest.logN = logN;
  manifest.limbs.assign(std::begin(primes), std::end(primes));
  manifest.special = {3, 4};
  manifest.levels = {{0}, {0, 1}, {0, 1, 2}};
  manifest.security.insecure = true;
  manifest.security.bits = 0;
  manifest.slots = slots;
  manifest.inputs = {tensor("x", 2, true), tensor("y", 2, false)};
  manifest.outputs = {tensor("result", 0, true)};
  std::vector<std::vector<uint16_t>> digits = {{0}, {1, 2}};
  manifest.evaluationKeys = {
      {KeyKind::relinearize, 0, {3, 4, 0, 1, 2}, digits},
      {KeyKind::galois, rotationByOneElement, {3, 4, 0, 1, 2}, digits},
  };
  manifest.security.logQP = wire::largestModulusLog2(manifest);
  return manifest;
}

const std::vector<double> &sampleConstants() {
  // Element 3 of a first constant that the code does not use, so that offsets matter.
  static const std::vector<double> values = {7, 7, 1.5, -0.5, 2, 0.25};
  return values;
}

ProgramSection sampleSection() {
  ProgramSection section;
  section.abi = SLUICE_ABI_VERSION;
  section.target = "cpu";
  section.arenaSlots = arenaSlots;
  section.inputs = {{2, {{40, 1, 2}, {3, 4, 5}}}, {2, {{6, 7, 8}, {9, 10, 11}}}};
  section.outputs = {{0, {{44}, {46}}}};
  // The result is at scale (2^45)^2 / q2 * S / q1, which is 2^45 for S = q1 * q2 / 2^45.
  unsigned __int128 product = static_cast<unsigned __int128>(primes[1]) * primes[2];
  double high = static_cast<double>(product);
  double low = static_cast<double>(static_cast<__int128>(product) - static_cast<__int128>(high));
  section.constants = {
      {ConstantKind::slots, 2, 4, false, std::ldexp(high, -45), std::ldexp(low, -45), {1, 0}}};
  section.keys = {0, 1};
  return section;
}

std::string sampleSectionJson() {
  ProgramSection section = sampleSection();
  auto ports = [](const std::vector<ProgramPort> &list) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const ProgramPort &port : list)
      json.push_back({{"level", port.level}, {"slots", port.slots}});
    return json;
  };
  const ProgramConstant &constant = section.constants.front();
  nlohmann::ordered_json json = {
      {"format", "sluice-program"},
      {"version", 1},
      {"abi", section.abi},
      {"target", section.target},
      {"arena_slots", section.arenaSlots},
      {"inputs", ports(section.inputs)},
      {"outputs", ports(section.outputs)},
      {"constants",
       {{{"kind", "slots"},
         {"offset", constant.offset},
         {"count", constant.count},
         {"complex", constant.isComplex},
         {"scale", {{"high", constant.scaleHigh}, {"low", constant.scaleLow}}},
         {"limbs", constant.limbs}}}},
      {"keys", section.keys},
  };
  return json.dump();
}

std::vector<uint8_t> doubleBytes(std::span<const double> values) {
  ByteWriter writer;
  for (double value : values)
    writer.writeF64(value);
  return std::move(writer).take();
}

std::vector<uint8_t> programFile(const std::string &manifest, const std::string &program,
                                 std::span<const uint8_t> constants, std::span<const uint8_t> code,
                                 std::vector<std::span<const uint8_t>> others) {
  std::vector<uint8_t> file;
  std::vector<std::span<const uint8_t>> contents = {bytesOf(manifest), bytesOf(program), constants,
                                                    code};
  contents.insert(contents.end(), others.begin(), others.end());
  std::vector<wire::SectionSize> sizes;
  for (size_t i = 0; i < contents.size(); ++i)
    sizes.push_back({wire::programSections[i], contents[i].size()});
  auto writer =
      wire::SectionWriter::begin(wire::Sink::toMemory(file), wire::FileKind::program, sizes);
  require(writer.isOk(), writer.message());
  for (std::span<const uint8_t> content : contents)
    require(writer->append(content).isOk(), "writing to memory failed");
  require(writer->finish().isOk(), "writing to memory failed");
  return file;
}

std::vector<uint8_t> sampleFile(std::span<const uint8_t> code) {
  return programFile(wire::writeManifest(sampleManifest(code)), sampleSectionJson(),
                     doubleBytes(sampleConstants()), code);
}

std::vector<uint8_t> sampleFileForDevices(std::span<const uint8_t> code,
                                          std::span<const uint8_t> launches,
                                          std::span<const uint8_t> deviceCode) {
  Manifest manifest = sampleManifest(code);
  manifest.programId = programId(code, {launches, deviceCode});
  return programFile(wire::writeManifest(manifest), sampleSectionJson(),
                     doubleBytes(sampleConstants()), code, {launches, deviceCode});
}

LaunchList sampleLaunches() {
  using enum LaunchParameterKind;
  auto word = [](LaunchParameterKind kind, uint64_t number) {
    return launchParameter(kind, number);
  };
  LaunchList list;
  list.kernels = {{LimbKernelKind::elements, 6, 2}, {LimbKernelKind::rows, 3, 1}};
  list.launches.resize(6);
  list.launches[0] = {LaunchKind::limbKernel,
                      0,
                      2,
                      {word(limb, 1), word(slot, 12), word(slot, 13), word(slot, 12),
                       word(constantRow, 0), word(keyRowA, uint64_t{1} << 32 | 1 << 16 | 3),
                       word(limb, 0), word(slot, 59), word(slot, 14), word(slot, 40),
                       word(constantRow, 1), word(keyRowB, 4)},
                      {},
                      {}};
  list.launches[1] = {
      LaunchKind::limbKernel, 1, 1, {word(limb, 4), word(slot, 15), word(scalar, 99)}, {}, {}, {}};
  list.launches[2] = {LaunchKind::baseConvert, 0, 0, {}, {{2, 16}, {3, 17}}, {{0, 18}}, {{2, 1}}};
  // Two conversions, the second of which writes what the first one reads.
  list.launches[3] = {LaunchKind::baseConvertColumns,
                      0,
                      0,
                      {},
                      {{2, 16}, {3, 18}},
                      {{0, 18}, {1, 19}, {0, 26}},
                      {{1, 2}, {1, 1}}};
  list.launches[4] = {LaunchKind::ntt, 0, 0, {}, {{0, 20}, {1, 21}}, {{0, 20}, {1, 22}}, {}};
  list.launches[5] = {LaunchKind::intt, 0, 0, {}, {{4, 23}}, {{4, 24}}, {}};
  return list;
}

std::vector<uint8_t> builtCode(const std::string &name) {
  std::ifstream file(std::string(SLUICE_SAMPLE_FOLDER) + "/" + name, std::ios::binary);
  require(file.is_open(), "cannot open " + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<uint8_t> sampleCode() { return builtCode("sample_code.so"); }

} // namespace sluice::sample
