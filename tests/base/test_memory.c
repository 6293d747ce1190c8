// Arrays, vectors and arenas: zeroed, aligned, and NULL for impossible sizes.
#include "base/memory.h"
#include "support/scratch.h"

#include <stdlib.h>
#include <string.h>

static void arrays_are_zero_and_checked(void **state)
{
    (void)state;
    uint64_t *numbers = hd_new(1000, sizeof *numbers);
    assert_non_null(numbers);
    for (int i = 0; i < 1000; i++) assert_int_equal(numbers[i], 0);
    free(numbers);
    void *nothing = hd_new(0, 8);
    assert_non_null(nothing);
    free(nothing);
    // Volatile: compilers may warn of, or fold, a size that they can see is too large.
    volatile size_t half = SIZE_MAX / 2;
    assert_null(hd_new(half, 3));
    assert_null(hd_new_aligned(half, 3, 64));
    assert_null(hd_new_aligned(SIZE_MAX - 8, 1, 64));
}

static void aligned_arrays_are_aligned(void **state)
{
    (void)state;
    for (size_t align = 16; align <= 4096; align *= 2) {
        unsigned char *bytes = hd_new_aligned(3, 7, align);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % align, 0);
        for (int i = 0; i < 21; i++) assert_int_equal(bytes[i], 0);
        free(bytes);
    }
}

static void vectors_keep_what_they_hold(void **state)
{
    (void)state;
    int *items = NULL;
    size_t count = 0, capacity = 0;
    for (int i = 0; i < 1000; i++) assert_true(HD_PUSH(items, count, capacity, i * i));
    assert_int_equal(count, 1000);
    assert_true(capacity >= count);
    for (int i = 0; i < 1000; i++) assert_int_equal(items[i], i * i);
    free(items);
}

// 3 of 5 elements are taken, then the other 2.
static void lists_drop_what_is_taken(void **state)
{
    (void)state;
    int items[] = {1, 2, 3, 4, 5};
    size_t head = 0, count = 5;
    hd_drop_taken(items, &head, &count, sizeof *items);
    assert_int_equal(count, 5);
    head = 3;
    hd_drop_taken(items, &head, &count, sizeof *items);
    assert_int_equal(head, 0);
    assert_int_equal(count, 2);
    assert_int_equal(items[0], 4);
    assert_int_equal(items[1], 5);
    head = 2;
    hd_drop_taken(items, &head, &count, sizeof *items);
    assert_int_equal(head, 0);
    assert_int_equal(count, 0);
}

static void a_vector_that_cannot_grow_stays(void **state)
{
    (void)state;
    int here = 42, *items = &here;
    size_t capacity = SIZE_MAX / 2;
    assert_false(hd_reserve(&items, capacity, &capacity, sizeof *items));
    assert_ptr_equal(items, &here);
    assert_int_equal(capacity, SIZE_MAX / 2);
}

static void arena_pieces_do_not_overlap(void **state)
{
    (void)state;
    enum { PIECES = 3000 };
    static unsigned char *pieces[PIECES];
    HdArena arena = {0};
    for (int i = 0; i < PIECES; i++) {
        size_t size = (size_t)(i % 97) + 1;
        pieces[i] = hd_arena_new(&arena, size);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        for (size_t k = 0; k < size; k++) assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], i & 255, size);
    }
    for (int i = 0; i < PIECES; i++)
        for (int k = 0; k <= i % 97; k++) assert_int_equal(pieces[i][k], i & 255);
    hd_arena_free(&arena);
}

// In the second round, the arena gives out memory that the first round wrote to.
static void a_reset_arena_gives_zeroed_pieces(void **state)
{
    (void)state;
    HdArena arena = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 100; i++) {
            size_t size = i == 50 ? 1 << 20 : 4000;
            unsigned char *piece = hd_arena_new(&arena, size);
            assert_non_null(piece);
            for (size_t k = 0; k < size; k++) assert_int_equal(piece[k], 0);
            memset(piece, 0xff, size);
        }
        hd_arena_reset(&arena);
    }
    hd_arena_free(&arena);
    hd_arena_reset(&arena);
    assert_null(arena.blocks);
}

static void arenas_take_large_pieces_and_refuse_impossible_ones(void **state)
{
    (void)state;
    HdArena arena = {0};
    char *large = hd_arena_new(&arena, 1 << 20);
    assert_non_null(large);
    large[(1 << 20) - 1] = 1;
    volatile size_t impossible = SIZE_MAX;
    assert_null(hd_arena_new(&arena, impossible));
    assert_null(hd_arena_new(&arena, impossible - 15));
    assert_null(hd_arena_new(&arena, impossible / 2));
    char *text = hd_arena_text(&arena, "hello, world", 5);
    assert_string_equal(text, "hello");
    hd_arena_free(&arena);
    assert_non_null(hd_arena_new(&arena, 1));
    hd_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_zero_and_checked),
        cmocka_unit_test(aligned_arrays_are_aligned),
        cmocka_unit_test(vectors_keep_what_they_hold),
        cmocka_unit_test(lists_drop_what_is_taken),
        cmocka_unit_test(a_vector_that_cannot_grow_stays),
        cmocka_unit_test(arena_pieces_do_not_overlap),
        cmocka_unit_test(a_reset_arena_gives_zeroed_pieces),
        cmocka_unit_test(arenas_take_large_pieces_and_refuse_impossible_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
