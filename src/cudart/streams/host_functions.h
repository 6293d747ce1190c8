// A function of the program that runs in stream order.
#ifndef HEDDLE_CUDART_HOST_FUNCTIONS_H
#define HEDDLE_CUDART_HOST_FUNCTIONS_H

#include "cudart/runtime/process_context.h"

typedef void (*HostFunction)(void *data);

#endif
