// A function of the program that is called in the order of a stream.
#ifndef HEDDLE_CUDART_HOST_FUNCTIONS_H
#define HEDDLE_CUDART_HOST_FUNCTIONS_H

#include "cudart/runtime/context.h"

typedef void (*HostFunction)(void *data);

#endif
