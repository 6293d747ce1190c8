// Writes fat binaries, for tests.
#ifndef TESTS_CUDART_FATBIN_WRITER_H
#define TESTS_CUDART_FATBIN_WRITER_H

#include "base/fatbin_layout.h"

#include <stddef.h>

typedef enum Packing { PACKED_NOT, PACKED_LZ4, PACKED_ZSTD } Packing;

typedef struct Image {
    FatbinKind kind;
    uint32_t architecture;
    const char *text; // the payload, for machine code as well
    Packing packing;
} Image;

// Makes a binary of the images, and gives its size. The caller frees it.
uint8_t *fatbin_new(const Image *images, size_t count, size_t *size);

#endif
