//===- LoopComponents.h - the parts of a loop that share no computed value --------------------===//
//
// A loop often holds several computations side by side: the two halves of a ciphertext, or many
// ciphertexts. What they read from outside does not connect them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_LOOPCOMPONENTS_H
#define SLUICE_DIALECTS_RNS_LOOPCOMPONENTS_H

#include "dialects/RNS/RNSOps.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace sluice::rns {

/// Operations of a loop; two are in one class if a value that one of them computes leads to both.
using LoopComponents = llvm::EquivalenceClasses<mlir::Operation *>;

/// Of the operations `body`, each of which is in a class.
LoopComponents findLoopComponents(llvm::ArrayRef<mlir::Operation *> body);

} // namespace sluice::rns

#endif // SLUICE_DIALECTS_RNS_LOOPCOMPONENTS_H
