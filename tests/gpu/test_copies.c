// Copies and fills by the host, in pieces of 32 MiB: a stop ends one between two pieces.
#include "support/bench.h"

enum { MIB = 1 << 20, PIECE = 32 * MIB, BYTES = 80 * MIB };

static uint8_t *pattern(void)
{
    uint32_t *words = malloc(BYTES);
    assert_non_null(words);
    for (size_t i = 0; i < BYTES / sizeof *words; i++) words[i] = (uint32_t)i * 2654435761u;
    return (uint8_t *)words;
}

// A copy within an allocation is as memmove, also where the ranges overlap.
static void test_overlap(void **state)
{
    (void)state;
    static const uint64_t distances[] = {1, PIECE + 3};
    uint8_t *wanted = pattern(), *start = pattern();
    Bench *b = bench_new("fermi-gtx480", NULL, NULL, NULL);
    uint64_t at = bench_array(b, "a", start, BYTES);
    for (unsigned i = 0; i < 2 * sizeof distances / sizeof *distances; i++) {
        uint64_t far = distances[i / 2], to = i % 2 ? far : 0, from = i % 2 ? 0 : far;
        memcpy(wanted, start, BYTES);
        assert_true(gpu_write(b->gpu, at, start, BYTES, &b->err));
        memmove(wanted + to, wanted + from, BYTES - far);
        assert_true(gpu_copy(b->gpu, at + to, at + from, BYTES - far, &b->err));
        assert_memory_equal(guest_host(gpu_memory(b->gpu), at), wanted, BYTES);
    }
    bench_free(b);
    free(wanted);
    free(start);
}

static void assert_stopped(Bench *b, bool ok, const char *message)
{
    assert_false(ok);
    assert_string_equal(b->err.text, message);
    assert_int_equal(gpu_stop(b->gpu)->reason, STOP_ASKED);
    assert_string_equal(gpu_stop(b->gpu)->kernel, "");
    b->err = (HdError){0};
}

static void test_stop(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop = 1;
    uint8_t *from = pattern(), *to = calloc(BYTES, 1);
    assert_non_null(to);
    Bench *b = bench_new("fermi-gtx480", NULL, &(GpuOptions){.stop = &stop}, NULL);
    uint64_t at = bench_array(b, "a", NULL, BYTES);
    const uint8_t *memory = guest_host(gpu_memory(b->gpu), at);
    // One piece is done in any case.
    assert_true(gpu_write(b->gpu, at + 5, from, PIECE, &b->err));
    assert_memory_equal(memory + 5, from, PIECE);
    assert_int_equal(gpu_stop(b->gpu)->reason, STOP_NONE);
    assert_stopped(b, gpu_write(b->gpu, at, from, BYTES, &b->err),
                   "interrupted in a copy of 83886080 bytes");
    assert_memory_equal(memory, from, PIECE);
    assert_int_equal(memory[PIECE + 5], 0); // not written
    assert_stopped(b, gpu_fill(b->gpu, at, 9, PIECE + 1, &b->err),
                   "interrupted in a fill of 33554433 bytes");
    assert_int_equal(memory[PIECE - 1], 9);
    assert_int_equal(memory[PIECE], from[PIECE - 5]);
    assert_stopped(b, gpu_read(b->gpu, to, at, BYTES, &b->err),
                   "interrupted in a copy of 83886080 bytes");
    assert_int_equal(to[PIECE - 1], 9);
    assert_int_equal(to[PIECE], 0);
    assert_stopped(b, gpu_copy(b->gpu, at + MIB, at, BYTES - MIB, &b->err),
                   "interrupted in a copy of 82837504 bytes");
    bench_free(b);
    free(from);
    free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
