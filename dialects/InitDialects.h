//===- InitDialects.h - registration of all dialects ------------------------------------------===//
//
// One function, so that drivers stay short.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_INITDIALECTS_H
#define SLUICE_DIALECTS_INITDIALECTS_H

#include "dialects/CKKS/CKKSOps.h"
#include "dialects/RNS/RNSOps.h"

namespace sluice {

/// Sluice's own dialects; upstream ones are the caller's choice.
inline void registerSluiceDialects(mlir::DialectRegistry &registry) {
  registry.insert<ckks::CKKSDialect, rns::RNSDialect>();
}

} // namespace sluice

#endif // SLUICE_DIALECTS_INITDIALECTS_H
