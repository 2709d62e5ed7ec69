//===- BootstrapSyntax.h - the attributes of a bootstrap that have defaults -------------------===//
//
// Of ckks.bootstrap, in any order behind the others: `, real, iterations = 2, log_gain = 20`.
// Internal to the dialect.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_BOOTSTRAPSYNTAX_H
#define SLUICE_DIALECTS_CKKS_BOOTSTRAPSYNTAX_H

#include "dialects/CKKS/CKKSOps.h"

#include "mlir/IR/OpImplementation.h"

namespace sluice::ckks {

mlir::ParseResult parseBootstrapForm(mlir::OpAsmParser &parser, mlir::IntegerAttr &arcsineDegree,
                                     SineNodesAttr &nodes, BootstrapOrderAttr &order,
                                     mlir::UnitAttr &real, mlir::IntegerAttr &iterations,
                                     mlir::IntegerAttr &logGain);

/// Leaves out what has its default.
void printBootstrapForm(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::IntegerAttr arcsineDegree, SineNodesAttr nodes,
                        BootstrapOrderAttr order, mlir::UnitAttr real, mlir::IntegerAttr iterations,
                        mlir::IntegerAttr logGain);

} // namespace sluice::ckks

#endif // SLUICE_DIALECTS_CKKS_BOOTSTRAPSYNTAX_H
