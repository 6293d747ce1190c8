// Fat binaries made by hand, for tests.
#ifndef TESTS_CUDART_FATBIN_WRITER_H
#define TESTS_CUDART_FATBIN_WRITER_H

#include "base/fatbin_layout.h"

#include <stddef.h>

typedef enum Packing { PACKED_NOT, PACKED_LZ4, PACKED_ZSTD } Packing;

typedef struct Image {
    FatbinKind kind;
    uint32_t architecture;
    const char *text; // also of what is called machine code
    Packing packing;
} Image;

// The binary of these images and its size; to be freed.
uint8_t *fatbin_new(const Image *images, size_t count, size_t *size);

#endif
