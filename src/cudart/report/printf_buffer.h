// Output of printf in kernels. As on a real GPU, it reaches the program's stdout when the program
// synchronises, not during the launch, which the program takes for asynchronous.
#ifndef HEDDLE_CUDART_PRINTF_BUFFER_H
#define HEDDLE_CUDART_PRINTF_BUFFER_H

#include <stddef.h>

// HdSimulation.print.
void printf_buffer_append(void *context, const char *text, size_t length);
// Writes the buffered output to stdout. Requires the context's lock.
void printf_buffer_flush(void);

#endif
