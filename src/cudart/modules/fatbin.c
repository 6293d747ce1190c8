// Checks the entries of a fat binary one by one, and uncompresses PTX.
#include "cudart/modules/fatbin.h"

#include "base/fatbin_layout.h"
#include "base/input.h"
#include "base/memory.h"

#include <inttypes.h>
#include <link.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>

// The largest PTX that is accepted, so that a damaged size cannot exhaust memory. Real PTX has at
// most some MiB.
#define MAX_TEXT INPUT_STREAM_LIMIT
enum { LZ4_MAX_RATIO = 255 };

static void keep_best(Fatbin *fatbin, const FatbinEntry *entry, const uint8_t *payload)
{
    if (fatbin->ptx_count++ && entry->architecture <= fatbin->architecture) return;
    bool compressed = entry->flags & (FATBIN_LZ4 | FATBIN_ZSTD);
    fatbin->architecture = entry->architecture;
    fatbin->payload = payload;
    fatbin->payload_size = compressed ? entry->compressed_size : entry->padded_size;
    fatbin->text_size = compressed ? entry->uncompressed_size : 0;
    fatbin->flags = entry->flags;
}

static bool read_entry(Fatbin *fatbin, const uint8_t *at, uint64_t left, uint64_t *taken,
                       HdError *err)
{
    FatbinEntry entry;
    if (left < sizeof entry)
        return hd_fail(err, "it ends within the header of an image: %" PRIu64 " bytes left, "
                            "expected %zu", left, sizeof entry);
    memcpy(&entry, at, sizeof entry);
    if (entry.header_size < sizeof entry || entry.header_size > left)
        return hd_fail(err, "an image's header of %" PRIu32 " bytes: expected %zu to %" PRIu64,
                       entry.header_size, sizeof entry, left);
    uint64_t payload = left - entry.header_size;
    if (entry.padded_size > payload || entry.compressed_size > entry.padded_size)
        return hd_fail(err, "an image of %" PRIu64 " bytes: expected at most %" PRIu64,
                       entry.padded_size, payload);
    if (entry.kind == FATBIN_PTX) {
        keep_best(fatbin, &entry, at + entry.header_size);
    } else if (entry.kind == FATBIN_MACHINE_CODE) {
        if (fatbin->machine_count < FATBIN_MAX_NAMED)
            fatbin->machine[fatbin->machine_count] = entry.architecture;
        fatbin->machine_count++;
    } else {
        fatbin->other_count++;
    }
    *taken = entry.header_size + entry.padded_size;
    return true;
}

bool fatbin_read(Fatbin *fatbin, const void *data, uint64_t size, HdError *err)
{
    *fatbin = (Fatbin){0};
    FatbinHeader header;
    if (!data || size < sizeof header) return hd_fail(err, "it is missing");
    memcpy(&header, data, sizeof header);
    if (header.magic != FATBIN_MAGIC)
        return hd_fail(err, "it starts with 0x%08" PRIx32 ": expected 0x%08x", header.magic,
                       FATBIN_MAGIC);
    if (header.header_size < sizeof header || header.header_size > size ||
        header.size > size - header.header_size)
        return hd_fail(err,
                       "its header gives a size of %" PRIu64 " bytes: expected at most %" PRIu64,
                       header.size, size);
    const uint8_t *at = (const uint8_t *)data + header.header_size;
    for (uint64_t left = header.size, taken = 0; left; left -= taken, at += taken)
        if (!read_entry(fatbin, at, left, &taken, err)) return false;
    return true;
}

static bool fail_damaged(const Fatbin *fatbin, HdError *err)
{
    return hd_fail(err, "its PTX (%s) is damaged: expected %" PRIu64 " bytes",
                   fatbin->flags & FATBIN_ZSTD ? "zstd" : "LZ4", fatbin->text_size);
}

// Reads up to `size` bytes into *text, which grows with what arrives.
static size_t read_text(Input *in, char **text, size_t size, HdError *err)
{
    enum { FIRST = 1 << 16 };
    for (size_t used = 0, room = size < FIRST ? size : FIRST;;) {
        char *grown = realloc(*text, room);
        if (!grown) return hd_fail_memory(err, "reading PTX"), INPUT_ERROR;
        *text = grown;
        size_t got = input_read(in, grown + used, room - used, err);
        if (got == INPUT_ERROR) return INPUT_ERROR;
        used += got;
        if (used < room || room == size) return used;
        room = room < size / 2 ? room * 2 : size;
    }
}

static char *uncompress_zstd(const Fatbin *fatbin, HdError *err)
{
    char *text = NULL;
    Input *in = input_open_bytes("its PTX (zstd)", fatbin->payload, fatbin->payload_size, err);
    // One byte more than expected, to see the end.
    size_t got = in ? read_text(in, &text, fatbin->text_size + 1, err) : INPUT_ERROR;
    bool ok = got != INPUT_ERROR && ((got == fatbin->text_size && !input_is_plain(in)) ||
                                     fail_damaged(fatbin, err));
    input_close(in);
    if (ok) {
        text[got] = 0;
        return text;
    }
    free(text);
    return NULL;
}

static char *uncompress_lz4(const Fatbin *fatbin, HdError *err)
{
    uint64_t size = fatbin->text_size;
    if (size / LZ4_MAX_RATIO > fatbin->payload_size) return fail_damaged(fatbin, err), NULL;
    char *text = hd_new(size + 1, 1);
    if (!text) return hd_fail_memory(err, "reading PTX"), NULL;
    int got = LZ4_decompress_safe((const char *)fatbin->payload, text, (int)fatbin->payload_size,
                                  (int)size);
    if (got >= 0 && (uint64_t)got == size) return text;
    free(text);
    fail_damaged(fatbin, err);
    return NULL;
}

char *fatbin_ptx(const Fatbin *fatbin, HdError *err)
{
    bool compressed = fatbin->flags & (FATBIN_LZ4 | FATBIN_ZSTD);
    uint64_t size = compressed ? fatbin->text_size : fatbin->payload_size;
    if (size > MAX_TEXT || fatbin->payload_size > MAX_TEXT) {
        hd_fail(err, "its PTX is damaged: its size is given as %" PRIu64 " bytes", size);
        return NULL;
    }
    if (fatbin->flags & FATBIN_ZSTD) return uncompress_zstd(fatbin, err);
    if (fatbin->flags & FATBIN_LZ4) return uncompress_lz4(fatbin, err);
    char *text = hd_new(size + 1, 1);
    if (text) memcpy(text, fatbin->payload, size);
    else hd_fail_memory(err, "reading PTX");
    return text;
}

typedef struct Search {
    uintptr_t address;
    uint64_t extent;
} Search;

static int look_in(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    Search *search = context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || search->address < start ||
            search->address - start >= segment->p_memsz)
            continue;
        search->extent = segment->p_memsz - (search->address - start);
        return 1;
    }
    return 0;
}

uint64_t fatbin_extent(const void *data)
{
    Search search = {(uintptr_t)data, UINT64_MAX};
    dl_iterate_phdr(look_in, &search);
    return search.extent;
}
