// Invalid cache configurations: one message each, with the section and the expected value. And
// valid configurations of real machines.
#include "cache_actions.h"

#include <string.h>

static void check_message(const CacheConfig *config, const char *text)
{
    HdError err = {0};
    assert_null(cache_new(config, "l1d", 0, &err));
    assert_string_equal(err.text, text);
}

static void test_geometry(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.line = 96;
    check_message(&config, "l1d: line: 96 B: expected 32, 64 or 128 B");
    config.line = 256;
    check_message(&config, "l1d: line: 256 B: expected 32, 64 or 128 B");

    config = tiny_config();
    config.line = 64;
    check_message(&config, "l1d: sector: 128 B in lines of 64 B: expected a power of two from 8 "
                           "to 64 B");
    config.line = 128;
    config.sector = 0;
    check_message(&config, "l1d: sector: 0 B in lines of 128 B: expected a power of two from 16 "
                           "to 128 B");
    config.sector = 8;
    check_message(&config, "l1d: sector: 8 B in lines of 128 B: expected a power of two from 16 "
                           "to 128 B");

    config = tiny_config();
    config.ways = 0;
    check_message(&config, "l1d: ways: 0: expected at least 1");
    config.ways = 3;
    check_message(&config, "l1d: size: 512 B is not a whole number of sets of 3 x 128 B: "
                           "expected, for example, 768 B, or other ways");
    config.size = 0;
    check_message(&config, "l1d: size: 0 B: expected at least a line of 128 B");
    config.ways = 0; // as where the ways follow from the size
    check_message(&config, "l1d: size: 0 B: expected at least a line of 128 B");
    config.ways = 3;
    config.size = 48 * 384;
    config.index = INDEX_XOR;
    check_message(&config, "l1d: 48 sets need index: linear or prime; xor needs a power of two");
}

// In modes that ignore size and ways, these may have any value.
static void test_modes(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.ways = WAYS_ALL;
    config.size = 500;
    check_message(&config, "l1d: size: 500 B is not a whole number of sets of 1 x 128 B: "
                           "expected, for example, 512 B, or other ways");
    config.mode = CACHE_UNBOUNDED;
    cache_free(cache_made(&config));
    config.victim_entries = 4;
    check_message(&config, "l1d: victim_entries: an unbounded cache evicts no line: expected 0");
    config.mode = CACHE_OFF;
    cache_free(cache_made(&config));
    config.sector = 8;
    check_message(&config, "l1d: sector: 8 B in lines of 128 B: expected a power of two from 16 "
                           "to 128 B");
}

static void test_policies(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.allocate = ALLOCATE_ON_FILL;
    check_message(&config, "l1d: write: back does not work with allocate: on_fill, where a fill "
                           "would wait for a write-back and the write-back for the fill: expected "
                           "allocate: on_miss, or write: through or evict");
    config.write = WRITE_EVICT;
    HdError err = {0};
    assert_null(cache_new(&config, "l1d", 0, &err));
    assert_non_null(
        strstr(err.text, "l1d: local_write: back does not work with allocate: on_fill"));

    config = tiny_config();
    config.miss_queue = 1;
    check_message(&config, "l1d: miss_queue: 1: expected at least 2, for a miss and the "
                           "write-back that it causes");
    config = tiny_config();
    config.mshr_merges = 0;
    check_message(&config, "l1d: mshr_entries, mshr_merges: expected at least 1 each");
}

// peers.md 4.1 and the machines to ship: sets of each.
static void test_machines(void **state)
{
    (void)state;
    CacheConfig fermi_l1d = {.size = 16384, .line = 128, .sector = 128, .ways = 4,
                             .index = INDEX_FERMI, .write = WRITE_EVICT,
                             .local_write = WRITE_BACK, .write_miss = WRITE_MISS_AROUND,
                             .mshr_entries = 64, .mshr_merges = 8, .miss_queue = 8};
    Cache *cache = cache_made(&fermi_l1d);
    assert_int_equal(cache_sets(cache), 32);
    assert_int_equal(cache_set_index(cache, 1 << 13), 1);
    cache_free(cache);
    fermi_l1d.size = 49152;
    fermi_l1d.ways = 6;
    cache = cache_made(&fermi_l1d);
    assert_int_equal(cache_sets(cache), 64);
    cache_free(cache);

    CacheConfig l2 = {.size = 65536, .line = 128, .sector = 32, .ways = 8, .write = WRITE_BACK,
                      .local_write = WRITE_BACK, .write_miss = WRITE_MISS_LAZY,
                      .mshr_entries = 256, .mshr_merges = 4, .miss_queue = 4};
    cache = cache_made(&l2);
    assert_int_equal(cache_sets(cache), 64);
    cache_free(cache);
    l2.size = 98304; // 32 sets of 24 ways
    l2.ways = 24;
    l2.index = INDEX_POLYNOMIAL;
    cache = cache_made(&l2);
    assert_int_equal(cache_sets(cache), 32);
    cache_free(cache);

    CacheConfig constant = {.size = 8192, .line = 64, .sector = 64, .ways = 2,
                            .allocate = ALLOCATE_ON_FILL, .write = WRITE_THROUGH,
                            .local_write = WRITE_THROUGH,
                            .mshr_entries = 2, .mshr_merges = 32, .miss_queue = 4};
    cache = cache_made(&constant);
    assert_int_equal(cache_sets(cache), 64);
    cache_free(cache);
}

static void test_rows(void **state)
{
    (void)state;
    unsigned count = 0;
    for (const HdParameter *k = cache_parameters; k->name; k++, count++) {
        assert_non_null(k->description);
        assert_true(k->offset < sizeof(CacheConfig));
        for (const HdParameter *other = cache_parameters; other < k; other++) {
            assert_string_not_equal(k->name, other->name);
            assert_int_not_equal(k->offset, other->offset);
        }
        if (k->kind != HD_CHOICE) continue;
        bool known = false; // the default is one of the choices
        for (const char *const *c = k->choices; *c; c++) known |= !strcmp(*c, k->text);
        assert_true(known);
    }
    assert_int_equal(count, 20); // every field of CacheConfig but off_request, which l1d alone has
    for (count = 0; l1d_parameters[count].name;) count++;
    assert_int_equal(count, 21);
}

// The defaults as the configuration layer reads them make a cache.
static void test_defaults(void **state)
{
    (void)state;
    const ConfigSection sections[] = {{"l1d", cache_parameters, 0, "A cache."}, {0}};
    const ConfigSchema schema = {sections, sizeof(CacheConfig)};
    HdError err = {0};
    Config *config = config_new(&schema, &err);
    if (!config) fail_msg("%s", err.text);
    const CacheConfig *c = config_target(config);
    assert_true(c->size == 16384 && c->line == 128 && c->sector == 128 && c->ways == 4);
    assert_true(c->replacement == REPLACE_LRU && c->index == INDEX_LINEAR);
    assert_true(c->write == WRITE_THROUGH && c->write_miss == WRITE_MISS_AROUND);
    Cache *cache = cache_made(c);
    assert_int_equal(cache_sets(cache), 32);
    cache_free(cache);

    assert_true(config_set(config, "l1d.index=fermi", "test", &err));
    assert_true(config_set(config, "l1d.polynomial=37", "test", &err));
    assert_int_equal(c->index, INDEX_FERMI);
    const char *const *texts;
    assert_int_equal(config_warnings(config, &texts), 1); // no polynomial without its index
    assert_true(config_set(config, "l1d.index=polynomial", "test", &err));
    assert_int_equal(config_warnings(config, &texts), 0);
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometry), cmocka_unit_test(test_policies),
        cmocka_unit_test(test_modes),    cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_machines), cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
