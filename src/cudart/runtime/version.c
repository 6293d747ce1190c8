// The runtime version that a library implements. The only file that is compiled once per version.
#include "cudart/runtime/process_context.h"

const int cudart_version = CUDART_VERSION;
