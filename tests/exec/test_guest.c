// Guest memory: placement, zeroes, bounds, release, messages; store logs: read-through, order,
// commit.
#include "lanes.h"

#include "base/random.h"
#include "exec/store_log.h"

#include <stdlib.h>
#include <string.h>

static void test_allocation(void **state)
{
    (void)state;
    GuestMemory memory;
    HdError err = {0};
    assert_true(guest_init(&memory, &err));
    uint64_t a = guest_allocate(&memory, 100, "offsets", &err),
             b = guest_allocate(&memory, 1, "edges", &err);
    uint64_t empty = guest_allocate(&memory, 0, "none", &err);
    uint64_t big = guest_allocate(&memory, UINT64_C(200) << 20, "big", &err);
    assert_int_equal(a, GUEST_GLOBAL_BASE);
    assert_int_equal(b, GUEST_GLOBAL_BASE + 256);
    assert_int_equal(empty, GUEST_GLOBAL_BASE + 512);
    assert_int_equal(big, GUEST_GLOBAL_BASE + 768);
    assert_int_equal(*guest_host(&memory, big + (UINT64_C(200) << 20) - 1), 0);
    *guest_host(&memory, big + (UINT64_C(200) << 20) - 1) = 7;

    assert_int_equal(guest_allocate(&memory, UINT64_MAX, "all", &err), 0);
    assert_true(strstr(err.text, "\"all\"") != NULL);

    uint16_t hint = GUEST_NO_ALLOCATION;
    assert_int_equal(guest_find(&memory, a + 96, 4, &hint), 0);
    assert_int_equal(hint, 0);
    assert_int_equal(guest_find(&memory, a + 97, 4, &hint), GUEST_NO_ALLOCATION);
    assert_int_equal(guest_find(&memory, b, 1, &hint), 1);
    assert_int_equal(guest_find(&memory, a, 1, &hint), 0); // a wrong hint is harmless
    assert_int_equal(guest_find(&memory, empty, 1, &hint), GUEST_NO_ALLOCATION);
    assert_int_equal(guest_find(&memory, big + 1000, 8, &hint), 3);
    assert_int_equal(guest_find(&memory, 0, 4, &hint), GUEST_NO_ALLOCATION);
    assert_int_equal(guest_find(&memory, UINT64_MAX - 1, 4, &hint), GUEST_NO_ALLOCATION);

    assert_false(guest_release(&memory, a + 4));
    assert_true(guest_release(&memory, a));
    assert_false(guest_release(&memory, a));
    hint = 0;
    assert_int_equal(guest_find(&memory, a, 4, &hint), GUEST_NO_ALLOCATION);
    guest_free(&memory);
}

// A pointer of the first guest memory is valid on the host; a pointer of a second one is not.
static void test_at_host(void **state)
{
    (void)state;
    GuestMemory first, second;
    HdError err = {0};
    assert_true(guest_init(&first, &err));
    assert_true(guest_init(&second, &err));
#ifndef __SANITIZE_ADDRESS__ // its shadow memory may lie there
    assert_true(guest_is_identity_mapped(&first));
#endif
    assert_false(guest_is_identity_mapped(&second));
    uint64_t at = guest_allocate(&first, 4, "a", &err);
    assert_int_equal(guest_allocate(&second, 4, "a", &err), at);
    *guest_host(&second, at) = 9;
    *guest_host(&first, at) = 7;
    if (guest_is_identity_mapped(&first)) assert_int_equal(*(uint8_t *)at, 7);
    assert_int_equal(*guest_host(&second, at), 9);
    guest_free(&first);
    guest_free(&second);
}

// Written pages count once, by whole pages, until they go back to the host.
static void test_pages(void **state)
{
    (void)state;
    const uint64_t page = GUEST_PAGE_BYTES;
    GuestMemory memory;
    HdError err = {0};
    assert_true(guest_init(&memory, &err));
    guest_limit(&memory, 3 * page);
    uint64_t at = guest_allocate(&memory, 4 * page, "a", &err);
    assert_int_equal(memory.budget.used, 0);
    assert_true(guest_take(&memory, at + page - 1, 2, &err));
    assert_true(guest_take(&memory, at, 2 * page, &err));
    assert_int_equal(memory.budget.used, 2 * page);
    assert_false(guest_take(&memory, at + page, 3 * page, &err)); // two more
    assert_string_equal(err.text, "the written pages of device memory need 8.0 MiB of memory: "
                                  "expected at most 6.0 MiB in all (--max-memory)");
    assert_false(guest_is_taken(&memory, at + 2 * page));
    *guest_host(&memory, at) = *guest_host(&memory, at + page) = 7;
    guest_clear(&memory, at + 1, 2 * page); // the second page is whole, of the others a part
    assert_int_equal(memory.budget.used, page);
    assert_true(guest_is_taken(&memory, at));
    assert_int_equal(*guest_host(&memory, at), 7);
    assert_int_equal(*guest_host(&memory, at + page), 0);
    // Other memory of the host.
    assert_true(guest_count(&memory, 0, 2 * page, "threads", &err));
    assert_int_equal(guest_left(&memory), 0);
    assert_false(guest_count(&memory, 2 * page, 2 * page + 1, "threads", &err));
    assert_string_equal(err.text, "threads need 6.1 MiB of memory: expected at most 6.0 MiB in all "
                                  "(--max-memory)");
    assert_true(guest_count(&memory, 2 * page, page, "threads", &err));
    assert_int_equal(guest_left(&memory), page);
    assert_true(guest_release(&memory, at));
    assert_int_equal(memory.budget.used, page);
    guest_free(&memory);
}

// By default, what the host has left is the limit.
static void test_host_is_limit(void **state)
{
    (void)state;
    GuestMemory memory;
    HdError err = {0};
    assert_true(guest_init(&memory, &err));
    uint64_t left = guest_left(&memory);
    assert_true(left > 0);
    if (left < memory.reserved) {
        assert_false(guest_take(&memory, GUEST_GLOBAL_BASE, memory.reserved, &err));
        assert_non_null(strstr(err.text, " left; --max-memory changes it)"));
        assert_int_equal(memory.budget.used, 0);
    }
    guest_free(&memory);
}

static void test_nearest(void **state)
{
    (void)state;
    GuestMemory memory;
    char text[200];
    assert_true(guest_init(&memory, NULL));
    guest_nearest(&memory, GUEST_GLOBAL_BASE, text, sizeof text);
    assert_string_equal(text, "nothing is allocated");
    uint64_t a = guest_allocate(&memory, 100, "offsets", NULL),
             b = guest_allocate(&memory, 8, "edges", NULL);
    guest_nearest(&memory, a + 104, text, sizeof text);
    assert_string_equal(text, "4 bytes past the end of \"offsets\" (0x100000000, 100 bytes)");
    guest_nearest(&memory, b - 8, text, sizeof text);
    assert_string_equal(text, "8 bytes before the start of \"edges\" (0x100000100, 8 bytes)");
    guest_nearest(&memory, 12, text, sizeof text);
    assert_string_equal(text, "no allocation is near: device memory starts at 0x100000000");
    guest_release(&memory, a);
    guest_nearest(&memory, a + 40, text, sizeof text);
    assert_string_equal(text,
                        "40 bytes into \"offsets\" (0x100000000, 100 bytes), which is released");
    guest_free(&memory);
}

typedef struct Fixture {
    GuestMemory memory;
    uint64_t array;
    StoreLog *logs[3];
} Fixture;

static void fixture_start(Fixture *f, uint64_t bytes)
{
    assert_true(guest_init(&f->memory, NULL));
    f->array = guest_allocate(&f->memory, bytes, "a", NULL);
    for (int i = 0; i < 3; i++) assert_non_null(f->logs[i] = store_log_new(NULL));
}
static void fixture_end(Fixture *f)
{
    for (int i = 0; i < 3; i++) store_log_free(f->logs[i]);
    guest_free(&f->memory);
}

static void store_one(Fixture *f, int log, uint64_t time, uint64_t offset, unsigned bytes,
                      uint64_t value)
{
    uint64_t addresses[HD_MAX_LANES] = {0};
    addresses[9] = f->array + offset;
    uint64_t data[HD_MAX_LANES] = {0};
    data[9] = value;
    assert_true(store_log_add(f->logs[log], time,
                              &(WarpStore){1 << 9, addresses, data, bytes, 8}));
}
static uint64_t load(const Fixture *f, int log, uint64_t offset, unsigned bytes)
{
    return store_log_read(f->logs[log], &f->memory, f->array + offset, bytes);
}

static void test_own_stores_are_seen(void **state)
{
    (void)state;
    Fixture f;
    fixture_start(&f, 4096);
    assert_true(store_log_empty(f.logs[0]));
    store_one(&f, 0, 1, 8, 8, UINT64_C(0x1122334455667788));
    store_one(&f, 0, 1, 10, 2, 0xabcd);
    store_one(&f, 0, 2, 15, 1, 0xee);
    assert_false(store_log_empty(f.logs[0]));
    assert_int_equal(load(&f, 0, 8, 8), UINT64_C(0xee223344abcd7788));
    assert_int_equal(load(&f, 0, 12, 4), 0xee223344);
    assert_int_equal(load(&f, 0, 10, 1), 0xcd);
    assert_int_equal(load(&f, 1, 8, 8), 0); // another SM does not see them yet
    // a partly stored word: the rest is from memory
    *guest_host(&f.memory, f.array + 100) = 0x55;
    store_one(&f, 0, 3, 101, 1, 0x66);
    assert_int_equal(load(&f, 0, 100, 2), 0x6655);
    guest_commit(&f.memory, f.logs, 3);
    assert_true(store_log_empty(f.logs[0]));
    assert_int_equal(load(&f, 1, 8, 8), UINT64_C(0xee223344abcd7788));
    assert_int_equal(load(&f, 1, 100, 2), 0x6655);
    // after the log is emptied, only memory counts
    *guest_host(&f.memory, f.array + 8) = 1;
    assert_int_equal(load(&f, 0, 8, 1), 1);
    fixture_end(&f);
}

static void test_commit_order(void **state)
{
    (void)state;
    Fixture f;
    fixture_start(&f, 64);
    // (time, SM, sequence): the last store to each word wins
    store_one(&f, 2, 5, 0, 4, 25);
    store_one(&f, 0, 6, 0, 4, 6); // later, though a lower SM
    store_one(&f, 0, 7, 8, 4, 7);
    store_one(&f, 1, 7, 8, 4, 17); // same time: the higher SM wins
    store_one(&f, 1, 8, 16, 4, 1);
    store_one(&f, 1, 8, 16, 4, 2); // same SM and time: the later store wins
    store_one(&f, 2, 9, 24, 4, 29);
    store_one(&f, 0, 10, 24, 2, 10);
    store_one(&f, 0, 30, 32, 4, 30); // waits for the others, though this SM comes first
    store_one(&f, 1, 20, 32, 4, 120);
    guest_commit(&f.memory, f.logs, 3);
    assert_int_equal(load(&f, 0, 0, 4), 6);
    assert_int_equal(load(&f, 0, 8, 4), 17);
    assert_int_equal(load(&f, 0, 16, 4), 2);
    assert_int_equal(load(&f, 0, 24, 4), 10);
    assert_int_equal(load(&f, 0, 32, 4), 30);
    fixture_end(&f);
}

static void test_lanes_in_order(void **state)
{
    (void)state;
    Fixture f;
    fixture_start(&f, 64);
    uint64_t addresses[HD_MAX_LANES];
    uint32_t data[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = f.array;
        data[l] = l;
    }
    assert_true(store_log_add(f.logs[0], 1, &(WarpStore){0x00ff0000, addresses, data, 4, 4}));
    assert_int_equal(load(&f, 0, 0, 4), 23);
    guest_commit(&f.memory, f.logs, 3);
    assert_int_equal(load(&f, 0, 0, 4), 23);
    fixture_end(&f);
}

// Many random stores of all sizes, enough to make the index grow, against a plain copy; several
// rounds, so that leftovers of a commit would show.
static void test_against_plain_memory(void **state)
{
    (void)state;
    enum { BYTES = 64 << 10, STORES = 6000 };
    Fixture f;
    fixture_start(&f, BYTES);
    uint8_t *copy = calloc(BYTES, 1);
    assert_non_null(copy);
    for (uint64_t round = 0; round < 4; round++) {
        for (uint64_t i = 0; i < STORES; i++) {
            uint64_t draw = random_draw(round, 0, 0, i), value = random_mix(draw);
            unsigned bytes = 1u << (draw & 3);
            uint64_t offset = (draw >> 8) % BYTES / bytes * bytes;
            store_one(&f, 1, 1000 * round + i / 100, offset, bytes, value);
            memcpy(copy + offset, &value, bytes);
        }
        for (uint64_t offset = 0; offset < BYTES; offset += 8) {
            uint64_t want;
            memcpy(&want, copy + offset, 8);
            assert_int_equal(load(&f, 1, offset, 8), want);
        }
        guest_commit(&f.memory, f.logs, 3);
        assert_memory_equal(guest_host(&f.memory, f.array), copy, BYTES);
    }
    free(copy);
    fixture_end(&f);
}

// One warp's stores to sectors in turns: 0, 96, 0, 96, ..., each lane to bytes of its own.
static void test_lanes_between_sectors(void **state)
{
    (void)state;
    Fixture f;
    fixture_start(&f, 128);
    uint64_t addresses[HD_MAX_LANES];
    uint16_t data[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = f.array + l % 2 * 96 + l / 2 * 2;
        data[l] = (uint16_t)(0x100 + l);
    }
    *guest_host(&f.memory, f.array + 32) = 7;
    assert_true(store_log_add(f.logs[0], 1, &(WarpStore){0xffffffff, addresses, data, 2, 2}));
    for (unsigned turn = 0; turn < 2; turn++) {
        for (unsigned l = 0; l < HD_MAX_LANES; l++)
            assert_int_equal(load(&f, 0, addresses[l] - f.array, 2), 0x100 + l);
        assert_int_equal(load(&f, 0, 0, 8), UINT64_C(0x0106010401020100));
        assert_int_equal(load(&f, 0, 32, 1), 7);
        guest_commit(&f.memory, f.logs, 3);
    }
    fixture_end(&f);
}

// The epoch that empties the index wraps at 2^32: no earlier entry is found then.
static void test_epochs_start_again(void **state)
{
    (void)state;
    Fixture f;
    fixture_start(&f, 64);
    store_one(&f, 0, 1, 0, 4, 5); // in the first epoch, to be found in no other
    guest_commit(&f.memory, f.logs, 3);
    f.logs[0]->table.epoch = UINT32_MAX;
    store_one(&f, 0, 2, 8, 4, 6);
    guest_commit(&f.memory, f.logs, 3);
    store_one(&f, 0, 3, 16, 1, 7); // sets the filter for the sector
    memset(guest_host(&f.memory, f.array), 0, 64);
    assert_int_equal(load(&f, 0, 0, 4), 0);
    assert_int_equal(load(&f, 0, 8, 4), 0);
    assert_int_equal(load(&f, 0, 16, 4), 7);
    fixture_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocation),          cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_own_stores_are_seen), cmocka_unit_test(test_commit_order),
        cmocka_unit_test(test_lanes_in_order),      cmocka_unit_test(test_against_plain_memory),
        cmocka_unit_test(test_at_host),             cmocka_unit_test(test_lanes_between_sectors),
        cmocka_unit_test(test_epochs_start_again),  cmocka_unit_test(test_pages),
        cmocka_unit_test(test_host_is_limit),
    };
    return cmocka_run_group_tests_name("exec guest", tests, NULL, NULL);
}
