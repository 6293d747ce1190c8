// Whole files: reads plain and gzip files; a failed write leaves the old file as it was.
#include "base/file.h"
#include "base/hash.h"
#include "support/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

// A text that no compressor makes much smaller than its `size`.
static char *noise(size_t size)
{
    char *text = malloc(size + 1);
    assert_non_null(text);
    uint32_t x = 1;
    for (size_t i = 0; i < size; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = (char)('!' + (x >> 24) % 90);
    }
    text[size] = 0;
    return text;
}

static void reads_as(const char *path, const char *expected, size_t length)
{
    HdError err = {0};
    size_t size = 99;
    char *text = file_read(path, &size, &err);
    if (!text) fail_msg("%s", err.text);
    assert_int_equal(size, length);
    assert_memory_equal(text, expected, length);
    assert_int_equal(text[size], 0);
    free(text);
}

static void plain_files_are_read(void **state)
{
    (void)state;
    reads_as(scratch_text("plain", "one\ntwo\n"), "one\ntwo\n", 8);
    reads_as(scratch_text("empty", ""), "", 0);
    reads_as(scratch_file("zeros", "a\0b", 3), "a\0b", 3);
    char *large = noise(3000000);
    reads_as(scratch_text("large", large), large, 3000000);
    free(large);
}

static void the_mark_of_utf8_is_no_text(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text;
    } rows[] = {{"\xef\xbb\xbfone\n", "one\n"}, {"\xef\xbb\xbf", ""}, {"\xef\xbb", NULL},
                {"one\xef\xbb\xbf", NULL}, {"", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        HdError err = {0};
        size_t size;
        const char *expected = rows[i].text ? rows[i].text : rows[i].file;
        char *text = file_read_text(scratch_text("mark", rows[i].file), &size, &err);
        assert_non_null(text);
        assert_string_equal(text, expected);
        assert_int_equal(size, strlen(expected));
        free(text);
    }
}

static void gzip_files_are_unpacked(void **state)
{
    (void)state;
    reads_as(scratch_gzip("small.gz", "one\ntwo\n"), "one\ntwo\n", 8);
    char *large = malloc(2000001); // far larger than its packed form: the buffer has to grow
    memset(large, 'x', 2000000);
    large[2000000] = 0;
    reads_as(scratch_gzip("large.gz", large), large, 2000000);
    free(large);
}

// Packs by hand: one frame, or two in sequence.
static const char *scratch_zstd(const char *name, const char *text, size_t size, int frames)
{
    size_t room = ZSTD_compressBound(size), used = 0;
    char *packed = malloc(2 * room);
    assert_non_null(packed);
    while (frames--) used += ZSTD_compress(packed + used, room, text, size, 3);
    const char *path = scratch_file(name, packed, used);
    free(packed);
    return path;
}

static void zstd_files_are_unpacked(void **state)
{
    (void)state;
    reads_as(scratch_zstd("small.zst", "one\ntwo\n", 8, 1), "one\ntwo\n", 8);
    reads_as(scratch_zstd("two.zst", "one\n", 4, 2), "one\none\n", 8);
    reads_as(scratch_zstd("empty.zst", "", 0, 1), "", 0);
    reads_as(scratch_zstd("other.name", "x", 1, 1), "x", 1);
    char *large = noise(3000000);
    reads_as(scratch_zstd("noise.zst", large, 3000000, 1), large, 3000000);
    memset(large, 'x', 3000000);
    reads_as(scratch_zstd("large.zst", large, 3000000, 1), large, 3000000);
    free(large);
    reads_as(scratch_text("magic", "\x28\xb5\x2f"), "\x28\xb5\x2f", 3); // too short to be one
}

static void read_fails(const char *path, const char *message)
{
    HdError err = {0};
    size_t size = 0;
    char expected[1024];
    assert_null(file_read(path, &size, &err));
    snprintf(expected, sizeof expected, "%s: %s", path, message);
    assert_string_equal(err.text, expected);
}

// A file, a device and compressed data are read up to the limit, and one byte beyond it.
static void at_most_is_read(void **state)
{
    (void)state;
    enum { MOST = 5 << 10 };
    char text[MOST + 2], wanted[1024];
    memset(text, 'x', sizeof text);
    for (size_t beyond = 0; beyond < 2; beyond++) {
        text[MOST + beyond] = 0;
        const char *const paths[] = {scratch_text("most", text), scratch_gzip("most.gz", text)};
        for (size_t i = 0; i < 2; i++) {
            HdError err = {0};
            size_t size = 0;
            char *got = file_read_most(paths[i], MOST, &size, &err);
            assert_int_equal(got != NULL, !beyond);
            snprintf(wanted, sizeof wanted, "%s: more than 5 KiB: expected at most that", paths[i]);
            if (got) assert_string_equal(got, text);
            else assert_string_equal(err.text, wanted);
            free(got);
        }
        text[MOST + beyond] = 'x';
    }
    HdError err = {0};
    size_t size;
    assert_null(file_read_most("/dev/zero", MOST, &size, &err));
    assert_string_equal(err.text, "/dev/zero: more than 5 KiB: expected at most that");
}

static void damaged_gzip_is_an_error(void **state)
{
    (void)state;
    char *text = noise(20000), bytes[30000];
    const char *path = scratch_gzip("damaged.gz", text);
    free(text);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    assert_true(size > 10000);
    HdError err = {0};
    size_t got;
    assert_null(file_read(scratch_file("cut.gz", bytes, size / 2), &got, &err));
    assert_non_null(strstr(err.text, "cut.gz: "));
    bytes[size - 6] ^= 1; // in the checksum
    err = (HdError){0};
    assert_null(file_read(scratch_file("flipped.gz", bytes, size), &got, &err));
    assert_non_null(strstr(err.text, "flipped.gz: "));
}

static void damaged_zstd_is_an_error(void **state)
{
    (void)state;
    char *text = noise(20000), bytes[30000];
    FILE *in = fopen(scratch_zstd("damaged.zst", text, 20000, 1), "rb");
    free(text);
    assert_non_null(in);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    read_fails(scratch_file("cut.zst", bytes, size - 1),
               "the compressed data ends early or is damaged");
    read_fails(scratch_file("start.zst", bytes, 5), "the compressed data ends early or is damaged");
    memcpy(bytes + size, "more", 4); // behind the frame
    read_fails(scratch_file("more.zst", bytes, size + 4),
               "the compressed data is damaged: Unknown frame descriptor");
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    read_fails(scratch_path("missing"), "cannot be read: No such file or directory");
    read_fails(scratch_folder(), "is a directory: expected a file");
}

static void writes_and_replaces(void **state)
{
    (void)state;
    HdError err = {0};
    const char *path = scratch_path("written");
    int before = scratch_count();
    assert_true(file_write(path, "first", 5, &err));
    scratch_holds(path, "first");
    assert_true(file_write(path, "2nd", 3, &err));
    scratch_holds(path, "2nd");
    assert_true(file_write(path, "", 0, &err));
    scratch_holds(path, "");
    assert_int_equal(scratch_count(), before + 1); // no temporary file is left
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0644);
}

// Tries to replace `path`, which holds "old", by 64 KiB; it must fail and change nothing.
static void replacing_fails(const char *path, const char *reason)
{
    char *large = noise(65536), expected[1024];
    HdError err = {0};
    assert_false(file_write(path, large, 65536, &err));
    free(large);
    snprintf(expected, sizeof expected, "%s: cannot be written: %s", path, reason);
    assert_string_equal(err.text, expected);
    scratch_holds(path, "old");
}

static void a_write_cut_short_leaves_the_old_file(void **state)
{
    (void)state;
    const char *path = scratch_text("limited", "old");
    int before = scratch_count();
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    replacing_fails(path, "File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(scratch_count(), before);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    char folder[600], path[700];
    snprintf(folder, sizeof folder, "%s", scratch_path("disk"));
    snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    if (mount("heddle-test", folder, "tmpfs", 0, "size=16k") != 0) {
        rmdir(folder);
        print_message("no right to mount a small disk: not tested here\n");
        skip();
    }
    FILE *out = fopen(path, "wb");
    if (out) {
        fputs("old", out);
        fclose(out);
    }
    replacing_fails(path, "No space left on device");
    umount(folder);
    rmdir(folder);
}

static void a_full_device_is_an_error(void **state)
{
    (void)state;
    HdError err = {0};
    if (access("/dev/full", W_OK) != 0) {
        print_message("there is no /dev/full: not tested here\n");
        skip();
    }
    assert_false(file_write("/dev/full", "text", 4, &err));
    assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
}

static void a_pipe_is_written_directly(void **state)
{
    (void)state;
    int ends[2];
    char path[64], text[16] = "";
    HdError err = {0};
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_true(file_write(path, "through", 7, &err));
    assert_int_equal(read(ends[0], text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(ends[0]);
    close(ends[1]);
}

// The result depends on the folder, not on the file in it, and nothing is changed.
static void whether_a_file_can_be_written_is_told_before(void **state)
{
    (void)state;
    HdError err = {0};
    const char *path = scratch_text("file", "old");
    int before = scratch_count();
    assert_true(file_check_writable(path, &err));
    assert_true(file_check_writable(scratch_path("to-come"), &err));
    assert_true(file_check_writable("/dev/full", &err));
    assert_int_equal(scratch_count(), before);
    scratch_holds(path, "old");
    assert_false(file_check_writable(scratch_folder(), &err));
    assert_non_null(strstr(err.text, "is a directory"));
    assert_false(file_check_writable(scratch_path("file/below"), &err));
    assert_non_null(strstr(err.text, "cannot be written: Not a directory"));
    // A writable file in a folder that accepts no new files, even from root.
    assert_int_equal(access("/proc/self/comm", W_OK), 0);
    assert_false(file_check_writable("/proc/self/comm", &err));
    assert_non_null(strstr(err.text, "/proc/self/comm: cannot be written: "));
}

// The hash covers several pieces to the last, and packed files as they are stored.
static void contents_are_hashed(void **state)
{
    (void)state;
    enum { SIZE = (2 << 20) + 5 };
    char *text = noise(SIZE);
    uint64_t whole, other;
    HdError err = {0};
    assert_true(file_hash(scratch_file("hashed", text, SIZE), &whole, &err));
    assert_true(file_hash(scratch_file("same", text, SIZE), &other, &err));
    assert_true(whole == other);
    text[SIZE - 1]++;
    assert_true(file_hash(scratch_file("hashed", text, SIZE), &other, &err));
    assert_true(whole != other);
    assert_true(file_hash(scratch_file("hashed", text, SIZE - 1), &whole, &err));
    assert_true(whole != other);
    assert_true(file_hash(scratch_file("hashed", "abc", 3), &whole, &err));
    assert_true(whole == hash_bytes(HASH_START, "abc", 3));
    assert_false(file_hash("/nowhere/at/all", &whole, &err));
    assert_non_null(strstr(err.text, "/nowhere/at/all: cannot be read"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_are_read),
        cmocka_unit_test(the_mark_of_utf8_is_no_text),
        cmocka_unit_test(gzip_files_are_unpacked), cmocka_unit_test(at_most_is_read),
        cmocka_unit_test(zstd_files_are_unpacked), cmocka_unit_test(damaged_zstd_is_an_error),
        cmocka_unit_test(damaged_gzip_is_an_error),
        cmocka_unit_test(what_cannot_be_read_is_named),
        cmocka_unit_test(contents_are_hashed),
        cmocka_unit_test(writes_and_replaces),
        cmocka_unit_test(a_write_cut_short_leaves_the_old_file),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_full_device_is_an_error),
        cmocka_unit_test(a_pipe_is_written_directly),
        cmocka_unit_test(whether_a_file_can_be_written_is_told_before),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
