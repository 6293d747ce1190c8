// What kernels have printed: it comes to the program's stdout when the program waits for the
// device, as from CUDA's buffer, and not while a launch that the program takes for asynchronous is
// made.
#ifndef HEDDLE_CUDART_PRINTF_BUFFER_H
#define HEDDLE_CUDART_PRINTF_BUFFER_H

#include <stddef.h>

// HdSimulation.print.
void printf_buffer_append(void *context, const char *text, size_t length);
// Under the context's lock: the program waits.
void printf_buffer_flush(void);

#endif
