// Fuzz targets of compressed files: `gzip`, `zstd`, `bzip2` and `xz`.
#include "fuzz.h"

#include "base/file.h"

#include <stdlib.h>

enum { MOST = 1 << 16 }; // little: what takes memory takes time

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    HdError err = {0};
    size_t length = 0;
    char *text = file_read_most(fuzz_file(bytes, size), MOST, &length, &err);
    fuzz_check(!text == err.set, "a text, or a message");
    fuzz_check(!text || !text[length], "a zero byte behind the text");
    free(text);
    return 0;
}
