//===- FusedWork.cpp - what a fused program will make the runtime do --------------------------===//

#include "passes/driver/FusedWork.h"

#include "dialects/RNS/BlockElements.h"
#include "dialects/RNS/ReadElements.h"
#include "passes/CostsAttribute.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice {

namespace {

using algorithms::KernelWork;
using algorithms::LimbPlace;

/// What a place is part of; numbers in different spaces are different limbs.
enum class Space : uint8_t {
  arena,
  scratch,
  constant,
  key,
  forwardTable,
  inverseTable,
  permutation,
  ciphertext
};

/// Row `row` of object `number` in a space.
LimbPlace placeOf(Space space, uint64_t number, uint64_t row = 0) {
  return uint64_t(space) << 60 | number << 32 | row;
}

/// The family of an operation that reads and writes limbs and nothing else.
std::optional<KernelFamily> plainFamily(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<KernelFamily>>(op)
      .Case([](rns::ZeroOp) { return KernelFamily::zero; })
      .Case([](rns::AddOp) { return KernelFamily::add; })
      .Case([](rns::SubOp) { return KernelFamily::sub; })
      .Case([](rns::NegateOp) { return KernelFamily::negate; })
      .Case([](rns::MulOp) { return KernelFamily::mul; })
      .Case([](rns::MacOp) { return KernelFamily::mac; })
      .Case([](rns::MulScalarOp) { return KernelFamily::mulScalar; })
      .Case([](rns::AddScalarOp) { return KernelFamily::addScalar; })
      .Case([](rns::SubMulScalarOp) { return KernelFamily::subMulScalar; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<KernelFamily> transformFamily(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<KernelFamily>>(op)
      .Case([](rns::NttOp) { return KernelFamily::ntt; })
      .Case([](rns::InttOp) { return KernelFamily::intt; })
      .Case([](rns::NttRowsOp) { return KernelFamily::nttRows; })
      .Case([](rns::InttRowsOp) { return KernelFamily::inttRows; })
      .Default([](Operation *) { return std::nullopt; });
}

class WorkLister {
public:
  enum class Machine : uint8_t { cpu, device };

  WorkLister(func::FuncOp function, Machine machine)
      : function(function), isDevice(machine == Machine::device) {}

  std::optional<DeviceWork> run() {
    for (BlockArgument argument : function.getArguments()) {
      auto slots =
          function.getArgAttrOfType<DenseI32ArrayAttr>(argument.getArgNumber(), rns::slotsAttrName);
      if (!slots)
        return std::nullopt;
      setSlots(argument, slots.asArrayRef());
      copyCiphertext(argument);
    }
    for (Operation &op : function.front().without_terminator())
      if (!isa<rns::ConstantOp, rns::KeyOp>(op) && !list(op))
        return std::nullopt;
    for (Value result : function.front().getTerminator()->getOperands())
      copyCiphertext(result);
    return DeviceWork{std::move(works), launches};
  }

private:
  static ArrayRef<int64_t> limbsOf(Value value) {
    return cast<rns::PolyType>(value.getType()).getLimbs();
  }

  void setSlots(Value value, ArrayRef<int32_t> slots) {
    for (int32_t slot : slots)
      places[value].push_back(placeOf(Space::arena, uint64_t(slot)));
  }

  void copyCiphertext(Value value) {
    for (LimbPlace slot : placesOf(value))
      works.push_back(
          {KernelFamily::copy, 1, {placeOf(Space::ciphertext, numCiphertextLimbs++), slot}});
  }

  bool list(Operation &op) {
    auto slots = op.getAttrOfType<DenseI32ArrayAttr>(rns::slotsAttrName);
    if (!slots)
      return false;
    ArrayRef<int32_t> rest = slots.asArrayRef();
    for (Value result : op.getResults()) {
      setSlots(result, rest.take_front(limbsOf(result).size()));
      rest = rest.drop_front(limbsOf(result).size());
    }
    if (isa<rns::DropOp, rns::ConcatOp>(op))
      return true;
    // Transforms and conversions have two halves.
    launches += isa<rns::NttOp, rns::InttOp, rns::BaseConvertOp>(op) ? 2 : 1;
    if (auto kernel = dyn_cast<rns::LimbKernelOp>(op))
      return isDevice ? listDeviceKernel(kernel) : listKernel(kernel);
    if (auto convert = dyn_cast<rns::BaseConvertOp>(op))
      return listConversion(convert), true;
    if (!rns::isLimbWise(&op))
      return false;
    for (size_t i = 0; i < limbsOf(op.getResult(0)).size(); ++i)
      listLimb(op, i);
    return true;
  }

  /// Limb after limb goes through the whole body; in blocks, what one operation of the body leaves
  /// is in the cache for the next.
  bool listKernel(rns::LimbKernelOp kernel) {
    Block &body = kernel.getBody().front();
    size_t count = limbsOf(kernel.getResult(0)).size();
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
      places[argument] = placesOf(operand);
    for (Operation &op : body.without_terminator()) {
      auto scratch = op.getAttrOfType<DenseI32ArrayAttr>(rns::scratchAttrName);
      if (!scratch)
        return false;
      for (auto [result, number] : llvm::zip_equal(op.getResults(), scratch.asArrayRef()))
        if (number >= 0)
          places[result].assign(count, placeOf(Space::scratch, uint64_t(number)));
        else if (int64_t(number) >= -int64_t(kernel.getNumResults()))
          places[result] = placesOf(kernel.getResult(unsigned(-1 - number)));
        else
          return false;
    }
    std::optional<rns::BlockElements> blocks = rns::BlockElements::find(kernel);
    for (size_t i = 0; i < count; ++i) {
      SeenBlocks seen;
      for (Operation &op : body.without_terminator()) {
        size_t first = works.size();
        listLimb(op, i);
        if (blocks)
          markCached(first, blocks->ofOperands(&op), blocks->ofResults(&op), seen);
      }
    }
    return true;
  }

  /// As driver/CudaKernel writes it: operations that no result needs are left out, those that are
  /// needed at several Galois elements are done for each.
  bool listDeviceKernel(rns::LimbKernelOp kernel) {
    Block &body = kernel.getBody().front();
    rns::ReadElements needed = rns::ReadElements::find(kernel);
    llvm::DenseMap<Value, size_t> touches; // of a limb: loads, or the store of a result
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
      places[argument] = placesOf(operand);
    for (Operation &op : body.without_terminator()) {
      for (Value operand : op.getOperands())
        if (operand.getDefiningOp() == nullptr || operand.getParentBlock() != &body)
          touches[operand] = needed.of(operand).size();
      for (Value result : op.getResults())
        touches[result] = 0;
    }
    for (auto [result, value] :
         llvm::zip_equal(kernel.getResults(), body.getTerminator()->getOperands()))
      if (value.getDefiningOp() && value.getParentBlock() == &body) {
        places[value] = placesOf(result);
        touches[value] = 1;
      }
    size_t count = limbsOf(kernel.getResult(0)).size();
    for (size_t i = 0; i < count; ++i) {
      touchesLeft = touches;
      for (Operation &op : body.without_terminator()) {
        llvm::SmallSetVector<uint32_t, 2> elements;
        for (Value result : op.getResults())
          elements.insert_range(needed.of(result));
        for (size_t n = 0; n < elements.size(); ++n)
          listLimb(op, i);
      }
    }
    touchesLeft.clear();
    return true;
  }

  using SeenBlocks = llvm::DenseSet<std::pair<LimbPlace, uint32_t>>;

  /// In the works from `first` on, every place but at its first use at a block. The first place of
  /// a work is an operand.
  void markCached(size_t first, uint32_t operands, uint32_t others, SeenBlocks &seen) {
    for (KernelWork &work : llvm::drop_begin(works, first))
      for (auto [number, place] : llvm::enumerate(work.places))
        if (!seen.insert({place, number == 0 ? operands : others}).second)
          place = algorithms::cachedPlace;
  }

  void listConversion(rns::BaseConvertOp op) {
    std::vector<LimbPlace> sources = placesOf(op.getInput()),
                           destinations = placesOf(op.getResult());
    bool isHalf = op.getType().isHalf();
    for (LimbPlace source : sources)
      works.push_back(
          {isHalf ? KernelFamily::columnsSource : KernelFamily::convertSource, 1, {source}});
    for (LimbPlace destination : destinations)
      works.push_back({isHalf ? KernelFamily::columnsDestination : KernelFamily::convertDestination,
                       1,
                       {destination}});
    works.push_back({isHalf ? KernelFamily::columnsTerm : KernelFamily::convertTerm,
                     uint32_t(sources.size() * destinations.size()),
                     {}});
  }

  /// Limb i of a limb-wise operation.
  void listLimb(Operation &op, size_t i) {
    if (auto product = dyn_cast<rns::InnerProductOp>(op))
      return listInnerProduct(product, i);
    if (auto sum = dyn_cast<rns::WeightedSumOp>(op))
      return listWeightedSum(sum, i);
    std::vector<LimbPlace> touched;
    for (Value operand : op.getOperands())
      touched.push_back(read(operand, i));
    Value result = op.getResult(0);
    uint64_t limb = uint64_t(limbsOf(result)[i]);
    KernelFamily family = KernelFamily::copy;
    if (std::optional<KernelFamily> transform = transformFamily(&op)) {
      // Roots and what multiplies by them fast.
      bool isForward = isa<rns::NttOp, rns::NttRowsOp>(op);
      Space space = isForward ? Space::forwardTable : Space::inverseTable;
      if (!isDevice)
        touched.insert(touched.end(), {placeOf(space, limb, 0), placeOf(space, limb, 1)});
      family = *transform;
    } else if (auto automorphism = dyn_cast<rns::AutomorphismOp>(op)) {
      if (!isDevice)
        touched.push_back(placeOf(Space::permutation, 0, uint64_t(automorphism.getElement())));
      family = KernelFamily::automorphism;
    } else if (std::optional<KernelFamily> plain = plainFamily(&op)) {
      family = *plain;
    }
    touched.push_back(read(result, i));
    works.push_back({family, 1, std::move(touched)});
  }

  void listInnerProduct(rns::InnerProductOp op, size_t i) {
    auto key = op.getKey().getDefiningOp<rns::KeyOp>();
    uint64_t number = key ? numberOf(keys, key->getAttrDictionary()) : 0;
    uint64_t limb = uint64_t(limbsOf(op.getB())[i]);
    for (auto [index, digit] : llvm::enumerate(op.getDigits())) {
      uint64_t row = uint64_t(op.getKeyDigit(index)) << 16 | limb << 1;
      works.push_back({KernelFamily::innerProductDigit,
                       1,
                       {read(digit, i), placeOf(Space::key, number, row),
                        placeOf(Space::key, number, row | 1)}});
    }
    works.push_back({KernelFamily::innerProduct, 1, {read(op.getB(), i), read(op.getA(), i)}});
  }

  /// An inner product with constants for digits.
  void listWeightedSum(rns::WeightedSumOp op, size_t i) {
    for (auto [weight, value0, value1] :
         llvm::zip_equal(op.getWeights(), op.getValues0(), op.getValues1()))
      works.push_back({KernelFamily::innerProductDigit,
                       1,
                       {read(weight, i), read(value0, i), read(value1, i)}});
    works.push_back({KernelFamily::innerProduct,
                     1,
                     {read(op.getAcc0(), i), read(op.getAcc1(), i), read(op.getSum0(), i),
                      read(op.getSum1(), i)}});
  }

  /// Limb i of a value, which rns-to-runtime refuses if it has no place.
  LimbPlace read(Value value, size_t i) {
    if (auto left = touchesLeft.find(value); left != touchesLeft.end()) {
      if (left->second == 0)
        return algorithms::cachedPlace;
      --left->second;
    }
    if (auto constant = value.getDefiningOp<rns::ConstantOp>()) {
      // Equal constants over different limbs are one constant of the artifact.
      Attribute identity =
          ArrayAttr::get(constant.getContext(), {constant.getKindAttr(), constant.getValues(),
                                                 constant.getHighAttr(), constant.getLowAttr()});
      return placeOf(Space::constant, numberOf(constants, identity),
                     uint64_t(limbsOf(constant.getResult())[i]));
    }
    auto limbs = places.find(value);
    return limbs == places.end() || i >= limbs->second.size() ? LimbPlace(0) : limbs->second[i];
  }

  /// A copy: what a reference names moves when another value gets its places.
  std::vector<LimbPlace> placesOf(Value value) const { return places.lookup(value); }

  static uint64_t numberOf(llvm::MapVector<Attribute, uint64_t> &numbers, Attribute identity) {
    return numbers.try_emplace(identity, numbers.size()).first->second;
  }

  func::FuncOp function;
  std::vector<KernelWork> works;
  llvm::DenseMap<Value, std::vector<LimbPlace>> places;
  llvm::MapVector<Attribute, uint64_t> constants, keys;
  uint64_t numCiphertextLimbs = 0;
  bool isDevice;
  uint64_t launches = 0;
  /// In a limb kernel on a device: how often its values are still touched in memory.
  llvm::DenseMap<Value, size_t> touchesLeft;
};

} // namespace

std::optional<std::vector<KernelWork>> listWork(func::FuncOp function) {
  std::optional<DeviceWork> work = WorkLister(function, WorkLister::Machine::cpu).run();
  if (!work)
    return std::nullopt;
  return std::move(work->works);
}

std::optional<DeviceWork> listDeviceWork(func::FuncOp function) {
  return WorkLister(function, WorkLister::Machine::device).run();
}

FailureOr<TimeForecast> forecastTimes(ModuleOp module) {
  FailureOr<CostTable> costs = readCosts(module);
  if (failed(costs))
    return failure();
  TimeForecast forecast;
  rns::RingAttr ring = rns::findRing(module);
  auto functions = module.getOps<func::FuncOp>();
  if (!ring || !llvm::hasSingleElement(functions) || (*functions.begin()).isDeclaration())
    return forecast;
  if (costs->isOfDevice()) {
    if (auto work = listDeviceWork(*functions.begin())) {
      forecast.families = algorithms::programTime(work->works, ring.getLogN(), *costs);
      forecast.launches = work->launches;
      forecast.launchNs = double(work->launches) * *costs->launchNs;
    }
  } else if (auto works = listWork(*functions.begin())) {
    forecast.families = algorithms::programTime(*works, ring.getLogN(), *costs);
  }
  return forecast;
}

} // namespace sluice
