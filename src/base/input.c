// Reads files, pipes and bytes in memory: as they are, or through zlib, zstd, libbz2 or liblzma.
#include "base/input.h"
#include "base/memory.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    AHEAD = 1 << 18,  // bytes read ahead
    PIECE = 1 << 24,  // bytes decompressed between two checks of the limits
    MAGIC = 6,        // bytes that tell the formats apart
    GZIP_WINDOW = 15 + 16, // zlib's number for gzip with any window
    WINDOW = 27,           // log2 of the largest window of zstd and xz: 128 MiB, zstd's default
    XZ_TABLES = 1 << 20,   // bytes that liblzma may take besides its window
    RATIO = 1000,          // of decompressed to compressed data
    RATIO_FROM = 64 << 20, // bytes of decompressed data, from which the ratio is checked
};

typedef enum Packing {
    PACKING_UNKNOWN,
    PACKING_NONE,
    PACKING_GZIP,
    PACKING_ZSTD,
    PACKING_BZIP2,
    PACKING_XZ,
} Packing;

struct Input {
    const char *name;
    int fd; // -1: the data is in memory, and all of it in `ahead`
    uint64_t stored_size, taken; // bytes as they are stored: all, read so far
    uint64_t offset;             // bytes given so far
    const MemoryBudget *budget;
    Packing packing;
    z_stream gzip;
    ZSTD_DStream *zstd;
    bz_stream bzip2;
    lzma_stream xz;
    bool in_frame; // inside a gzip member, a zstd frame or a bzip2 stream
    bool ended;    // nothing is stored after `ahead`
    const unsigned char *ahead;
    unsigned char *buffer; // where files are read to
    size_t room;           // its size
    size_t ahead_at, ahead_size;
    char *peeked; // the first bytes
    size_t peeked_at, peeked_size;
};

// `room`: bytes to read ahead; 0 for data in memory.
static Input *input_new(const char *name, int fd, size_t room, HdError *err)
{
    Input *in = hd_new(1, sizeof *in);
    unsigned char *buffer = room ? malloc(room) : NULL;
    if (in && (buffer || !room)) {
        *in = (Input){.name = name, .fd = fd, .ahead = buffer, .buffer = buffer, .room = room};
        return in;
    }
    free(in);
    free(buffer);
    hd_fail_memory(err, "reading a file");
    return NULL;
}

Input *input_open(const char *path, HdError *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) != 0) {
        bool socket = errno == ENXIO && stat(path, &st) == 0 && S_ISSOCK(st.st_mode);
        if (socket) hd_fail(err, "%s: is a socket: expected a file", path);
        else hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        hd_fail(err, "%s: is a directory: expected a file", path);
        close(fd);
        return NULL;
    }
    // More than the file has, to see its end. Some files in /proc claim to have nothing.
    uint64_t size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    size_t room = size && size < AHEAD ? size + MAGIC : AHEAD;
    Input *in = input_new(path, fd, room, err);
    if (in) in->stored_size = size;
    else close(fd);
    return in;
}

Input *input_open_bytes(const char *name, const void *bytes, size_t size, HdError *err)
{
    Input *in = input_new(name, -1, 0, err);
    if (!in) return NULL;
    in->ahead = bytes;
    in->ahead_size = in->stored_size = in->taken = size;
    in->ended = true;
    return in;
}

void input_close(Input *in)
{
    if (!in) return;
    if (in->fd >= 0) close(in->fd);
    if (in->packing == PACKING_GZIP) inflateEnd(&in->gzip);
    if (in->packing == PACKING_BZIP2) BZ2_bzDecompressEnd(&in->bzip2);
    lzma_end(&in->xz);
    ZSTD_freeDStream(in->zstd);
    free(in->buffer);
    free(in->peeked);
    free(in);
}

void input_limit(Input *in, const MemoryBudget *budget) { in->budget = budget; }

// ---- limits ----

static uint64_t limit_of(const Input *in)
{
    return in->budget ? in->budget->limit : INPUT_STREAM_LIMIT;
}

static bool fail_limit(const Input *in, const char *what, HdError *err)
{
    char limit[MEMORY_TEXT];
    memory_text(limit_of(in), false, limit);
    return hd_fail(err, "%s: more than %s of %s: expected at most that (%s)", in->name, limit, what,
                   in->budget ? in->budget->source : "for a file that is read whole");
}

// Checks what was decompressed so far.
static bool check_decompressed(const Input *in, HdError *err)
{
    char given[MEMORY_TEXT], taken[MEMORY_TEXT];
    if (in->offset > limit_of(in)) return fail_limit(in, "decompressed data", err);
    uint64_t used = in->taken - (in->ahead_size - in->ahead_at);
    if (in->offset < RATIO_FROM || in->offset / RATIO <= used) return true;
    memory_text(in->offset, false, given);
    memory_text(used, true, taken);
    return hd_fail(err, "%s: %s of compressed data give more than %s: expected at most %d times as "
                        "much (decompress the file first if it is right)", in->name, taken, given,
                   RATIO);
}

// ---- stored bytes ----

// Reads up to `size` bytes of a file; 0 only at the end.
static size_t read_stored(Input *in, void *bytes, size_t size, HdError *err)
{
    ssize_t got;
    do got = read(in->fd, bytes, size);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        hd_fail(err, "%s: cannot be read: %s", in->name, strerror(errno));
        return INPUT_ERROR;
    }
    in->taken += (uint64_t)got;
    in->ended = got == 0;
    // A pipe may never end.
    if (in->stored_size || in->taken <= limit_of(in)) return (size_t)got;
    fail_limit(in, "data", err);
    return INPUT_ERROR;
}

// Reads ahead until `least` bytes are there, fewer only at the end.
static bool read_ahead(Input *in, size_t least, HdError *err)
{
    if (in->ended) return true;
    if (in->ahead_size - in->ahead_at < least && in->ahead_at) {
        in->ahead_size -= in->ahead_at;
        memmove(in->buffer, in->buffer + in->ahead_at, in->ahead_size);
        in->ahead_at = 0;
    }
    while (in->ahead_size - in->ahead_at < least && !in->ended) {
        size_t got = read_stored(in, in->buffer + in->ahead_size, in->room - in->ahead_size, err);
        if (got == INPUT_ERROR) return false;
        in->ahead_size += got;
    }
    return true;
}

// ---- decompression: each gives up to `size` bytes, 0 only at the end ----

static size_t fail_damaged(Input *in, const char *why, HdError *err)
{
    if (why) hd_fail(err, "%s: the compressed data is damaged: %s", in->name, why);
    else hd_fail(err, "%s: the compressed data ends early or is damaged", in->name);
    return INPUT_ERROR;
}

static size_t give_plain(Input *in, char *bytes, size_t size, HdError *err)
{
    size_t kept = in->ahead_size - in->ahead_at;
    if (!kept) return in->ended ? 0 : read_stored(in, bytes, size, err);
    if (kept > size) kept = size;
    memcpy(bytes, in->ahead + in->ahead_at, kept);
    in->ahead_at += kept;
    return kept;
}

// After a gzip member or a bzip2 stream: *more: another one begins. Zeros may precede the end.
static bool next_member(Input *in, const char *format, const char magic[2], bool *more,
                        HdError *err)
{
    *more = false;
    for (;;) {
        if (!read_ahead(in, 2, err)) return false;
        const unsigned char *next = in->ahead + in->ahead_at;
        size_t left = in->ahead_size - in->ahead_at;
        if (!left) return true;
        if (left >= 2 && memcmp(next, magic, 2) == 0) break;
        if (next[0])
            return hd_fail(err, "%s: data that is not %s follows the compressed data", in->name,
                           format);
        in->ahead_at++;
    }
    *more = in->in_frame = true;
    return true;
}

static const char gzip_magic[2] = "\x1f\x8b", bzip2_magic[2] = "BZ";

static bool next_gzip(Input *in, bool *more, HdError *err)
{
    return next_member(in, "gzip", gzip_magic, more, err) &&
           (!*more || inflateReset(&in->gzip) == Z_OK || hd_fail_memory(err, "reading a file"));
}

static size_t give_gzip(Input *in, char *bytes, size_t size, HdError *err)
{
    z_stream *z = &in->gzip;
    z->next_out = (unsigned char *)bytes;
    z->avail_out = (unsigned)size;
    while (z->avail_out == size) {
        bool more = true;
        if (!in->in_frame && !next_gzip(in, &more, err)) return INPUT_ERROR;
        if (!more) return 0;
        if (!read_ahead(in, 1, err)) return INPUT_ERROR;
        size_t left = in->ahead_size - in->ahead_at;
        if (!left) return fail_damaged(in, NULL, err);
        z->next_in = (unsigned char *)(uintptr_t)(in->ahead + in->ahead_at); // zlib only reads it
        z->avail_in = left < PIECE ? (unsigned)left : PIECE;
        int code = inflate(z, Z_NO_FLUSH);
        in->ahead_at = (size_t)(z->next_in - in->ahead);
        if (code == Z_STREAM_END) in->in_frame = false;
        else if (code == Z_MEM_ERROR) return hd_fail_memory(err, "reading a file"), INPUT_ERROR;
        else if (code != Z_OK) return fail_damaged(in, z->msg ? z->msg : "no gzip data", err);
    }
    return size - z->avail_out;
}

// libbz2 cannot be reset: a stream begins with new memory.
static bool begin_bzip2(Input *in, HdError *err)
{
    enum { SILENT = 0, FAST = 0 };
    in->bzip2 = (bz_stream){0};
    if (BZ2_bzDecompressInit(&in->bzip2, SILENT, FAST) == BZ_OK) return true;
    in->packing = PACKING_NONE; // there is nothing to end
    return hd_fail_memory(err, "reading a file");
}

static bool next_bzip2(Input *in, bool *more, HdError *err)
{
    if (!next_member(in, "bzip2", bzip2_magic, more, err)) return false;
    if (!*more) return true;
    BZ2_bzDecompressEnd(&in->bzip2);
    return begin_bzip2(in, err);
}

static size_t give_bzip2(Input *in, char *bytes, size_t size, HdError *err)
{
    size_t given = 0;
    while (!given) {
        bool more = true;
        if (!in->in_frame && !next_bzip2(in, &more, err)) return INPUT_ERROR;
        if (!more) break;
        if (!read_ahead(in, 1, err)) return INPUT_ERROR;
        bz_stream *z = &in->bzip2;
        size_t left = in->ahead_size - in->ahead_at;
        z->next_out = bytes;
        z->avail_out = (unsigned)size;
        z->next_in = (char *)(uintptr_t)(in->ahead + in->ahead_at); // libbz2 only reads it
        z->avail_in = left < PIECE ? (unsigned)left : PIECE;
        int code = BZ2_bzDecompress(z);
        in->ahead_at = (size_t)((const unsigned char *)z->next_in - in->ahead);
        given = size - z->avail_out;
        if (code == BZ_STREAM_END) in->in_frame = false;
        else if (code == BZ_MEM_ERROR) return hd_fail_memory(err, "reading a file"), INPUT_ERROR;
        else if (code != BZ_OK) return fail_damaged(in, "no bzip2 data", err);
        else if (!left && !given) return fail_damaged(in, NULL, err);
    }
    return given;
}

// The log2 of the largest window: less where the budget is smaller.
static int zstd_window(const Input *in)
{
    int window = WINDOW;
    while (window > 10 && (uint64_t)1 << window > limit_of(in)) window--;
    return window;
}

static size_t fail_window(const Input *in, int window, HdError *err)
{
    char most[MEMORY_TEXT];
    memory_text((uint64_t)1 << window, false, most);
    hd_fail(err, "%s: the window of the compressed data is too large: expected at most %s",
            in->name, most);
    return INPUT_ERROR;
}

static size_t fail_zstd(Input *in, size_t code, HdError *err)
{
    if (ZSTD_getErrorCode(code) != ZSTD_error_frameParameter_windowTooLarge)
        return fail_damaged(in, ZSTD_getErrorName(code), err);
    return fail_window(in, zstd_window(in), err);
}

static size_t give_zstd(Input *in, char *bytes, size_t size, HdError *err)
{
    ZSTD_outBuffer out = {bytes, size, 0};
    while (out.pos == 0) {
        if (!read_ahead(in, 1, err)) return INPUT_ERROR;
        bool ended = in->ahead_at == in->ahead_size;
        ZSTD_inBuffer from = {in->ahead, in->ahead_size, in->ahead_at};
        size_t code = ZSTD_decompressStream(in->zstd, &out, &from);
        if (ZSTD_isError(code)) return fail_zstd(in, code, err);
        if (out.pos || from.pos != in->ahead_at) in->in_frame = code != 0;
        in->ahead_at = from.pos;
        if (!ended || out.pos) continue;
        return in->in_frame ? fail_damaged(in, NULL, err) : 0;
    }
    return out.pos;
}

// A file of xz states the same window (8 MiB or more) whatever its size. Only as much of it is
// touched as there is data, so that the budget does not make it smaller.
static bool begin_xz(Input *in, HdError *err)
{
    return lzma_stream_decoder(&in->xz, ((uint64_t)1 << WINDOW) + XZ_TABLES, LZMA_CONCATENATED) ==
               LZMA_OK ||
           hd_fail_memory(err, "reading a file");
}

static size_t fail_xz(Input *in, lzma_ret code, HdError *err)
{
    switch (code) {
    case LZMA_MEM_ERROR: return hd_fail_memory(err, "reading a file"), INPUT_ERROR;
    case LZMA_MEMLIMIT_ERROR: return fail_window(in, WINDOW, err);
    case LZMA_OPTIONS_ERROR: return fail_damaged(in, "unknown options of xz", err);
    case LZMA_BUF_ERROR: return fail_damaged(in, NULL, err);
    default: return fail_damaged(in, "no xz data", err);
    }
}

static size_t give_xz(Input *in, char *bytes, size_t size, HdError *err)
{
    lzma_stream *z = &in->xz;
    z->next_out = (unsigned char *)bytes;
    z->avail_out = size;
    while (z->avail_out == size && in->in_frame) {
        if (!read_ahead(in, 1, err)) return INPUT_ERROR;
        z->next_in = in->ahead + in->ahead_at;
        z->avail_in = in->ahead_size - in->ahead_at;
        lzma_ret code = lzma_code(z, in->ended && !z->avail_in ? LZMA_FINISH : LZMA_RUN);
        in->ahead_at = in->ahead_size - z->avail_in;
        if (code == LZMA_STREAM_END) in->in_frame = false;
        else if (code != LZMA_OK) return fail_xz(in, code, err);
    }
    return size - z->avail_out;
}

static bool detect_packing(Input *in, HdError *err)
{
    if (!read_ahead(in, MAGIC, err)) return false;
    const unsigned char *start = in->ahead;
    size_t size = in->ahead_size;
    in->in_frame = true;
    if (size >= 4 && memcmp(start, "\x28\xb5\x2f\xfd", 4) == 0) {
        in->packing = PACKING_ZSTD;
        in->in_frame = false; // known after the first block
        in->zstd = ZSTD_createDStream();
        if (!in->zstd) return hd_fail_memory(err, "reading a file");
        ZSTD_DCtx_setParameter(in->zstd, ZSTD_d_windowLogMax, zstd_window(in));
        return true;
    }
    if (size >= 2 && memcmp(start, gzip_magic, 2) == 0) {
        if (inflateInit2(&in->gzip, GZIP_WINDOW) != Z_OK)
            return hd_fail_memory(err, "reading a file");
        in->packing = PACKING_GZIP;
        return true;
    }
    if (size >= 4 && memcmp(start, "BZh", 3) == 0 && start[3] >= '1' && start[3] <= '9') {
        in->packing = PACKING_BZIP2;
        return begin_bzip2(in, err);
    }
    if (size >= MAGIC && memcmp(start, "\xfd" "7zXZ\0", MAGIC) == 0) {
        in->packing = PACKING_XZ;
        return begin_xz(in, err);
    }
    in->packing = PACKING_NONE;
    return true;
}

static size_t give_packed(Input *in, char *bytes, size_t size, HdError *err)
{
    switch (in->packing) {
    case PACKING_GZIP: return give_gzip(in, bytes, size, err);
    case PACKING_ZSTD: return give_zstd(in, bytes, size, err);
    case PACKING_BZIP2: return give_bzip2(in, bytes, size, err);
    case PACKING_XZ: return give_xz(in, bytes, size, err);
    default: return give_plain(in, bytes, size, err);
    }
}

static size_t give(Input *in, char *bytes, size_t size, HdError *err)
{
    if (in->packing == PACKING_UNKNOWN && !detect_packing(in, err)) return INPUT_ERROR;
    if (size > PIECE) size = PIECE;
    size_t got = give_packed(in, bytes, size, err);
    if (got == INPUT_ERROR) return INPUT_ERROR;
    in->offset += got;
    return in->packing == PACKING_NONE || check_decompressed(in, err) ? got : INPUT_ERROR;
}

const char *input_peek(Input *in, size_t size, size_t *got, HdError *err)
{
    if (!in->peeked || in->peeked_size < size) {
        char *peeked = realloc(in->peeked, size + 1);
        if (!peeked) return hd_fail_memory(err, "reading a file"), NULL;
        in->peeked = peeked;
    }
    while (in->peeked_size < size) {
        size_t more = give(in, in->peeked + in->peeked_size, size - in->peeked_size, err);
        if (more == INPUT_ERROR) return NULL;
        if (!more) break;
        in->peeked_size += more;
    }
    in->peeked[in->peeked_size] = 0;
    *got = in->peeked_size < size ? in->peeked_size : size;
    return in->peeked;
}

size_t input_read(Input *in, void *bytes, size_t size, HdError *err)
{
    size_t done = in->peeked_size - in->peeked_at;
    if (done > size) done = size;
    if (done) memcpy(bytes, in->peeked + in->peeked_at, done);
    in->peeked_at += done;
    while (done < size) {
        size_t got = give(in, (char *)bytes + done, size - done, err);
        if (got == INPUT_ERROR) return INPUT_ERROR;
        if (!got) break;
        done += got;
    }
    return done;
}

const char *input_name(const Input *in) { return in->name; }

// Bytes that were peeked are not read yet.
uint64_t input_offset(const Input *in) { return in->offset - (in->peeked_size - in->peeked_at); }

uint64_t input_stored_size(const Input *in) { return in->stored_size; }

uint64_t input_stored_offset(const Input *in) { return in->taken; }

bool input_is_plain(const Input *in) { return in->packing == PACKING_NONE; }
