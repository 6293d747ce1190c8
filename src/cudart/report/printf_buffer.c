// Buffers the output of printf in kernels until the program synchronises.
#include "cudart/report/printf_buffer.h"

#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"

#include <stdio.h>
#include <stdlib.h>

// Bytes. CUDA's buffer of this size overwrites old text; here a full buffer is written out.
enum { CAPACITY = 1 << 20 };

void printf_buffer_flush(void)
{
    PrintText *buffer = &cudart_state()->printf_text;
    if (!buffer->length) return;
    fwrite(buffer->text, 1, buffer->length, stdout);
    fflush(stdout);
    free(buffer->text);
    *buffer = (PrintText){0};
}

void printf_buffer_append(void *context, const char *text, size_t length)
{
    (void)context;
    PrintText *buffer = &cudart_state()->printf_text;
    if (buffer->length + length > CAPACITY) printf_buffer_flush();
    if (length <= CAPACITY && print_bytes(buffer, text, length)) return;
    printf_buffer_flush();
    fwrite(text, 1, length, stdout);
}
