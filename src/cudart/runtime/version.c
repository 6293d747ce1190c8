// Which runtime a library stands for: the only file that is compiled once for each.
#include "cudart/runtime/context.h"

const int cudart_version = CUDART_VERSION;
