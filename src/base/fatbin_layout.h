// The layout of CUDA's fat binaries, as nvcc 11 to 13 and clang embed them, for the reader and the
// writer. All numbers are little-endian.
//
//     FatbinWrapper (section .nvFatBinSegment) --data--> FatbinHeader (section .nv_fatbin)
//         FatbinEntry, payload, FatbinEntry, payload, ...
#ifndef HEDDLE_BASE_FATBIN_LAYOUT_H
#define HEDDLE_BASE_FATBIN_LAYOUT_H

#include <stdint.h>

#define FATBIN_WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_WRAPPER_SECTION ".nvFatBinSegment"
#define FATBIN_DATA_SECTION ".nv_fatbin"
#define FATBIN_RELOCATABLE_SECTION "__nv_relfatbin" // of -rdc=true

enum {
    FATBIN_WRAPPER_VERSION = 1,
    FATBIN_WRAPPER_LINKED = 2, // `filename_or_images` is an array of relocatable binaries
    FATBIN_VERSION = 1,
    FATBIN_ENTRY_VERSION = 0x101,
    FATBIN_ALIGN = 8, // of payload sizes
};

typedef enum FatbinKind {
    FATBIN_PTX = 1,
    FATBIN_MACHINE_CODE = 2, // for one architecture, an ELF file
} FatbinKind;

// Bits of FatbinEntry.flags.
#define FATBIN_64_BIT UINT64_C(0x1)
#define FATBIN_DEBUG UINT64_C(0x2)
#define FATBIN_LINUX UINT64_C(0x10)
#define FATBIN_LZ4 UINT64_C(0x2000)  // payload is one LZ4 block, without LZ4's frame
#define FATBIN_ZSTD UINT64_C(0x8000) // payload is one zstd frame

typedef struct FatbinWrapper {
    uint32_t magic, version;
    const void *data; // FatbinHeader
    const void *filename_or_images;
} FatbinWrapper;

typedef struct FatbinHeader {
    uint32_t magic;
    uint16_t version, header_size; // bytes of this header
    uint64_t size;                 // bytes of all entries, which follow
} FatbinHeader;

// The header of an entry may be longer: the payload starts after header_size bytes. PTX usually
// ends with a zero byte before the padding.
typedef struct FatbinEntry {
    uint16_t kind, version;
    uint32_t header_size;
    uint64_t padded_size;     // bytes of the payload, up to the next entry
    uint32_t compressed_size; // bytes of a compressed payload without padding; else 0
    uint32_t options_offset;  // of FatbinOptions, from the start of the entry; 0: none
    uint16_t minor, major;    // version of PTX, or of the machine code's format
    uint32_t architecture;    // 75 for compute_75 and sm_75
    uint32_t name_offset, name_size;
    uint64_t flags;
    uint64_t reserved;
    uint64_t uncompressed_size; // 0 if the payload is not compressed
} FatbinEntry;

// Behind the entry, and part of its header: the options of ptxas. nvlink expects them, even if they
// are empty.
typedef struct FatbinOptions {
    uint32_t offset, size; // of the text, from the start of the entry; the text follows
    uint64_t text;         // an empty one, with its padding
} FatbinOptions;

_Static_assert(sizeof(FatbinWrapper) == 24, "the layout is nvcc's");
_Static_assert(sizeof(FatbinHeader) == 16, "the layout is nvcc's");
_Static_assert(sizeof(FatbinEntry) == 64, "the layout is nvcc's");
_Static_assert(sizeof(FatbinOptions) == 16, "the layout is nvcc's");

#endif
