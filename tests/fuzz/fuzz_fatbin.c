// Fuzz target of fat binaries, whose PTX may be compressed (LZ4, zstd).
#include "fuzz.h"

#include "cudart/modules/fatbin.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    HdError err = {0};
    Fatbin fatbin;
    // A copy of the exact size, so that the address sanitizer sees each read beyond it.
    uint8_t *data = malloc(size + !size);
    fuzz_check(data != NULL, "out of memory");
    if (size) memcpy(data, bytes, size);
    bool ok = fatbin_read(&fatbin, data, size, &err);
    fuzz_check(ok != err.set, "images, or a message");
    if (ok && fatbin.ptx_count) {
        char *text = fatbin_ptx(&fatbin, &err);
        fuzz_check(!text == err.set, "a text, or a message");
        fuzz_check(!text || strlen(text) < SIZE_MAX, "a zero byte behind the text");
        free(text);
    }
    free(data);
    return 0;
}
