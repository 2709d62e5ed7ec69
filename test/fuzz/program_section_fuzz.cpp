//===- program_section_fuzz.cpp - the JSON of the section `program` -------------------------===//
#include "runtime/exec/artifact_reader.h"
#include "test/runtime/exec/sample/sample.h"

#include <cmath>
#include <cstdlib>

namespace {

using namespace sluice;

/// What the executor takes for granted; ends the process otherwise.
void expectSafe(const ProgramSection &program, const Manifest &manifest, uint64_t constantCount) {
  auto require = [](bool condition) {
    if (!condition)
      std::abort();
  };
  for (const auto *ports : {&program.inputs, &program.outputs})
    for (const ProgramPort &port : *ports)
      for (const std::vector<uint32_t> &polynomial : port.slots) {
        require(polynomial.size() == manifest.levels[port.level].size());
        for (uint32_t slot : polynomial)
          require(slot < program.arenaSlots);
      }
  require(program.arenaSlots <= limits::arenaBytes / (8 * manifest.degree()));
  for (const ProgramConstant &constant : program.constants) {
    require(constant.count > 0 && manifest.slots % constant.count == 0);
    if (constant.kind == ConstantKind::dftDiagonal) {
      // These are all that computing them relies on.
      const DftMatrix &matrix = constant.diagonal.matrix;
      const DftGroup &group = matrix.group;
      require(group.logSlots >= 1 && group.logSlots <= 16);
      require(group.first >= 1 && group.first <= group.logSlots);
      require(group.count >= 1 && group.count <= group.logSlots - group.first + 1);
      require(std::isfinite(matrix.factor));
      require(constant.isComplex && constant.count == matrix.size());
      require(constant.diagonal.index < constant.count);
      require(constant.diagonal.rotation < constant.count);
    } else {
      require(constant.offset <= constantCount);
      require(constant.count * (constant.isComplex ? 2 : 1) <= constantCount - constant.offset);
    }
    for (uint16_t limb : constant.limbs)
      require(limb < manifest.limbs.size());
  }
  for (uint32_t key : program.keys)
    require(key < manifest.evaluationKeys.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Manifest manifest = sample::sampleManifest();
  uint64_t constantCount = sample::sampleConstants().size();
  auto program = exec::readProgramSection({data, size}, "fuzz", manifest, constantCount);
  if (program)
    expectSafe(*program, manifest, constantCount);
  return 0;
}
