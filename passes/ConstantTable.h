//===- ConstantTable.h - the constants of a program -------------------------------------------===//
#ifndef SLUICE_PASSES_CONSTANTTABLE_H
#define SLUICE_PASSES_CONSTANTTABLE_H

#include "dialects/RNS/RNSOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {

/// The constants of the program. Two operations with equal values, scales and slots are one
/// constant over the union of their limbs.
class ConstantTable {
public:
  void add(rns::ConstantOp op) {
    auto [entry, isNew] = constants.try_emplace(identity(op), Constant());
    entry->second.number = isNew ? constants.size() - 1 : entry->second.number;
    entry->second.limbs.insert_range(op.getType().getLimbs());
    if (!entry->second.generator) // equal values: any of them will do
      entry->second.generator = op.getGeneratorAttr();
  }
  uint32_t numberOf(rns::ConstantOp op) const { return find(op).number; }
  /// Row of each limb of `op` in its constant.
  llvm::SmallVector<uint16_t> rowsOf(rns::ConstantOp op) const {
    const auto &limbs = find(op).limbs;
    llvm::SmallVector<uint16_t> rows;
    for (int64_t limb : op.getType().getLimbs())
      rows.push_back(static_cast<uint16_t>(llvm::find(limbs, limb) - limbs.begin()));
    return rows;
  }

  mlir::ArrayAttr toAttribute(mlir::Builder &builder) const {
    llvm::SmallVector<mlir::Attribute> entries;
    for (const auto &[attributes, constant] : constants) {
      auto key = mlir::cast<mlir::ArrayAttr>(attributes);
      mlir::NamedAttrList entry;
      llvm::SmallVector<double> values;
      for (double value : mlir::cast<mlir::DenseElementsAttr>(key[1]).getValues<double>())
        values.push_back(value);
      entry.set("values", builder.getDenseF64ArrayAttr(values));
      if (mlir::cast<rns::ConstantKindAttr>(key[0]).getValue() == rns::ConstantKind::ComplexSlots)
        entry.set("complex", builder.getUnitAttr());
      if (auto slots = mlir::dyn_cast<mlir::IntegerAttr>(key[4]))
        entry.set("slots", slots);
      if (constant.generator)
        entry.set("generator", constant.generator);
      entry.set("scale", builder.getDenseF64ArrayAttr(
                             {mlir::cast<mlir::FloatAttr>(key[2]).getValueAsDouble(),
                              mlir::cast<mlir::FloatAttr>(key[3]).getValueAsDouble()}));
      entry.set("limbs", builder.getDenseI64ArrayAttr(constant.limbs.getArrayRef()));
      entries.push_back(entry.getDictionary(builder.getContext()));
    }
    return builder.getArrayAttr(entries);
  }

private:
  struct Constant {
    uint32_t number = 0;
    llvm::SmallSetVector<int64_t, 16> limbs;
    mlir::Attribute generator; // none, or of the first that has one
  };

  static mlir::Attribute identity(rns::ConstantOp op) {
    return mlir::ArrayAttr::get(
        op.getContext(),
        {op.getKindAttr(), op.getValues(), op.getHighAttr(), op.getLowAttr(),
         op.getSlotsAttr() ? mlir::Attribute(op.getSlotsAttr())
                           : mlir::Attribute(mlir::UnitAttr::get(op.getContext()))});
  }
  const Constant &find(rns::ConstantOp op) const { return constants.find(identity(op))->second; }

  llvm::MapVector<mlir::Attribute, Constant> constants;
};

} // namespace sluice

#endif // SLUICE_PASSES_CONSTANTTABLE_H
