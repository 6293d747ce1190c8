// One PTX text, uncompressed, in the layout that nvcc and clang embed (base/fatbin_layout.h).
#include "cli/cc/fatbin_write.h"

#include "base/fatbin_layout.h"
#include "base/file.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fatbin_write(const char *path, const char *ptx, unsigned arch, HdError *err)
{
    size_t size;
    char *text = file_read(ptx, &size, err);
    if (!text) return false;
    // The zero byte after the text is part of it.
    uint64_t padded = (size + 1 + FATBIN_ALIGN - 1) / FATBIN_ALIGN * FATBIN_ALIGN;
    FatbinOptions options = {.offset = sizeof(FatbinEntry) + offsetof(FatbinOptions, text)};
    FatbinEntry entry = {.kind = FATBIN_PTX,
                         .version = FATBIN_ENTRY_VERSION,
                         .header_size = sizeof entry + sizeof options,
                         .padded_size = padded,
                         .options_offset = sizeof entry,
                         .architecture = arch,
                         .flags = FATBIN_64_BIT | FATBIN_LINUX};
    unsigned major = 0, minor = 0;
    const char *version = strstr(text, ".version"); // of PTX: ".version 7.5"
    if (version && sscanf(version + strlen(".version"), "%u.%u", &major, &minor) == 2) {
        entry.major = (uint16_t)major;
        entry.minor = (uint16_t)minor;
    }
    FatbinHeader header = {.magic = FATBIN_MAGIC,
                           .version = FATBIN_VERSION,
                           .header_size = sizeof header,
                           .size = entry.header_size + padded};
    char *bytes = hd_new(1, sizeof header + header.size);
    bool ok = bytes || hd_fail_memory(err, "writing a fat binary");
    if (ok) {
        memcpy(bytes, &header, sizeof header);
        memcpy(bytes + sizeof header, &entry, sizeof entry);
        memcpy(bytes + sizeof header + sizeof entry, &options, sizeof options);
        memcpy(bytes + sizeof header + entry.header_size, text, size);
        ok = file_write(path, bytes, sizeof header + header.size, err);
    }
    free(bytes);
    free(text);
    return ok;
}
