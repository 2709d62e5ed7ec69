//===- program.cpp - a loaded program -------------------------------------------------------===//
#include "runtime/exec/program.h"

#include "runtime/exec/artifact_reader.h"
#include "runtime/ring/dft_factors.h"
#include "runtime/ring/embedding.h"

#include <chrono>
#include <complex>
#include <map>

namespace sluice::exec {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

using Values = std::vector<std::complex<double>>;

/// What constants are made from.
struct ConstantSources {
  std::span<const double> section;
  std::map<uint32_t, ring::DftEntries> dftEntries; // by their logSlots: of all constants
};

ConstantSources sourcesOf(const ProgramSection &program, std::span<const double> section) {
  ConstantSources sources = {section, {}};
  for (const ProgramConstant &constant : program.constants)
    if (constant.kind == ConstantKind::dftDiagonal) {
      const uint32_t logSlots = constant.diagonal.matrix.group.logSlots;
      sources.dftEntries.try_emplace(logSlots, logSlots);
    }
  return sources;
}

/// The `count` values of a constant.
Values constantValues(const ProgramConstant &constant, const ConstantSources &sources) {
  if (constant.kind == ConstantKind::dftDiagonal)
    return sources.dftEntries.at(constant.diagonal.matrix.group.logSlots).values(constant.diagonal);
  const std::span<const double> section = sources.section;
  Values values(constant.count);
  for (uint64_t v = 0; v < constant.count; ++v)
    values[v] = constant.isComplex ? std::complex<double>(section[constant.offset + 2 * v],
                                                          section[constant.offset + 2 * v + 1])
                                   : std::complex<double>(section[constant.offset + v]);
  return values;
}

/// The same at each of its slots, those of the packing unless it has its own: each stretched over
/// slots / count neighbours.
Values slotValues(const ProgramConstant &constant, const ConstantSources &sources,
                  uint64_t packing) {
  const uint64_t slots = constant.slots ? constant.slots : packing;
  const uint64_t stretch = slots / constant.count;
  Values values = constantValues(constant, sources);
  if (values.size() == slots)
    return values;
  Values stretched(slots);
  for (uint64_t k = 0; k < slots; ++k)
    stretched[k] = values[k / stretch];
  return stretched;
}

/// Its coefficients, rounded. Runs on one thread, as what follows: constants are made side by side.
Expected<ring::RoundedSlots> roundConstant(const ring::Ring &ring, const ProgramConstant &constant,
                                           const ConstantSources &sources,
                                           const Manifest &manifest) {
  return ring::roundSlots(ring, slotValues(constant, sources, manifest.slots),
                          {constant.scaleHigh, constant.scaleLow}, manifest.forecast.precisionBits);
}

/// Reduces them modulo every limb and transforms; a nested loop stays in its thread.
std::shared_ptr<const EncodedConstant> encodeConstant(const ring::Ring &ring,
                                                      const ProgramConstant &constant,
                                                      const ring::RoundedSlots &coefficients,
                                                      ThreadPool &pool) {
  auto encoded = std::make_shared<EncodedConstant>();
  encoded->limbs = constant.limbs;
  encoded->rows = ring::Poly(constant.limbs.size(), ring.degree());
  ring::PolyView rows = encoded->rows.view();
  for (size_t i = 0; i < constant.limbs.size(); ++i)
    coefficients.reduce(ring, constant.limbs[i], rows.limbSpan(i));
  ring::toEvalInPlace(ring, constant.limbs, rows, pool);
  return encoded;
}

} // namespace

Status Program::prepare(std::span<const double> constants, ThreadPool &pool, ConstantForm form) {
  SLUICE_ASSIGN_OR_RETURN(ring::Ring ring,
                          ring::Ring::create(programManifest.logN, programManifest.limbs));
  programRing = std::make_shared<const ring::Ring>(std::move(ring));

  Clock::time_point start = Clock::now();
  size_t count = programSection.constants.size();
  const ConstantSources sources = sourcesOf(programSection, constants);
  (form == ConstantForm::encoded ? encoded.resize(count) : rounded.resize(count));
  std::vector<Status> failures(count);
  parallelFor(pool, count, [&](size_t c) {
    const ProgramConstant &constant = programSection.constants[c];
    auto coefficients = roundConstant(*programRing, constant, sources, programManifest);
    if (!coefficients)
      failures[c] = coefficients.status();
    else if (form == ConstantForm::encoded)
      encoded[c] = encodeConstant(*programRing, constant, *coefficients, pool);
    else
      rounded[c] = std::make_shared<ConstantCoefficients>(
          ConstantCoefficients{constant.limbs, std::move(*coefficients)});
  });
  for (size_t c = 0; c < count; ++c) {
    SLUICE_RETURN_IF_ERROR(failures[c].withContext("constant " + std::to_string(c)));
    loadStatistics.constantBytes +=
        programSection.constants[c].limbs.size() * programRing->degree() * sizeof(uint64_t);
  }
  loadStatistics.constants = count;
  loadStatistics.encodeMs = millisecondsSince(start);
  return Status();
}

Expected<std::shared_ptr<const Program>> Program::load(std::unique_ptr<wire::Source> source,
                                                       ThreadPool &pool, ConstantForm form) {
  Clock::time_point start = Clock::now();
  SLUICE_ASSIGN_OR_RETURN(Artifact artifact, readArtifact(std::move(source)));
  if (form == ConstantForm::coefficients && !artifact.launches)
    return Status::error(StatusCode::mismatch,
                         "%s: was compiled for CPUs alone: compile it with --target=cuda to run it "
                         "on a GPU, or run it with --device cpu",
                         artifact.name.c_str());
  std::shared_ptr<Program> program(new Program);
  SLUICE_ASSIGN_OR_RETURN(SharedObject code, SharedObject::load(artifact.code, artifact.name));
  program->function = code.entry();
  program->code = std::move(code);
  program->programManifest = std::move(artifact.manifest);
  program->programSection = std::move(artifact.program);
  if (artifact.launches && form == ConstantForm::coefficients)
    program->deviceProgram = std::make_shared<const DeviceProgram>(
        DeviceProgram{std::move(*artifact.launches), std::move(artifact.deviceCode)});
  SLUICE_RETURN_IF_ERROR(
      program->prepare(artifact.constants, pool, form).withContext(artifact.name));
  program->loadStatistics.totalMs = millisecondsSince(start);
  return std::shared_ptr<const Program>(std::move(program));
}

Expected<std::shared_ptr<const Program>>
Program::fromFunction(Manifest manifest, ProgramSection section, std::span<const double> constants,
                      sluice_program_run_fn function, ThreadPool &pool) {
  Clock::time_point start = Clock::now();
  std::shared_ptr<Program> program(new Program);
  program->function = function;
  program->programManifest = std::move(manifest);
  program->programSection = std::move(section);
  SLUICE_RETURN_IF_ERROR(program->prepare(constants, pool, ConstantForm::encoded));
  program->loadStatistics.totalMs = millisecondsSince(start);
  return std::shared_ptr<const Program>(std::move(program));
}

} // namespace sluice::exec
