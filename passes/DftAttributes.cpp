//===- DftAttributes.cpp - matrices of transforms as attributes and back ----------------------===//

#include "passes/DftAttributes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace sluice {

// The dialect knows nothing of the runtime, so both have the enumerations.
static_assert(int(ckks::DftDirection::CoefficientsToSlots) ==
                  int(DftDirection::coefficientsToSlots) &&
              int(ckks::DftDirection::SlotsToCoefficients) ==
                  int(DftDirection::slotsToCoefficients));
static_assert(int(ckks::DftForm::Plain) == int(DftForm::plain) &&
              int(ckks::DftForm::OntoFirstHalf) == int(DftForm::ontoFirstHalf) &&
              int(ckks::DftForm::FromHalves) == int(DftForm::fromHalves));

ckks::DftMatrixAttr toAttribute(MLIRContext *context, const DftMatrix &matrix) {
  const DftGroup &group = matrix.group;
  return ckks::DftMatrixAttr::get(context, ckks::DftDirection(int(group.direction)), group.logSlots,
                                  group.first, group.count,
                                  FloatAttr::get(Float64Type::get(context), matrix.factor),
                                  ckks::DftForm(int(matrix.form)), matrix.halvesColumnZero);
}

DftDiagonal toDftDiagonal(ckks::DftDiagonalAttr attribute) {
  ckks::DftMatrixAttr matrix = attribute.getMatrix();
  const DftGroup group = {DftDirection(int(matrix.getDirection())), matrix.getLogSlots(),
                          matrix.getFirst(), matrix.getCount()};
  return {{group, matrix.getFactor().getValueAsDouble(), DftForm(int(matrix.getForm())),
           matrix.getHalvedColumn()},
          uint64_t(attribute.getIndex()),
          uint64_t(attribute.getRotation())};
}

} // namespace sluice
