// Reads files through zlib, which passes other data than gzip through, and then through zstd.
#include "base/input.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

enum { AHEAD = 1 << 18, GZREAD_MAX = 1 << 30, ZSTD_FRAME = 4 };

struct Input {
    const char *path;
    gzFile file;
    uint64_t offset, stored;
    bool format_known;  // whether the data is zstd
    ZSTD_DStream *zstd; // NULL: it is not
    bool in_frame;      // inside a zstd frame
    char *packed;       // data read ahead, to detect the format or to decompress
    ZSTD_inBuffer ahead;
};

Input *input_open(const char *path, HdError *err)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        hd_fail(err, "%s: is a directory: expected a file", path);
        return NULL;
    }
    Input *in = hd_new(1, sizeof *in);
    char *packed = hd_new(AHEAD, 1);
    errno = 0;
    gzFile file = in && packed ? gzopen(path, "rb") : NULL;
    if (!file) {
        if (in && packed && errno)
            hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
        else
            hd_fail_memory(err, "reading a file");
        free(in);
        free(packed);
        return NULL;
    }
    gzbuffer(file, AHEAD);
    *in = (Input){.path = path, .file = file, .packed = packed, .ahead = {packed, 0, 0}};
    if (S_ISREG(st.st_mode)) in->stored = (uint64_t)st.st_size;
    return in;
}

void input_close(Input *in)
{
    if (!in) return;
    gzclose(in->file);
    ZSTD_freeDStream(in->zstd);
    free(in->packed);
    free(in);
}

// Reads through zlib: fewer bytes only at the end.
static size_t read_gzip(Input *in, char *bytes, size_t size, HdError *err)
{
    size_t done = 0;
    while (done < size) {
        size_t want = size - done < GZREAD_MAX ? size - done : GZREAD_MAX;
        int code, got = gzread(in->file, bytes + done, (unsigned)want);
        const char *why = gzerror(in->file, &code);
        if (got < 0) {
            hd_fail(err, "%s: cannot be read: %s", in->path, why);
            return INPUT_ERROR;
        }
        if ((size_t)got < want && code == Z_BUF_ERROR) {
            hd_fail(err, "%s: the compressed data ends early or is damaged", in->path);
            return INPUT_ERROR;
        }
        if (got == 0) break;
        done += (size_t)got;
    }
    return done;
}

// Reads ahead the first bytes to detect zstd.
static bool detect_format(Input *in, HdError *err)
{
    static const unsigned char magic[ZSTD_FRAME] = {0x28, 0xb5, 0x2f, 0xfd};
    size_t got = read_gzip(in, in->packed, ZSTD_FRAME, err);
    if (got == INPUT_ERROR) return false;
    in->format_known = true;
    in->ahead.size = got;
    if (got < ZSTD_FRAME || memcmp(in->packed, magic, ZSTD_FRAME) != 0) return true;
    in->zstd = ZSTD_createDStream();
    return in->zstd || hd_fail_memory(err, "reading a file");
}

static size_t read_plain(Input *in, char *bytes, size_t size, HdError *err)
{
    size_t kept = in->ahead.size - in->ahead.pos;
    if (kept > size) kept = size;
    memcpy(bytes, in->packed + in->ahead.pos, kept);
    in->ahead.pos += kept;
    size_t got = read_gzip(in, bytes + kept, size - kept, err);
    return got == INPUT_ERROR ? got : kept + got;
}

static size_t read_zstd(Input *in, char *bytes, size_t size, HdError *err)
{
    ZSTD_outBuffer out = {bytes, size, 0};
    bool ended = false;
    while (out.pos < out.size) {
        if (in->ahead.pos == in->ahead.size) {
            size_t got = read_gzip(in, in->packed, AHEAD, err);
            if (got == INPUT_ERROR) return INPUT_ERROR;
            ended = got == 0;
            in->ahead = (ZSTD_inBuffer){in->packed, got, 0};
        }
        size_t out_before = out.pos, in_before = in->ahead.pos;
        size_t code = ZSTD_decompressStream(in->zstd, &out, &in->ahead);
        if (ZSTD_isError(code)) {
            hd_fail(err, "%s: the compressed data is damaged: %s", in->path,
                    ZSTD_getErrorName(code));
            return INPUT_ERROR;
        }
        bool moved = out.pos != out_before || in->ahead.pos != in_before;
        if (moved) in->in_frame = code != 0;
        if (ended && out.pos == out_before) break;
    }
    if (out.pos == out.size || !in->in_frame) return out.pos;
    hd_fail(err, "%s: the compressed data ends early or is damaged", in->path);
    return INPUT_ERROR;
}

size_t input_read(Input *in, void *bytes, size_t size, HdError *err)
{
    if (!in->format_known && !detect_format(in, err)) return INPUT_ERROR;
    size_t got = in->zstd ? read_zstd(in, bytes, size, err) : read_plain(in, bytes, size, err);
    if (got != INPUT_ERROR) in->offset += got;
    return got;
}

uint64_t input_offset(const Input *in) { return in->offset; }
uint64_t input_stored_size(const Input *in) { return in->stored; }

bool input_is_plain(const Input *in) { return !in->zstd && gzdirect(in->file); }
