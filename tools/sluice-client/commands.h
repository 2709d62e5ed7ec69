//===- commands.h - what the commands do -----------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_CLIENT_COMMANDS_H
#define SLUICE_TOOLS_SLUICE_CLIENT_COMMANDS_H

#include "tools/sluice-client/arguments.h"

namespace sluice::tools {

// Each prints its result to stdout, as text or as one JSON object.

Status runInspect(const Arguments &arguments);
Status runKeygen(const Arguments &arguments);
Status runEncrypt(const Arguments &arguments);
Status runDecrypt(const Arguments &arguments);

} // namespace sluice::tools

#endif // SLUICE_TOOLS_SLUICE_CLIENT_COMMANDS_H
