//===- limb_tables.cpp - a ring's limbs and base conversions on a device ----------------------===//
#include "runtime/cuda/limb_tables.h"

namespace sluice::cuda {
namespace {

template <typename Value>
Status putTable(const Value *values, size_t count, DeviceMemory &memory, const Value *&place) {
  SLUICE_ASSIGN_OR_RETURN(Address address, memory.put(std::span(values, count)));
  place = pointerTo<const Value>(address);
  return Status();
}

Expected<LimbConstants> putLimb(const ring::Ring &ring, size_t number, DeviceMemory &memory) {
  const kernels::LimbTables &limb = ring.tables(number);
  const size_t degree = ring.degree();
  LimbConstants constants = constantsOf(ring.modulus(number));
  constants.inverseN = factorOf(limb.inverseN);
  constants.inverseNRoot = factorOf(limb.inverseNRoot);
  SLUICE_RETURN_IF_ERROR(putTable(limb.centredRoots, degree, memory, constants.centredRoots));
  SLUICE_RETURN_IF_ERROR(
      putTable(limb.centredInverseRoots, degree, memory, constants.centredInverseRoots));
  SLUICE_RETURN_IF_ERROR(putTable(limb.roots, degree, memory, constants.roots));
  SLUICE_RETURN_IF_ERROR(putTable(limb.rootQuotients, degree, memory, constants.rootQuotients));
  SLUICE_RETURN_IF_ERROR(putTable(limb.inverseRoots, degree, memory, constants.inverseRoots));
  SLUICE_RETURN_IF_ERROR(
      putTable(limb.inverseRootQuotients, degree, memory, constants.inverseRootQuotients));
  return constants;
}

} // namespace

LimbConstants constantsOf(const ring::Modulus &modulus) {
  const kernels::PrimeConstants &prime = modulus.constants();
  LimbConstants constants = {};
  constants.q = prime.q;
  constants.bits = prime.bits;
  constants.barrett = prime.barrett;
  constants.wideBarrett = prime.wideBarrett;
  constants.wordBarrett = prime.wordBarrett;
  constants.realQ = static_cast<double>(prime.q); // exact: q < 2^50
  constants.inverseQ = 1 / constants.realQ;
  constants.pow2To60 = factorOf(modulus.shoupFactor(modulus.reduce(uint64_t{1} << 60)));
  return constants;
}

ConversionFactor conversionFactor(uint64_t value, uint64_t t) {
  return {value, value > t / 2 ? -static_cast<double>(t - value) : static_cast<double>(value)};
}

Expected<std::vector<Address>> putLimbs(const ring::Ring &ring, DeviceMemory &memory) {
  std::vector<Address> addresses;
  for (size_t number = 0; number < ring.limbCount(); ++number) {
    SLUICE_ASSIGN_OR_RETURN(LimbConstants constants, putLimb(ring, number, memory));
    SLUICE_ASSIGN_OR_RETURN(Address address,
                            memory.put(std::span<const LimbConstants>(&constants, 1)));
    addresses.push_back(address);
  }
  return addresses;
}

Expected<const DeviceConversion *> Conversions::get(std::span<const uint16_t> source,
                                                    std::span<const uint16_t> destination,
                                                    DeviceMemory &memory) {
  auto key =
      std::pair(Limbs(source.begin(), source.end()), Limbs(destination.begin(), destination.end()));
  if (auto found = known.find(key); found != known.end())
    return found->second.get();
  SLUICE_ASSIGN_OR_RETURN(ring::Basis from, ring::Basis::create(ring, source));
  SLUICE_ASSIGN_OR_RETURN(ring::Basis to, ring::Basis::create(ring, destination));
  auto conversion = std::make_unique<DeviceConversion>(ring::BaseConversion(from, to));
  const kernels::ConvertTables &tables = conversion->host.tables();
  std::vector<ConversionFactor> factors(tables.sourceCount);
  for (size_t i = 0; i < tables.destinationCount; ++i) {
    const kernels::ConvertDestination &limb = tables.destinations[i];
    for (size_t k = 0; k < tables.sourceCount; ++k)
      factors[k] = conversionFactor(limb.factors[k], limb.prime.q);
    SLUICE_ASSIGN_OR_RETURN(Address address,
                            memory.put(std::span<const ConversionFactor>(factors)));
    conversion->factors.push_back(address);
    conversion->minusProducts.push_back(conversionFactor(limb.minusProduct, limb.prime.q));
  }
  return known.emplace(std::move(key), std::move(conversion)).first->second.get();
}

} // namespace sluice::cuda
