//===- DftAttributes.h - matrices of transforms as attributes and back ------------------------===//
#ifndef SLUICE_PASSES_DFTATTRIBUTES_H
#define SLUICE_PASSES_DFTATTRIBUTES_H

#include "dialects/CKKS/CKKSOps.h"
#include "runtime/abi/dft.h"

namespace sluice {

ckks::DftMatrixAttr toAttribute(mlir::MLIRContext *context, const DftMatrix &matrix);
DftDiagonal toDftDiagonal(ckks::DftDiagonalAttr attribute);

} // namespace sluice

#endif // SLUICE_PASSES_DFTATTRIBUTES_H
