// Writes fat binaries as nvcc does.
#include "fatbin_writer.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static size_t pack(const Image *image, uint8_t *to, size_t room)
{
    size_t length = strlen(image->text) + 1;
    if (image->packing == PACKED_ZSTD) return ZSTD_compress(to, room, image->text, length, 3);
    if (image->packing == PACKED_LZ4)
        return (size_t)LZ4_compress_default(image->text, (char *)to, (int)length, (int)room);
    memcpy(to, image->text, length);
    return length;
}

static size_t write_image(const Image *image, uint8_t *to, size_t room)
{
    static const uint64_t flags[] = {[PACKED_LZ4] = FATBIN_LZ4, [PACKED_ZSTD] = FATBIN_ZSTD};
    enum { HEADER = 0x50 }; // nvcc writes compiler options after the known fields
    size_t packed = pack(image, to + HEADER, room - HEADER);
    FatbinEntry entry = {
        .kind = (uint16_t)image->kind,
        .version = FATBIN_ENTRY_VERSION,
        .header_size = HEADER,
        .padded_size = (packed + FATBIN_ALIGN - 1) / FATBIN_ALIGN * FATBIN_ALIGN,
        .compressed_size = image->packing ? (uint32_t)packed : 0,
        .major = 7,
        .architecture = image->architecture,
        .flags = FATBIN_64_BIT | FATBIN_LINUX | flags[image->packing],
        .uncompressed_size = image->packing ? strlen(image->text) + 1 : 0,
    };
    memcpy(to, &entry, sizeof entry);
    return HEADER + entry.padded_size;
}

uint8_t *fatbin_new(const Image *images, size_t count, size_t *size)
{
    size_t room = sizeof(FatbinHeader);
    for (size_t i = 0; i < count; i++) room += 2 * strlen(images[i].text) + 1024;
    uint8_t *binary = calloc(1, room);
    if (!binary) abort();
    size_t used = sizeof(FatbinHeader);
    for (size_t i = 0; i < count; i++)
        used += write_image(&images[i], binary + used, room - used);
    FatbinHeader header = {FATBIN_MAGIC, FATBIN_VERSION, sizeof header, used - sizeof header};
    memcpy(binary, &header, sizeof header);
    *size = used;
    return binary;
}
