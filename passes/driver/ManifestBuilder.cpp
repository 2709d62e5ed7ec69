//===- ManifestBuilder.cpp - from the attributes of the llvm phase to plain data --------------===//

#include "passes/driver/ManifestBuilder.h"

#include "dialects/CKKS/CKKSOps.h"
#include "passes/ChainNoise.h"
#include "passes/DftAttributes.h"
#include "passes/ProgramAttributes.h"
#include "passes/algorithms/ScaleValue.h"
#include "passes/driver/CertificateBuilder.h"
#include "passes/driver/Report.h"
#include "runtime/abi/sluice.h"
#include "runtime/ring/dft_factors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <map>

using namespace mlir;

namespace sluice {

namespace {

std::vector<uint16_t> toLimbs(ArrayRef<int64_t> indices) {
  return std::vector<uint16_t>(indices.begin(), indices.end());
}

double log2Product(ckks::ParamsAttr params, ArrayRef<uint16_t> limbs) {
  double sum = 0;
  for (uint16_t limb : limbs)
    sum += std::log2(static_cast<double>(params.getLimbs()[limb]));
  return sum;
}

/// Reads one module; the first attribute that is not as it should be ends the reading with an
/// error.
class ContentsReader {
public:
  explicit ContentsReader(ModuleOp module) : module(module) {}

  FailureOr<ArtifactContents> read(StringRef name) {
    params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    if (!params)
      return module.emitError("the module has no 'ckks.params'");
    readRing();
    if (failed(readName(name)) || failed(readKeys()) || failed(readSecurity()) ||
        failed(readProgram()) ||
        failed(readTensors(inputsAttr, contents.manifest.inputs, contents.program.inputs)) ||
        failed(readTensors(outputsAttr, contents.manifest.outputs, contents.program.outputs)))
      return failure();
    readForecast();
    if (failed(addCertificate(module, contents.manifest)))
      return failure();
    return std::move(contents);
  }

private:
  /// Entry `key` of `dictionary` as an attribute of type T, which is called `what` in the error.
  template <typename T>
  FailureOr<T> get(DictionaryAttr dictionary, StringRef where, StringRef key, StringRef what) {
    if (auto value = dictionary.getAs<T>(key))
      return value;
    return module.emitError("'") << where << "' has no " << what << " called '" << key << "'";
  }

  void readRing() {
    Manifest &manifest = contents.manifest;
    manifest.logN = params.getLogN();
    manifest.limbs.assign(params.getLimbs().begin(), params.getLimbs().end());
    manifest.special = toLimbs(params.getSpecial());
    for (DenseI64ArrayAttr level : params.getLevels())
      manifest.levels.push_back(toLimbs(level));
    manifest.slots = params.getSlots();
    manifest.secret = distributionOf(params);
    if (params.hasEphemeral())
      manifest.ephemeral.emplace().special = toLimbs(params.getEphemeralSpecial());
  }

  LogicalResult readName(StringRef name) {
    auto attribute = module->getAttrOfType<StringAttr>(programNameAttr);
    if (name.empty() && !attribute)
      return module.emitError("the module has no '") << programNameAttr << "'";
    contents.manifest.programName = name.empty() ? attribute.str() : name.str();
    return success();
  }

  LogicalResult readKeys() {
    FailureOr<std::vector<EvaluationKey>> keys = readEvaluationKeys(module);
    if (failed(keys))
      return failure();
    for (const EvaluationKey &key : *keys) {
      if (llvm::any_of(key.limbs, [&](int64_t limb) {
            return limb < 0 || limb >= static_cast<int64_t>(params.getLimbs().size());
          }))
        return module.emitError("'") << keysAttr << "' names a limb that is not in the table of "
                                     << params.getLimbs().size() << " limbs";
      ManifestKey entry;
      entry.kind = findKeyKind(key.kind).value_or(KeyKind::relinearize); // its reader checked it
      entry.element = static_cast<uint32_t>(key.element);
      entry.permuted = key.permuted;
      entry.limbs = toLimbs(key.limbs);
      for (const std::vector<int64_t> &digit : key.digits)
        entry.digits.push_back(toLimbs(digit));
      // Key number k of the code is key k of the manifest.
      contents.program.keys.push_back(
          static_cast<uint32_t>(contents.manifest.evaluationKeys.size()));
      contents.manifest.evaluationKeys.push_back(std::move(entry));
    }
    return success();
  }

  /// log2 of the largest modulus under the secret: of a key, or, without keys, of the encryption
  /// key over P and the top level.
  double largestModulus() const {
    std::vector<uint16_t> encryption = contents.manifest.special;
    const std::vector<uint16_t> &top = contents.manifest.levels.back();
    encryption.insert(encryption.end(), top.begin(), top.end());
    double largest = log2Product(params, encryption);
    for (const ManifestKey &key : contents.manifest.evaluationKeys)
      if (key.kind != KeyKind::toEphemeral)
        largest = std::max(largest, log2Product(params, key.limbs));
    return largest;
  }

  /// Fills in the row of the security table for `secret`; an error when `logQP` bits, which are
  /// what `what` says, are not within it.
  LogicalResult readRow(SecretDistribution secret, double logQP, StringRef what, uint32_t &limit,
                        std::string &name) {
    auto row = findSecurityRow(secret, params.getLogN());
    if (row) {
      limit = row->limitBits;
      name = row->name;
    }
    if (params.getSecurity() != 0 && !(row && isWithin(*row, logQP)))
      return module.emitError() << what << ' ' << static_cast<int64_t>(std::ceil(logQP))
                                << " bits, which "
                                << (row ? "the security table does not allow for " +
                                              std::string(row->name)
                                        : "no row of the security table covers")
                                << "; parameters for tests are marked 'security = 0'";
    return success();
  }

  LogicalResult readEphemeralSecurity() {
    ManifestEphemeral &ephemeral = *contents.manifest.ephemeral;
    for (const ManifestKey &key : contents.manifest.evaluationKeys)
      if (key.kind == KeyKind::toEphemeral)
        ephemeral.logQP = log2Product(params, key.limbs);
    return readRow(ephemeral.distribution, ephemeral.logQP, "the key for the ephemeral secret has",
                   ephemeral.limit, ephemeral.row);
  }

  LogicalResult readSecurity() {
    ManifestSecurity &security = contents.manifest.security;
    security.logQP = largestModulus();
    security.bits = params.getSecurity();
    security.insecure = params.getSecurity() == 0;
    if (failed(readRow(contents.manifest.secret, security.logQP,
                       "the moduli need log2 PQ =", security.limit, security.row)))
      return failure();
    return contents.manifest.ephemeral ? readEphemeralSecurity() : success();
  }

  LogicalResult readProgram() {
    program = module->getAttrOfType<DictionaryAttr>(programAttr);
    if (!program)
      return module.emitError("the module has no '")
             << programAttr << "', which rns-to-runtime adds";
    auto arenaSlots = get<IntegerAttr>(program, programAttr, "arena_slots", "integer");
    auto constants = get<ArrayAttr>(program, programAttr, "constants", "array");
    if (failed(arenaSlots) || failed(constants))
      return failure();
    contents.program.abi = SLUICE_ABI_VERSION;
    contents.program.target = "cpu";
    contents.program.arenaSlots = static_cast<uint32_t>(arenaSlots->getInt());
    if (auto scratchSlots = program.getAs<IntegerAttr>("scratch_slots"))
      contents.program.scratchSlots = static_cast<uint32_t>(scratchSlots.getInt());
    if (auto stages = program.getAs<ArrayAttr>("stages"))
      for (auto name : stages.getAsRange<StringAttr>())
        contents.program.stages.push_back(name.str());
    for (Attribute entry : *constants)
      if (failed(readConstant(entry)))
        return failure();
    return success();
  }

  LogicalResult readConstant(Attribute entry) {
    auto dictionary = dyn_cast<DictionaryAttr>(entry);
    if (!dictionary)
      return module.emitError("a constant of '") << programAttr << "' is no dictionary";
    auto values = get<DenseF64ArrayAttr>(dictionary, programAttr, "values", "array of f64");
    auto scale = get<DenseF64ArrayAttr>(dictionary, programAttr, "scale", "pair of f64");
    auto limbs = get<DenseI64ArrayAttr>(dictionary, programAttr, "limbs", "array of limbs");
    if (failed(values) || failed(scale) || failed(limbs))
      return failure();
    if (scale->size() != 2)
      return module.emitError("a scale of '") << programAttr << "' is no pair of f64";
    ProgramConstant constant;
    constant.isComplex = dictionary.contains("complex");
    constant.count = values->size() / (constant.isComplex ? 2 : 1);
    if (auto slots = dictionary.getAs<IntegerAttr>("slots"))
      constant.slots = uint64_t(slots.getInt());
    if (auto generator = dictionary.getAs<ckks::DftDiagonalAttr>("generator")) {
      constant.kind = ConstantKind::dftDiagonal;
      constant.diagonal = toDftDiagonal(generator);
      if (failed(expectSame(*values, generator)))
        return failure();
    } else {
      constant.offset = offsetOf(*values);
    }
    constant.scaleHigh = (*scale)[0];
    constant.scaleLow = (*scale)[1];
    constant.limbs = toLimbs(*limbs);
    contents.program.constants.push_back(std::move(constant));
    return success();
  }

  /// The generator gives these values, bit for bit: the artifact must hold the program that was
  /// compiled.
  LogicalResult expectSame(DenseF64ArrayAttr values, ckks::DftDiagonalAttr generator) {
    SmallVector<double> generated;
    const DftDiagonal diagonal = toDftDiagonal(generator);
    const uint32_t logSlots = diagonal.matrix.group.logSlots;
    const ring::DftEntries &entries = dftEntries.try_emplace(logSlots, logSlots).first->second;
    for (std::complex<double> value : entries.values(diagonal))
      generated.append({value.real(), value.imag()});
    auto haveSameBits = [](double a, double b) {
      return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
    };
    if (!std::ranges::equal(values.asArrayRef(), generated, haveSameBits))
      return module.emitError("the values of a constant are not those of its generator ")
             << generator;
    return success();
  }

  /// Where the values stand in the section of constants; equal lists stand there once.
  size_t offsetOf(DenseF64ArrayAttr values) {
    std::vector<double> &all = contents.constantValues;
    auto [entry, isNew] = offsets.try_emplace(values, all.size());
    if (isNew)
      all.insert(all.end(), values.asArrayRef().begin(), values.asArrayRef().end());
    return entry->second;
  }

  LogicalResult readTensors(StringRef attributeName, std::vector<ManifestTensor> &tensors,
                            std::vector<ProgramPort> &ports) {
    StringRef portsKey = attributeName == inputsAttr ? "inputs" : "outputs";
    auto list = module->getAttrOfType<ArrayAttr>(attributeName);
    auto places = get<ArrayAttr>(program, programAttr, portsKey, "array");
    if (failed(places))
      return failure();
    if (!list || list.size() != places->size())
      return module.emitError("'") << attributeName << "' must be an array as long as '" << portsKey
                                   << "' of '" << programAttr << "'";
    for (auto [entry, place] : llvm::zip(list, *places)) {
      FailureOr<ManifestTensor> tensor = readTensor(attributeName, entry);
      if (failed(tensor))
        return failure();
      ports.push_back({tensor->level, {}});
      tensors.push_back(std::move(*tensor));
      auto polynomials = dyn_cast<ArrayAttr>(place);
      for (Attribute polynomial : polynomials ? polynomials.getValue() : ArrayRef<Attribute>()) {
        auto slots = dyn_cast<DenseI64ArrayAttr>(polynomial);
        if (!slots)
          return module.emitError("a place in '") << programAttr << "' is no array of slots";
        ports.back().slots.emplace_back(slots.asArrayRef().begin(), slots.asArrayRef().end());
      }
    }
    return success();
  }

  FailureOr<ManifestTensor> readTensor(StringRef attributeName, Attribute entry) {
    auto dictionary = dyn_cast<DictionaryAttr>(entry);
    if (!dictionary)
      return module.emitError("an entry of '") << attributeName << "' is no dictionary";
    auto name = get<StringAttr>(dictionary, attributeName, "name", "string");
    auto layout = get<ckks::LayoutAttr>(dictionary, attributeName, "layout", "#ckks.layout");
    auto type = get<TypeAttr>(dictionary, attributeName, "type", "type");
    if (failed(name) || failed(layout) || failed(type))
      return failure();
    auto ciphertext = dyn_cast<ckks::CtType>(type->getValue());
    if (!ciphertext || ciphertext.isFloating() || ciphertext.getLevel() >= params.getNumLevels())
      return module.emitError("'") << attributeName << "' has the type " << *type
                                   << " for a settled ciphertext of 'ckks.params'";

    ManifestTensor tensor;
    tensor.name = name->str();
    tensor.shape.assign(layout->getShape().begin(), layout->getShape().end());
    tensor.lanes = layout->getLanes();
    tensor.batch = layout->getBatch();
    tensor.batched = layout->getBatched();
    tensor.isComplex = dictionary.contains("complex");
    tensor.level = static_cast<uint32_t>(ciphertext.getLevel());
    algorithms::DoubleDouble value = algorithms::scaleValue(
        ciphertext.getScale(), {params.getLimbs().data(), params.getLimbs().size()});
    tensor.scale = {ciphertext.getScale().str(), value.high, value.low};
    if (attributeName == inputsAttr && failed(readRange(dictionary, tensor)))
      return failure();
    return tensor;
  }

  LogicalResult readRange(DictionaryAttr dictionary, ManifestTensor &tensor) {
    auto range = dictionary.getAs<ArrayAttr>("range");
    if (!range || range.size() != 2 || !llvm::all_of(range, llvm::IsaPred<FloatAttr>))
      return module.emitError("input '")
             << tensor.name << "' has no 'ckks.range': the client must know which values to refuse";
    tensor.rangeLow = cast<FloatAttr>(range[0]).getValueAsDouble();
    tensor.rangeHigh = cast<FloatAttr>(range[1]).getValueAsDouble();
    return success();
  }

  void readForecast() {
    auto products = module->getAttrOfType<IntegerAttr>(ciphertextProductsAttr);
    auto switches = module->getAttrOfType<IntegerAttr>(keySwitchesAttr);
    auto precision = module->getAttrOfType<FloatAttr>(precisionBitsAttr);
    auto time = module->getAttrOfType<FloatAttr>(timeMsAttr);
    ManifestForecast &forecast = contents.manifest.forecast;
    forecast.precisionBits = precision ? precision.getValueAsDouble() : 0;
    forecast.timeMs = time ? time.getValueAsDouble() : 0;
    for (const ManifestKey &key : contents.manifest.evaluationKeys)
      forecast.keyBytes += keyFileBytes(key, params.getLogN());
    // On one thread; every other has scratch slots of its own.
    uint64_t slots = uint64_t(contents.program.arenaSlots) + contents.program.scratchSlots;
    forecast.arenaBytes = (slots * sizeof(uint64_t)) << params.getLogN();
    forecast.levels = static_cast<uint64_t>(params.getNumLevels() - 1);
    forecast.ciphertextProducts = products ? static_cast<uint64_t>(products.getInt()) : 0;
    forecast.keySwitches = switches ? static_cast<uint64_t>(switches.getInt()) : 0;
  }

  ModuleOp module;
  ckks::ParamsAttr params;
  DictionaryAttr program;
  ArtifactContents contents;
  llvm::DenseMap<Attribute, size_t> offsets;
  std::map<uint32_t, ring::DftEntries> dftEntries; // by their logSlots
};

} // namespace

FailureOr<ArtifactContents> readContents(ModuleOp module, StringRef name) {
  return ContentsReader(module).read(name);
}

} // namespace sluice
