//===- launch_reader.cpp - reads the section `launches` of a program --------------------------===//
#include "runtime/wire/launch_reader.h"

#include "runtime/base/bytes.h"

namespace sluice::wire {
namespace {

unsigned long long wide(uint64_t value) { return value; }

/// Reads words and says where they stand.
class LaunchReader {
public:
  LaunchReader(std::span<const uint8_t> bytes, const std::string &name)
      : reader(bytes), name(name) {}

  Expected<LaunchList> read(unsigned logN) {
    SLUICE_ASSIGN_OR_RETURN(const Counts counts, readHeader(logN));
    LaunchList list;
    list.kernels.reserve(counts.kernels);
    for (uint64_t k = 0; k < counts.kernels; ++k) {
      SLUICE_ASSIGN_OR_RETURN(LimbKernel kernel, readKernel());
      list.kernels.push_back(kernel);
    }
    list.launches.reserve(counts.launches);
    for (uint64_t l = 0; l < counts.launches; ++l) {
      SLUICE_ASSIGN_OR_RETURN(Launch launch, readLaunch(list.kernels));
      list.launches.push_back(std::move(launch));
    }
    if (reader.remaining() > 0)
      return corrupt(reader.offset(), "bytes after the last launch");
    return list;
  }

private:
  struct Counts {
    uint64_t kernels, launches;
  };

  Status corrupt(uint64_t offset, const std::string &what) const {
    return Status::error(StatusCode::corruptFile, "%s: byte %llu: %s", name.c_str(), wide(offset),
                         what.c_str());
  }

  Expected<uint64_t> word() {
    if (reader.remaining() < sizeof(uint64_t))
      return corrupt(reader.offset(), "truncated: a word is wanted here");
    return reader.readU64();
  }

  /// That so many words follow, before memory is allocated for them.
  Status expectWords(uint64_t count, const char *what) const {
    if (count > reader.remaining() / sizeof(uint64_t))
      return corrupt(reader.offset(), "truncated: " + std::to_string(count) + " words of " + what +
                                          " are wanted here, but " +
                                          std::to_string(reader.remaining()) + " bytes follow");
    return Status();
  }

  Expected<Counts> readHeader(unsigned logN) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t magic, word());
    if (magic != launchListMagic)
      return corrupt(0, "this is no launch list (its magic word is missing)");
    SLUICE_ASSIGN_OR_RETURN(uint64_t version, word());
    const auto number = static_cast<uint32_t>(version);
    if (number != launchListVersion)
      return Status::error(
          number > launchListVersion ? StatusCode::unsupportedVersion : StatusCode::corruptFile,
          "%s: launch list version %u, but this runtime reads version %u%s", name.c_str(), number,
          launchListVersion, number > launchListVersion ? ": update Sluice" : "");
    if (version >> 32 != logN)
      return Status::error(StatusCode::mismatch,
                           "%s: its launches are for a ring of degree 2^%llu, but the manifest's "
                           "is 2^%u",
                           name.c_str(), wide(version >> 32), logN);
    SLUICE_ASSIGN_OR_RETURN(uint64_t kernels, word());
    if (kernels > limits::limbKernels)
      return corrupt(16, std::to_string(kernels) + " kernels, but at most " +
                             std::to_string(limits::limbKernels) + " are allowed");
    SLUICE_ASSIGN_OR_RETURN(uint64_t launches, word());
    if (launches > limits::launches)
      return corrupt(24, std::to_string(launches) + " launches, but at most " +
                             std::to_string(limits::launches) + " are allowed");
    SLUICE_RETURN_IF_ERROR(expectWords(kernels, "kernels"));
    SLUICE_RETURN_IF_ERROR(expectWords(launches, "launches"));
    return Counts{kernels, launches};
  }

  Expected<LimbKernel> readKernel() {
    const uint64_t offset = reader.offset();
    SLUICE_ASSIGN_OR_RETURN(uint64_t text, word());
    LimbKernel kernel;
    const uint64_t kind = text & 0xffff;
    if (kind > static_cast<uint64_t>(LimbKernelKind::rows))
      return corrupt(offset, "a kernel of unknown kind " + std::to_string(kind));
    kernel.kind = static_cast<LimbKernelKind>(kind);
    kernel.outputs = static_cast<uint16_t>(text >> 16);
    kernel.parameters = static_cast<uint32_t>(text >> 32);
    if (kernel.parameters > limits::kernelParameters)
      return corrupt(offset, "a kernel of " + std::to_string(kernel.parameters) +
                                 " parameters, but at most " +
                                 std::to_string(limits::kernelParameters) + " are allowed");
    if (kernel.outputs == 0 || kernel.outputs >= kernel.parameters)
      return corrupt(offset, "a kernel of " + std::to_string(kernel.parameters) +
                                 " parameters cannot have " + std::to_string(kernel.outputs) +
                                 " outputs");
    return kernel;
  }

  Expected<Launch> readLaunch(const std::vector<LimbKernel> &kernels) {
    const uint64_t offset = reader.offset();
    SLUICE_ASSIGN_OR_RETURN(uint64_t header, word());
    const uint64_t kind = header & 0xff, count = header >> 32;
    if (kind >= launchKinds)
      return corrupt(offset, "a launch of unknown kind " + std::to_string(kind));
    Launch launch;
    launch.kind = static_cast<LaunchKind>(kind);
    launch.number = static_cast<uint32_t>(header >> 8) & 0xffffff;
    if (launch.kind == LaunchKind::beginStage) {
      if (count != 0)
        return corrupt(offset, "the beginning of a stage has no limbs");
      return launch;
    }
    if (count == 0 || count > limits::launchLimbs)
      return corrupt(offset, "a launch of " + std::to_string(count) + " limbs, but 1 to " +
                                 std::to_string(limits::launchLimbs) + " are allowed");
    if (launch.kind == LaunchKind::limbKernel) {
      if (launch.number >= kernels.size())
        return corrupt(offset, "kernel " + std::to_string(launch.number) + " of " +
                                   std::to_string(kernels.size()));
      launch.limbs = static_cast<uint32_t>(count);
      SLUICE_RETURN_IF_ERROR(readParameters(count * kernels[launch.number].parameters, launch));
      return launch;
    }
    if (isConversion(launch.kind)) {
      const uint32_t conversions = launch.number;
      launch.number = 0;
      SLUICE_RETURN_IF_ERROR(readConversions(offset, conversions, count, launch));
      return launch;
    }
    if (launch.number != 0)
      return corrupt(offset, "launches of transforms have no numbers");
    SLUICE_RETURN_IF_ERROR(readTransform(count, launch));
    return launch;
  }

  Status readParameters(uint64_t count, Launch &launch) {
    SLUICE_RETURN_IF_ERROR(expectWords(count, "parameters"));
    launch.parameters.resize(count);
    for (uint64_t &parameter : launch.parameters) {
      const uint64_t offset = reader.offset();
      SLUICE_ASSIGN_OR_RETURN(parameter, word());
      if (parameter >> launchParameterShift >= launchParameterKinds)
        return corrupt(offset, "a parameter of unknown kind " +
                                   std::to_string(parameter >> launchParameterShift));
    }
    return Status();
  }

  /// `launchOffset` is where the launch begins. Sums of sizes are below 2^24 * 2^32.
  Status readConversions(uint64_t launchOffset, uint32_t number, uint64_t count, Launch &launch) {
    if (number == 0)
      return corrupt(launchOffset, "a launch of no conversions");
    SLUICE_RETURN_IF_ERROR(expectWords(number, "conversions"));
    launch.conversions.resize(number);
    uint64_t destinations = 0, sources = 0;
    for (ConversionSize &size : launch.conversions) {
      const uint64_t offset = reader.offset();
      SLUICE_ASSIGN_OR_RETURN(uint64_t text, word());
      size = {static_cast<uint32_t>(text >> 32), static_cast<uint32_t>(text)};
      if (size.destinations == 0 || size.sources == 0)
        return corrupt(offset, "a conversion of " + std::to_string(size.sources) + " limbs to " +
                                   std::to_string(size.destinations));
      destinations += size.destinations;
      sources += size.sources;
    }
    if (destinations != count)
      return corrupt(launchOffset, "conversions to " + std::to_string(destinations) +
                                       " limbs in a launch of " + std::to_string(count));
    if (sources > limits::launchLimbs)
      return corrupt(launchOffset, "conversions of " + std::to_string(sources) +
                                       " limbs, but at most " +
                                       std::to_string(limits::launchLimbs) + " are allowed");
    SLUICE_RETURN_IF_ERROR(readLimbs(destinations, launch.destinations));
    return readLimbs(sources, launch.sources);
  }

  Status readTransform(uint64_t count, Launch &launch) {
    SLUICE_RETURN_IF_ERROR(readLimbs(count, launch.destinations));
    const uint64_t offset = reader.offset();
    SLUICE_RETURN_IF_ERROR(readLimbs(count, launch.sources));
    for (uint64_t i = 0; i < count; ++i)
      if (launch.sources[i].limb != launch.destinations[i].limb)
        return corrupt(offset + 8 * i, "a transform takes limb " +
                                           std::to_string(launch.sources[i].limb) + " to limb " +
                                           std::to_string(launch.destinations[i].limb));
    return Status();
  }

  Status readLimbs(uint64_t count, std::vector<LaunchLimb> &limbs) {
    SLUICE_RETURN_IF_ERROR(expectWords(count, "limbs"));
    limbs.resize(count);
    for (LaunchLimb &limb : limbs) {
      SLUICE_ASSIGN_OR_RETURN(uint64_t text, word());
      limb = {static_cast<uint32_t>(text >> 32), static_cast<uint32_t>(text)};
    }
    return Status();
  }

  ByteReader reader;
  const std::string &name;
};

} // namespace

Expected<LaunchList> readLaunches(std::span<const uint8_t> bytes, const std::string &name,
                                  unsigned logN) {
  return LaunchReader(bytes, name).read(logN);
}

} // namespace sluice::wire
