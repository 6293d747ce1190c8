// What kernels have printed, until the program waits.
#include "cudart/report/printf_buffer.h"

#include "cudart/runtime/context.h"
#include "cudart/runtime/runtime_state.h"

#include <stdio.h>
#include <stdlib.h>

// CUDA's buffer begins to lose text at this size; here it is shown.
enum { MOST_KEPT = 1 << 20 };

void printf_buffer_flush(void)
{
    PrintText *kept = &cudart_state()->printf_text;
    if (!kept->length) return;
    fwrite(kept->text, 1, kept->length, stdout);
    fflush(stdout);
    free(kept->text);
    *kept = (PrintText){0};
}

void printf_buffer_append(void *context, const char *text, size_t length)
{
    (void)context;
    PrintText *kept = &cudart_state()->printf_text;
    if (kept->length + length > MOST_KEPT) printf_buffer_flush();
    if (length <= MOST_KEPT && print_bytes(kept, text, length)) return;
    printf_buffer_flush();
    fwrite(text, 1, length, stdout);
}
