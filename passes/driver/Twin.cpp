//===- Twin.cpp - the same function in the clear ----------------------------------------------===//

#include "passes/driver/Twin.h"

#include "passes/SlotEvaluation.h"
#include "passes/TensorEvaluation.h"
#include "passes/algorithms/Layout.h"
#include "passes/algorithms/LevelSearch.h"
#include "passes/algorithms/ScaleValue.h"
#include "passes/driver/SlotNoise.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using sluice::algorithms::Placement;

namespace sluice {

/// The number of items in `inputs`; an error when the counts of elements do not fit the shapes.
static FailureOr<int64_t> countItems(func::FuncOp function, ArrayRef<int64_t> elements,
                                     const TensorItems &inputs) {
  if (inputs.size() != elements.size())
    return function.emitError() << "the program takes " << elements.size() << " inputs; "
                                << inputs.size() << " were given",
           failure();
  int64_t items = inputs.empty() ? 1 : int64_t(inputs.front().size()) / elements.front();
  for (auto [index, input] : llvm::enumerate(inputs))
    if (int64_t(input.size()) != items * elements[index] || items == 0)
      return function.emitError() << "input " << index << " has " << input.size()
                                  << " numbers, not " << items << " items of " << elements[index],
             failure();
  return items;
}

static FailureOr<TensorItems> simulateTraced(func::FuncOp function, const TensorItems &inputs) {
  SmallVector<int64_t> elements;
  for (Value argument : function.getArguments())
    elements.push_back(elementCountOf(argument));
  auto items = countItems(function, elements, inputs);
  if (failed(items))
    return failure();
  TensorItems outputs(function.getNumResults());
  for (int64_t item = 0; item < *items; ++item) {
    TensorItems arguments;
    for (auto [input, count] : llvm::zip_equal(inputs, elements))
      arguments.emplace_back(input.begin() + item * count, input.begin() + (item + 1) * count);
    auto results = TensorEvaluator<double>().run(function, std::move(arguments));
    if (failed(results))
      return failure();
    for (auto [output, result] : llvm::zip_equal(outputs, *results))
      output.insert(output.end(), result.begin(), result.end());
  }
  return outputs;
}

namespace {

/// An argument or a result: its elements are one number each, or two where they are complex.
struct Port : Placement {
  unsigned parts = 1;

  int64_t numbers() const { return algorithms::elementCount(shape) * parts; }
};

} // namespace

/// From the attributes of an argument or result, which the error calls `what`.
static FailureOr<Port> toPort(func::FuncOp function, DictionaryAttr attributes, const Twine &what) {
  auto layout =
      attributes ? attributes.getAs<ckks::LayoutAttr>(ckks::layoutAttrName) : ckks::LayoutAttr();
  if (!layout)
    return function.emitError() << what << " has no ckks.layout", failure();
  Placement placement{algorithms::Shape(layout.getShape().begin(), layout.getShape().end()),
                      layout.getLanes(), layout.getBatch(), layout.getBatched()};
  return Port{std::move(placement), attributes.contains(ckks::complexAttrName) ? 2U : 1U};
}

static FailureOr<std::vector<Port>> argumentPorts(func::FuncOp function) {
  std::vector<Port> ports;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    auto port = toPort(function, function.getArgAttrDict(index), "argument " + Twine(index));
    if (failed(port))
      return failure();
    ports.push_back(std::move(*port));
  }
  return ports;
}

/// Every `stride`-th number from number `first` on.
static std::vector<double> everyNth(ArrayRef<double> numbers, size_t first, size_t stride) {
  std::vector<double> chosen;
  chosen.reserve(numbers.size() / stride);
  for (size_t k = first; k < numbers.size(); k += stride)
    chosen.push_back(numbers[k]);
  return chosen;
}

/// The slots of `items`.
template <typename T>
static std::vector<T> pack(ArrayRef<double> items, const Port &port, int64_t length) {
  std::vector<double> real = algorithms::packSlots(everyNth(items, 0, port.parts), port, length);
  std::vector<T> slots(real.begin(), real.end());
  if constexpr (std::is_same_v<T, Complex>) {
    if (port.parts == 1)
      return slots;
    std::vector<double> other = algorithms::packSlots(everyNth(items, 1, port.parts), port, length);
    for (auto [slot, part] : llvm::zip_equal(slots, other))
      slot.imag(part);
  }
  return slots;
}

/// The packing length: of the parameters, or before they exist of the packing.
static FailureOr<int64_t> packingLength(ModuleOp module) {
  if (auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName))
    return params.getSlots();
  if (auto slots = module->getAttrOfType<IntegerAttr>(ckks::slotsAttrName))
    return slots.getInt();
  return module.emitError("the module has neither ckks.params nor ckks.slots"), failure();
}

/// The vector length to run `items` items on: shorter than the packing where the program only moves
/// whole lanes, since then the places of a batch do not know of each other and those without item
/// can be left out.
static int64_t vectorLength(func::FuncOp function, int64_t slots, int64_t items) {
  int64_t lanes = 1;
  auto consider = [&](DictionaryAttr attributes) {
    if (auto layout = attributes ? attributes.getAs<ckks::LayoutAttr>(ckks::layoutAttrName)
                                 : ckks::LayoutAttr())
      lanes = std::max(lanes, layout.getLanes());
  };
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    consider(function.getArgAttrDict(index));
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    consider(function.getResultAttrDict(index));
  return slotGranularity(function, slots) == lanes
             ? std::min(slots, lanes * algorithms::nextPowerOfTwo(items))
             : slots;
}

/// Nothing else makes slots complex.
static bool hasComplexSlots(func::FuncOp function) {
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    if (function.getArgAttr(index, ckks::complexAttrName))
      return true;
  return llvm::any_of(function.getOps(), [&](Operation &op) {
    return llvm::TypeSwitch<Operation *, bool>(&op)
        .Case([](ckks::MulByIOp) { return true; })
        .Case([&](ckks::PolynomialOp polynomial) { return polynomial.isComplex(); })
        .Case([&](ckks::MulPlainOp product) { return ckks::isComplex(product.getValue()); })
        .Case([&](ckks::LinearTransformOp transform) {
          return ckks::isComplex(transform.getDiagonals());
        })
        .Default([](Operation *) { return false; });
  });
}

/// Calls `run` with a zero of the type that the function's slots have.
template <typename Run> static auto onSlotType(func::FuncOp function, Run run) {
  return hasComplexSlots(function) ? run(Complex()) : run(0.0);
}

static double realPart(double slot) { return slot; }
static double realPart(Complex slot) { return slot.real(); }
static double imaginaryPart(double) { return 0; }
static double imaginaryPart(Complex slot) { return slot.imag(); }

/// The first `items` items in `slots`, as a client decrypts them: real parts unless they are
/// complex.
template <typename T>
static std::vector<double> unpack(ArrayRef<T> slots, const Port &port, int64_t items) {
  auto partsOf = [&](auto part) {
    std::vector<double> parts;
    parts.reserve(slots.size());
    for (T slot : slots)
      parts.push_back(part(slot));
    return algorithms::unpackSlots(parts, port, items);
  };
  std::vector<double> real = partsOf([](T slot) { return realPart(slot); });
  if (port.parts == 1)
    return real;
  std::vector<double> numbers;
  numbers.reserve(2 * real.size());
  for (auto [re, im] : llvm::zip_equal(real, partsOf([](T slot) { return imaginaryPart(slot); })))
    numbers.insert(numbers.end(), {re, im});
  return numbers;
}

template <typename T>
static FailureOr<TensorItems>
simulatePacked(ModuleOp module, func::FuncOp function, const TensorItems &inputs,
               std::optional<uint64_t> noiseSeed,
               const typename SlotEvaluator<T>::Observer &observer = {}) {
  auto slots = packingLength(module);
  auto ports = argumentPorts(function);
  if (failed(slots) || failed(ports))
    return failure();
  SmallVector<int64_t> elements;
  for (const Port &port : *ports)
    elements.push_back(port.numbers());
  auto items = countItems(function, elements, inputs);
  if (failed(items))
    return failure();
  int64_t length = vectorLength(function, *slots, *items);
  std::vector<std::vector<T>> arguments;
  for (auto [port, input] : llvm::zip_equal(*ports, inputs)) {
    int64_t capacity = port.batched ? port.batch : 1;
    if (*items > capacity)
      return function.emitError() << *items << " items were given; the program takes " << capacity
                                  << " at a time",
             failure();
    arguments.push_back(pack<T>(input, port, length));
  }
  std::optional<SlotNoise> noise;
  if (noiseSeed) {
    auto created = SlotNoise::create(module, *noiseSeed);
    if (failed(created))
      return failure();
    noise.emplace(std::move(*created));
    for (auto [argument, vector] : llvm::zip_equal(function.getArguments(), arguments))
      noise->addEncryption(argument, vector);
  }
  auto observe = [&](Operation *op, const std::vector<T> &operand, std::vector<T> &result) {
    if (noise)
      noise->addTo(op, operand, result);
    if (observer)
      observer(op, operand, result);
  };
  auto results = SlotEvaluator<T>(*slots, observe).run(function, std::move(arguments));
  if (failed(results))
    return failure();
  TensorItems outputs;
  for (auto [index, result] : llvm::enumerate(*results)) {
    auto port = toPort(function, function.getResultAttrDict(index), "result " + Twine(index));
    if (failed(port))
      return failure();
    outputs.push_back(unpack<T>(result, *port, *items));
  }
  return outputs;
}

FailureOr<TensorItems> simulate(ModuleOp module, const TensorItems &inputs,
                                std::optional<uint64_t> noiseSeed) {
  auto function = findEntryFunction(module);
  if (failed(function))
    return failure();
  bool isPacked = llvm::all_of(function->getArgumentTypes(), llvm::IsaPred<ckks::CtType>);
  bool isTraced = llvm::all_of(function->getArgumentTypes(), isReal);
  if (isPacked)
    return onSlotType(*function, [&](auto zero) {
      return simulatePacked<decltype(zero)>(module, *function, inputs, noiseSeed);
    });
  if (!isTraced)
    return module.emitError(
               "this stage has no values on slots; simulate a stage from traced to settled"),
           failure();
  if (noiseSeed)
    return module.emitError("noise needs levels and scales; simulate the settled stage"), failure();
  return simulateTraced(*function, inputs);
}

template <typename T>
static FailureOr<bool> respectsRangesOn(ModuleOp module, func::FuncOp function,
                                        const TensorItems &inputs) {
  bool areRespected = true;
  auto observe = [&](Operation *op, const std::vector<T> &, std::vector<T> &slots) {
    auto range = rangeOf(op->getAttr(ckks::rangeAttrName));
    if (!range)
      return;
    double slack = std::ldexp(range->high - range->low, -20);
    for (T slot : slots)
      areRespected &= range->low - slack <= realPart(slot) &&
                      realPart(slot) <= range->high + slack &&
                      std::fabs(imaginaryPart(slot)) <= slack;
  };
  if (failed(simulatePacked<T>(module, function, inputs, std::nullopt, observe)))
    return failure();
  return areRespected;
}

FailureOr<bool> respectsRanges(ModuleOp module, const TensorItems &inputs) {
  auto function = findEntryFunction(module);
  if (failed(function))
    return failure();
  return onSlotType(*function, [&](auto zero) {
    return respectsRangesOn<decltype(zero)>(module, *function, inputs);
  });
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

/// Emits an error when a slot of the result of `op` times its scale does not fit its level.
template <typename T>
static LogicalResult checkFits(Operation *op, ArrayRef<T> slots, ckks::ParamsAttr params) {
  auto type = dyn_cast<ckks::CtType>(op->getResult(0).getType());
  if (!type || !type.isSettled())
    return success();
  double largest = 0;
  for (T slot : slots)
    largest = std::max(largest, std::abs(slot));
  double modulus = algorithms::sumLog2(params.getPrimes(params.getLevel(type.getLevel())));
  double scale = algorithms::scaleLog2(type.getScale(), params.getLimbs());
  double needed = std::log2(largest) + scale + 1;
  if (needed <= modulus)
    return success();
  return op->emitError() << "a value of " << shortNumber(largest) << " at scale 2^"
                         << shortNumber(std::round(scale * 10) / 10) << " needs "
                         << unsigned(std::ceil(needed)) << " bits with its sign; level "
                         << type.getLevel() << " has " << unsigned(modulus)
                         << ": give level 0 more bits, or narrow the ranges";
}

FailureOr<TensorItems> simulateWithRoom(ModuleOp module, const TensorItems &inputs) {
  auto function = findEntryFunction(module);
  if (failed(function))
    return failure();
  auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  return onSlotType(*function, [&](auto zero) -> FailureOr<TensorItems> {
    using T = decltype(zero);
    bool fits = true;
    auto observe = [&](Operation *op, const std::vector<T> &, std::vector<T> &slots) {
      fits = fits && succeeded(checkFits<T>(op, slots, params));
    };
    auto outputs = simulatePacked<T>(module, *function, inputs, std::nullopt, observe);
    if (!fits)
      return failure();
    return outputs;
  });
}

} // namespace sluice
