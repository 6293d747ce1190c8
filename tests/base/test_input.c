// Input from files, pipes and memory: what never ends, or grows out of proportion, ends with a
// message, in bounded memory.
#include "base/file.h"
#include "base/input.h"
#include "support/scratch.h"

#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

// Reads all; returns the number of bytes. `message` (NULL: none) is the error after that.
static uint64_t read_all(Input *in, const char *message)
{
    static char bytes[1 << 20];
    HdError err = {0};
    size_t got;
    do got = input_read(in, bytes, sizeof bytes, &err);
    while (got == sizeof bytes);
    if (message) assert_string_equal(err.text, message);
    else if (got == INPUT_ERROR) fail_msg("%s", err.text);
    return input_offset(in);
}

// ---- packed data ----

typedef struct Packed {
    char *bytes;
    size_t size;
} Packed;

// Zeros, packed by gzip.
static Packed gzip_zeros(size_t size)
{
    Packed packed = {calloc(1, size / 1000 + 4096), 0};
    char *zeros = calloc(1, 1 << 16);
    assert_non_null(packed.bytes);
    assert_non_null(zeros);
    z_stream z = {.next_out = (unsigned char *)packed.bytes,
                  .avail_out = (unsigned)(size / 1000 + 4096)};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
    for (size_t left = size; left;) {
        size_t piece = left < 1 << 16 ? left : 1 << 16;
        left -= piece;
        z.next_in = (unsigned char *)zeros;
        z.avail_in = (unsigned)piece;
        assert_true(deflate(&z, left ? Z_NO_FLUSH : Z_FINISH) >= 0);
    }
    packed.size = z.total_out;
    deflateEnd(&z);
    free(zeros);
    return packed;
}

static Packed zstd_zeros(size_t size, int window)
{
    Packed packed = {malloc(1 << 20), 0};
    char *zeros = calloc(1, 1 << 16);
    assert_non_null(packed.bytes);
    assert_non_null(zeros);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    assert_non_null(z);
    ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, window);
    ZSTD_outBuffer out = {packed.bytes, 1 << 20, 0};
    for (size_t left = size; left;) {
        ZSTD_inBuffer in = {zeros, left < 1 << 16 ? left : 1 << 16, 0};
        left -= in.size;
        assert_false(ZSTD_isError(
            ZSTD_compressStream2(z, &out, &in, left ? ZSTD_e_continue : ZSTD_e_end)));
    }
    packed.size = out.pos;
    ZSTD_freeCCtx(z);
    free(zeros);
    return packed;
}

// As many copies of a stream.
static Packed repeat(Packed one, size_t count)
{
    Packed packed = {malloc(one.size * count), one.size * count};
    assert_non_null(packed.bytes);
    for (size_t i = 0; i < count; i++) memcpy(packed.bytes + i * one.size, one.bytes, one.size);
    free(one.bytes);
    return packed;
}

static Packed bzip2_zeros(size_t size)
{
    unsigned packed_size = 256;
    Packed packed = {malloc(packed_size), 0};
    char *zeros = calloc(1, size);
    assert_non_null(packed.bytes);
    assert_non_null(zeros);
    assert_int_equal(BZ2_bzBuffToBuffCompress(packed.bytes, &packed_size, zeros, (unsigned)size, 9,
                                              0, 0), BZ_OK);
    packed.size = packed_size;
    free(zeros);
    return packed;
}

static Packed xz_zeros(size_t size, uint32_t window)
{
    enum { ROOM = 4096 };
    Packed packed = {malloc(ROOM), 0};
    uint8_t *zeros = calloc(1, size);
    lzma_options_lzma lzma;
    assert_non_null(packed.bytes);
    assert_non_null(zeros);
    assert_false(lzma_lzma_preset(&lzma, 0));
    lzma.dict_size = window;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma}, {LZMA_VLI_UNKNOWN, NULL}};
    assert_int_equal(lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, NULL, zeros, size,
                                               (uint8_t *)packed.bytes, &packed.size, ROOM),
                     LZMA_OK);
    free(zeros);
    return packed;
}

static void refuses(Packed packed, uint64_t limit, uint64_t most, const char *message)
{
    HdError err = {0};
    MemoryBudget budget = budget_start(limit, "bomb", &err);
    Input *in = input_open_bytes("bomb", packed.bytes, packed.size, &err);
    assert_non_null(in);
    if (limit) input_limit(in, &budget);
    assert_in_range(read_all(in, message), 0, most);
    input_close(in);
    free(packed.bytes);
}

static void bombs_end_with_a_message(void **state)
{
    (void)state;
    enum { MIB = 1 << 20 };
    // zlib's best is 1,032 : 1.
    refuses(gzip_zeros(200 * MIB), (uint64_t)1 << 30, 82 * MIB,
            "bomb: 63.7 KiB of compressed data give more than 64.0 MiB: expected at most 1000 "
            "times as much (decompress the file first if it is right)");
    refuses(zstd_zeros(200 * MIB, 20), (uint64_t)1 << 30, 82 * MIB,
            "bomb: 2.1 KiB of compressed data give more than 64.0 MiB: expected at most 1000 times "
            "as much (decompress the file first if it is right)");
    refuses(gzip_zeros(30 * MIB), 20 * MIB, 37 * MIB,
            "bomb: more than 20.0 MiB of decompressed data: expected at most that (--max-memory)");
    refuses(zstd_zeros(30 * MIB, 20), 20 * MIB, 37 * MIB,
            "bomb: more than 20.0 MiB of decompressed data: expected at most that (--max-memory)");
    refuses(zstd_zeros(300 * MIB, 28), (uint64_t)1 << 30, 0,
            "bomb: the window of the compressed data is too large: expected at most 128.0 MiB");
    refuses(zstd_zeros(2 * MIB, 20), MIB - 1, 0,
            "bomb: the window of the compressed data is too large: expected at most 512.0 KiB");
    refuses(repeat(bzip2_zeros(MIB), 80), (uint64_t)1 << 30, 82 * MIB,
            "bomb: 2.9 KiB of compressed data give more than 64.0 MiB: expected at most 1000 times "
            "as much (decompress the file first if it is right)");
    refuses(repeat(xz_zeros(MIB, MIB), 80), (uint64_t)1 << 30, 82 * MIB,
            "bomb: 17.8 KiB of compressed data give more than 64.0 MiB: expected at most 1000 "
            "times as much (decompress the file first if it is right)");
    refuses(repeat(bzip2_zeros(MIB), 30), 20 * MIB, 37 * MIB,
            "bomb: more than 20.0 MiB of decompressed data: expected at most that (--max-memory)");
    refuses(repeat(xz_zeros(MIB, MIB), 30), 20 * MIB, 37 * MIB,
            "bomb: more than 20.0 MiB of decompressed data: expected at most that (--max-memory)");
    refuses(xz_zeros(5000, 256 * MIB), (uint64_t)1 << 30, 0,
            "bomb: the window of the compressed data is too large: expected at most 128.0 MiB");
}

// xz writes a window of 8 MiB into small files too.
static void a_large_window_of_xz_is_read_in_little_memory(void **state)
{
    (void)state;
    HdError err = {0};
    MemoryBudget budget = budget_start(1 << 16, "small", &err);
    Packed packed = xz_zeros(5000, 128 << 20);
    Input *in = input_open_bytes("small", packed.bytes, packed.size, &err);
    assert_non_null(in);
    input_limit(in, &budget);
    assert_int_equal(read_all(in, NULL), 5000);
    input_close(in);
    free(packed.bytes);
}

// Two members, then zeros, which pad the last block of a tape; with a byte behind them; and each
// cut of one member, from `shortest` bytes on.
static void check_members(Packed one, const char *format, size_t shortest, const char *behind)
{
    enum { PADDING = 512 };
    char bytes[4096], name[32], message[128];
    HdError err = {0};
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, one.bytes, one.size);
    memcpy(bytes + one.size, one.bytes, one.size);
    snprintf(name, sizeof name, "two.%s", format);
    Input *in = input_open_bytes(name, bytes, 2 * one.size + PADDING, &err);
    assert_int_equal(read_all(in, NULL), 10000);
    input_close(in);
    bytes[2 * one.size + 4] = 'x';
    in = input_open_bytes(name, bytes, 2 * one.size + PADDING, &err);
    snprintf(message, sizeof message, "%s: %s", name, behind);
    // liblzma looks ahead before it gives data.
    assert_int_equal(read_all(in, message), strcmp(format, "xz") == 0 ? 0 : 10000);
    input_close(in);
    for (size_t size = shortest; size < one.size; size++) {
        in = input_open_bytes("cut", bytes, size, &err);
        read_all(in, "cut: the compressed data ends early or is damaged");
        input_close(in);
    }
    free(one.bytes);
}

static void members_and_padding_are_read(void **state)
{
    (void)state;
    check_members(gzip_zeros(5000), "gz", 2, "data that is not gzip follows the compressed data");
    check_members(bzip2_zeros(5000), "bz2", 4,
                  "data that is not bzip2 follows the compressed data");
    check_members(xz_zeros(5000, 4096), "xz", 6, "the compressed data is damaged: no xz data");
}

// The message of a changed byte.
static void check_damage(Packed packed, size_t at, const char *message)
{
    HdError err = {0};
    packed.bytes[at] ^= 0x40;
    Input *in = input_open_bytes("bad", packed.bytes, packed.size, &err);
    read_all(in, message);
    input_close(in);
    free(packed.bytes);
}

static void damage_is_reported(void **state)
{
    (void)state;
    check_damage(bzip2_zeros(5000), 4, "bad: the compressed data is damaged: no bzip2 data");
    Packed packed = bzip2_zeros(5000);
    size_t checksum = packed.size - 3;
    check_damage(packed, checksum, "bad: the compressed data is damaged: no bzip2 data");
    packed = xz_zeros(5000, 4096);
    size_t index = packed.size - 20;
    check_damage(packed, index, "bad: the compressed data is damaged: no xz data");
    check_damage(xz_zeros(5000, 4096), 7,
                 "bad: the compressed data is damaged: no xz data"); // the kind of the checksum
}

static void peeked_bytes_are_read_again(void **state)
{
    (void)state;
    char bytes[8] = "";
    HdError err = {0};
    Input *in = input_open_bytes("text", "abcdef", 6, &err);
    size_t got;
    assert_string_equal(input_peek(in, 2, &got, &err), "ab");
    assert_int_equal(got, 2);
    assert_string_equal(input_peek(in, 4, &got, &err), "abcd");
    assert_int_equal(got, 4);
    assert_string_equal(input_peek(in, 3, &got, &err), "abcd"); // fewer than before
    assert_int_equal(got, 3);
    assert_int_equal(input_offset(in), 0);
    assert_int_equal(input_read(in, bytes, 3, &err), 3);
    assert_int_equal(input_offset(in), 3);
    assert_int_equal(input_read(in, bytes + 3, 5, &err), 3);
    assert_memory_equal(bytes, "abcdef", 6);
    input_close(in);
    in = input_open_bytes("short", "ab", 2, &err);
    assert_string_equal(input_peek(in, 8, &got, &err), "ab");
    assert_int_equal(got, 2);
    assert_int_equal(read_all(in, NULL), 2);
    input_close(in);
}

// ---- what is no file, or has no end ----

static void open_refuses(const char *path, const char *message)
{
    HdError err = {0};
    char whole[512];
    snprintf(whole, sizeof whole, "%s: %s", path, message);
    assert_null(input_open(path, &err));
    assert_string_equal(err.text, whole);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    open_refuses(scratch_folder(), "is a directory: expected a file");
    open_refuses(scratch_path("none"), "cannot be read: No such file or directory");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", scratch_path("socket"));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    open_refuses(address.sun_path, "is a socket: expected a file");
    close(fd);
}

// A child that writes one line, then the same byte for ever; ended by SIGPIPE.
static const char *endless_pipe(pid_t *child)
{
    const char *path = scratch_path("pipe");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    *child = fork();
    if (*child) return path;
    static char bytes[1 << 16];
    int fd = open(path, O_WRONLY);
    memset(bytes, 'x', sizeof bytes);
    while (write(fd, bytes, sizeof bytes) > 0) continue;
    _exit(0);
}

static void what_never_ends_is_limited(void **state)
{
    (void)state;
    HdError err = {0};
    MemoryBudget budget = budget_start(3 << 20, "zeros", &err);
    Input *in = input_open("/dev/zero", &err);
    assert_non_null(in);
    input_limit(in, &budget);
    assert_in_range(read_all(in, "/dev/zero: more than 3.0 MiB of data: expected at most that "
                                 "(--max-memory)"), 0, 4 << 20);
    input_close(in);
    size_t size;
    assert_null(file_read("/dev/zero", &size, &err));
    assert_string_equal(err.text, "/dev/zero: more than 256.0 MiB of data: expected at most that "
                                  "(for a file that is read whole)");
    pid_t child;
    const char *path = endless_pipe(&child);
    in = input_open(path, &err);
    assert_non_null(in);
    input_limit(in, &budget);
    char message[512];
    snprintf(message, sizeof message, "%s: more than 3.0 MiB of data: expected at most that "
                                      "(--max-memory)", path);
    read_all(in, message);
    input_close(in);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bombs_end_with_a_message),
        cmocka_unit_test(a_large_window_of_xz_is_read_in_little_memory),
        cmocka_unit_test(members_and_padding_are_read), cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(peeked_bytes_are_read_again),
        cmocka_unit_test(what_is_no_file_is_refused), cmocka_unit_test(what_never_ends_is_limited),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
