// Reads whole files, and says whether they are there.
#include "base/file.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Appends the rest of `in` to *text, which holds *used of `room` bytes and grows. Stops behind the
// first byte beyond `most`.
static bool read_all(Input *in, char **text, size_t room, uint64_t most, size_t *used, HdError *err)
{
    for (;;) {
        size_t want = room - *used - 1;
        if (want > most - *used) want = (size_t)(most - *used) + 1;
        size_t got = input_read(in, *text + *used, want, err);
        if (got == INPUT_ERROR) return false;
        *used += got;
        if (got < want || *used > most) return true;
        char *grown = realloc(*text, room * 2);
        if (!grown) return hd_fail_memory(err, "reading a file");
        *text = grown;
        room *= 2;
    }
}

bool file_is_there(const char *path, bool *there, HdError *err)
{
    struct stat st;
    *there = stat(path, &st) == 0;
    return !*there || S_ISREG(st.st_mode) ||
           hd_fail(err, "%s: is no regular file: expected one, or none", path);
}

bool file_make_folder(const char *path, HdError *err)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           hd_fail(err, "%s: the folder cannot be made: %s", path, strerror(errno));
}

static bool fail_long(const char *path, uint64_t most, HdError *err)
{
    return hd_fail(err, "%s: more than %" PRIu64 " KiB: expected at most that", path, most >> 10);
}

char *file_read_most(const char *path, uint64_t most, size_t *size, HdError *err)
{
    Input *in = input_open(path, err);
    if (!in) return NULL;
    uint64_t stored = input_stored_size(in);
    char *text = NULL;
    size_t used = 0;
    bool ok = stored <= most || fail_long(path, most, err);
    if (ok && stored > INPUT_STREAM_LIMIT) { // what the host has left takes a moment to find out
        MemoryBudget host = budget_of_host(path, err);
        ok = budget_check(&host, stored, "%s: the bytes of the file", path);
    }
    if (ok) {
        text = malloc(stored + 4096);
        ok = text ? read_all(in, &text, stored + 4096, most, &used, err)
                  : hd_fail_memory(err, "reading a file");
    }
    ok = ok && (used <= most || fail_long(path, most, err));
    input_close(in);
    if (!ok) {
        free(text);
        return NULL;
    }
    text[used] = 0;
    *size = used;
    return text;
}

char *file_read(const char *path, size_t *size, HdError *err)
{
    return file_read_most(path, UINT64_MAX, size, err);
}

char *file_read_text(const char *path, size_t *size, HdError *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t length = sizeof mark - 1;
    char *text = file_read(path, size, err);
    if (!text || *size < length || memcmp(text, mark, length) != 0) return text;
    *size -= length;
    memmove(text, text + length, *size + 1);
    return text;
}

bool file_hash(const char *path, uint64_t *hash, HdError *err)
{
    enum { PIECE = 1 << 20 }; // a multiple of the words of the hash
    FILE *file = fopen(path, "rb");
    if (!file) return hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
    char *bytes = malloc(PIECE);
    bool ok = bytes || hd_fail_memory(err, "reading a file");
    *hash = HASH_START;
    for (size_t got = PIECE; ok && got == PIECE;) {
        got = fread(bytes, 1, PIECE, file);
        *hash = hash_bytes(*hash, bytes, got);
        if (ferror(file)) ok = hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
    }
    free(bytes);
    fclose(file);
    return ok;
}

