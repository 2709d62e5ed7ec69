//===- CostsAttribute.cpp - kernel costs that travel with the module --------------------------===//

#include "passes/CostsAttribute.h"

#include "passes/algorithms/CostModel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sluice {

namespace {

constexpr llvm::StringLiteral reachName = "reach", launchName = "launch";

/// Figures that a time may have: finite and not negative, as in a cost file.
bool isTime(double ns) { return ns >= 0 && ns <= limits::costNs; }

/// [cached, memory], a number for each degree.
bool readTimes(Attribute attribute, CostTable &table, size_t family) {
  auto lists = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!lists || lists.size() != 2)
    return false;
  auto cached = dyn_cast<DenseF64ArrayAttr>(lists[0]),
       memory = dyn_cast<DenseF64ArrayAttr>(lists[1]);
  if (!cached || !memory || cached.size() != int64_t(costDegrees) ||
      memory.size() != int64_t(costDegrees))
    return false;
  for (size_t degree = 0; degree < costDegrees; ++degree) {
    if (!isTime(cached[degree]) || !isTime(memory[degree]))
      return false;
    table.times[degree][family] = {cached[degree], memory[degree]};
  }
  return true;
}

/// Pairs of bytes, which grow, and shares.
bool readReach(Attribute attribute, std::vector<ReachPoint> &reach) {
  auto numbers = dyn_cast<DenseF64ArrayAttr>(attribute);
  if (!numbers || numbers.size() % 2 != 0)
    return false;
  for (int64_t n = 0; n < numbers.size(); n += 2) {
    double bytes = numbers[n], share = numbers[n + 1];
    double last = reach.empty() ? 0 : double(reach.back().bytes);
    if (!(bytes > last && bytes <= 0x1p53 && share >= 0 && share <= 1))
      return false;
    reach.push_back({uint64_t(bytes), share});
  }
  return true;
}

} // namespace

DictionaryAttr toAttribute(const CostTable &table, MLIRContext *context) {
  Builder builder(context);
  NamedAttrList entries;
  for (size_t family = 0; family < kernelFamilyCount; ++family) {
    SmallVector<double> cached, memory;
    for (const auto &times : table.times) {
      cached.push_back(times[family].cached);
      memory.push_back(times[family].memory);
    }
    entries.set(kernelFamilyNames[family],
                builder.getArrayAttr(
                    {builder.getDenseF64ArrayAttr(cached), builder.getDenseF64ArrayAttr(memory)}));
  }
  SmallVector<Attribute> reach;
  for (const std::vector<ReachPoint> &points : table.reach) {
    SmallVector<double> numbers;
    for (const ReachPoint &point : points)
      llvm::append_values(numbers, double(point.bytes), point.share);
    reach.push_back(builder.getDenseF64ArrayAttr(numbers));
  }
  entries.set(reachName, builder.getArrayAttr(reach));
  if (table.launchNs)
    entries.set(launchName, builder.getF64FloatAttr(*table.launchNs));
  return entries.getDictionary(context);
}

FailureOr<CostTable> readCosts(ModuleOp module) {
  Attribute attribute = module->getAttr(costsAttr);
  if (!attribute)
    return algorithms::genericCosts();
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  CostTable table;
  for (size_t family = 0; family < kernelFamilyCount; ++family)
    if (!entries || !readTimes(entries.get(kernelFamilyNames[family]), table, family))
      return module.emitError("'") << costsAttr << "' has no pair of " << costDegrees
                                   << " times each called '" << kernelFamilyNames[family] << "'";
  auto reach = entries.getAs<ArrayAttr>(reachName);
  bool isReach = reach && reach.size() == costDegrees;
  for (size_t degree = 0; isReach && degree < costDegrees; ++degree)
    isReach = readReach(reach[degree], table.reach[degree]);
  if (!isReach)
    return module.emitError("'") << costsAttr << "' has no '" << reachName << "' of " << costDegrees
                                 << " lists of pairs of bytes and shares";
  if (Attribute launch = entries.get(launchName)) {
    auto ns = dyn_cast<FloatAttr>(launch);
    if (!ns || !ns.getType().isF64() || !(ns.getValueAsDouble() >= 0) ||
        ns.getValueAsDouble() > limits::launchNs)
      return module.emitError("'")
             << costsAttr << "' has a '" << launchName << "' that is no time of a launch";
    table.launchNs = ns.getValueAsDouble();
  }
  return table;
}

} // namespace sluice
