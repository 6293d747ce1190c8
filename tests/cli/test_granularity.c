// Mechanisms that decide which sectors of a line are fetched, on a real kernel: sums of their
// counters, their effect, and results that do not depend on the host.
#include "mechanism_runs.h"

// The paper's machine, with caches smaller than the graph.
static const char *const what = "bfs --graph rmat:11,8 --machine fermi-macsim --set l2.size=8KiB "
                                "--set memory.l1_large=6KiB";

static json_t *with_mechanism(const char *mechanism)
{
    char line[256];
    snprintf(line, sizeof line, "--mechanism %s", mechanism);
    return run(what, line);
}

static void check_hosts(const char *mechanism, const json_t *result)
{
    char line[256];
    snprintf(line, sizeof line, "--mechanism %s", mechanism);
    assert_same_on_any_host(what, line, result);
}

// Each load miss of the L1 inserted a line, bypassed, or was for sectors of a line that was present
// or pending. The fetched sectors were filled, and DRAM read only these.
static void check_sums(const json_t *r)
{
    assert_true(number(r, "mechanisms.l1.inserted") + number(r, "mechanisms.l1.bypassed") +
                    number(r, "mechanisms.l1.sector_misses") == number(r, "l1d.load_misses"));
    assert_true(number(r, "mechanisms.l1.sector_misses") > 0);
    assert_true(number(r, "mechanisms.l1.sectors_fetched") == number(r, "l1d.fills"));
    assert_true(number(r, "mechanisms.l2.sectors_fetched") == number(r, "l2.fills"));
    assert_true(number(r, "dram.bytes_read") == 32 * number(r, "l2.fills"));
    assert_true(number(r, "dram.reads") == number(r, "l2.fills")); // bursts of 32 bytes
}

// Fewer bytes from DRAM and over the network than with whole lines (lakshminarayana2014, Fig. 42
// and section 4.6.6). Each fetched sector was used.
static void test_sector(void **state)
{
    (void)state;
    json_t *plain = run(what, ""), *with = with_mechanism("sector");
    assert_true(number(plain, "cycles") != number(with, "cycles"));
    assert_true(number(with, "dram.bytes_read") < number(plain, "dram.bytes_read"));
    assert_true(number(with, "dram.bytes_written") < number(plain, "dram.bytes_written"));
    assert_true(number(with, "icnt.flits_to_sm_data") < number(plain, "icnt.flits_to_sm_data"));
    assert_true(number(with, "mechanisms.l1.sectors_predicted") == 0);
    assert_true(number(with, "mechanisms.l1.sectors_evicted") > 0);
    assert_true(number(with, "mechanisms.l1.sectors_used") ==
                number(with, "mechanisms.l1.sectors_evicted")); // each fetched sector was requested
    assert_true(number(with, "mechanisms.list.0.storage_bits") == 0);
    check_sums(with);
    check_hosts("sector", with);
    json_t *both = with_mechanism("sector:levels=l1,l2"); // fetches the requested sectors
    assert_true(number(both, "cycles") == number(with, "cycles"));
    json_decref(both);
    json_decref(with);
    json_decref(plain);
}

// A predictor at both levels counts at both, and fetches more than the requested sectors but less
// than whole lines. With a predictor at the L1 alone, the L2 fetches the requested sectors.
static void check_predictor(const char *name, const char *const *counters)
{
    char both[64];
    snprintf(both, sizeof both, "%s:levels=l1,l2", name);
    json_t *plain = run(what, ""), *with = with_mechanism(both), *l1 = with_mechanism(name);
    assert_true(number(plain, "cycles") != number(with, "cycles"));
    assert_true(number(l1, "cycles") != number(with, "cycles"));
    assert_true(number(with, "dram.bytes_read") < number(plain, "dram.bytes_read"));
    check_sums(with);
    check_sums(l1);
    for (unsigned level = 1; level <= 2; level++) {
        char path[64];
        for (size_t i = 0; counters[i]; i++) {
            snprintf(path, sizeof path, "mechanisms.list.0.l%u.%s", level, counters[i]);
            if (number(with, path) == 0) fail_msg("%s: %s is 0", name, path);
        }
        snprintf(path, sizeof path, "mechanisms.l%u.sectors_predicted", level);
        assert_true(number(with, path) > 0);
    }
    assert_true(number(l1, "mechanisms.l2.sectors_predicted") == 0);
    check_hosts(both, with);
    json_decref(l1);
    json_decref(with);
    json_decref(plain);
}

static void test_predictors(void **state)
{
    (void)state;
    check_predictor("spp", (const char *const[]){"known", "unknown", "trained", NULL});
    check_predictor(
        "nap", (const char *const[]){"neighbours_fetched", "neighbours_skipped", "trained", NULL});
    check_predictor("bimodal", (const char *const[]){"fine_misses", "coarse_misses",
                                                     "filter_insertions", NULL});
}

// Storage of the mechanisms' structures: 32 sets of 8 patterns of 25 bits, 9 bits per line; 32
// entries of 7 counters of 4 bits, 8 bits per line; two arrays of 2,048 bits and 26 bits of state.
// Each also has 4 bits per line for used sectors. 16 L1s of 48 lines, 6 slices of 64.
//
// Storage of the caches, with any such mechanism: 3 bits per line more than the one bit of a whole
// line, and 4 bits for each of the 32 MSHR entries of an L1D and of a slice.
static void test_storage(void **state)
{
    (void)state;
    static const struct { const char *name; double cache, line; } costs[] = {
        {"spp:levels=l1,l2", 256 * 25, 9 + 4}, {"nap:levels=l1,l2", 32 * 7 * 4, 8 + 4},
        {"bimodal:levels=l1,l2", 2 * 2048 + 26, 4}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        json_t *with = with_mechanism(costs[i].name);
        assert_true(number(with, "mechanisms.list.0.storage_bits") ==
                    (16 + 6) * costs[i].cache + (16 * 48 + 6 * 64) * costs[i].line);
        double entries = 16 * number(with, "parameters.l1d.mshr_entries") +
                         6 * number(with, "parameters.l2.mshr_entries");
        assert_true(number(with, "mechanisms.sectors.storage_bits") ==
                    (16 * 48 + 6 * 64) * 3 + entries * 4);
        json_decref(with);
    }
}

// lakshminarayana2014, Fig. 44: data bypass both caches, and both caches fetch by sectors.
static void test_obm_and_sector(void **state)
{
    (void)state;
    static const char *const both = "obm+sector:levels=l1,l2";
    json_t *with = with_mechanism(both), *sector = with_mechanism("sector");
    assert_true(number(with, "cycles") != number(sector, "cycles"));
    check_sums(with);
    for (unsigned level = 1; level <= 2; level++) {
        static const char *const moved[] = {"mechanisms.list.0.l%u.pairs",
                                            "mechanisms.list.0.l%u.victim_first",
                                            "mechanisms.l%u.bypassed", "mechanisms.l%u.inserted",
                                            "mechanisms.l%u.sector_misses"};
        for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
            char path[64];
            snprintf(path, sizeof path, moved[i], level);
            if (number(with, path) == 0) fail_msg("%s is 0", path);
        }
    }
    check_hosts(both, with);
    json_decref(sector);
    json_decref(with);
}

// On the default machine the L2 looks up 32-byte sectors one by one: a mechanism can decide at the
// L1, but not at the L2. Both caches must be enabled.
static void test_other_machines(void **state)
{
    (void)state;
    json_t *plain = run("bfs --graph rmat:10,8", ""),
           *with = run("bfs --graph rmat:10,8", "--mechanism sector");
    assert_true(number(with, "l2.accesses") < number(plain, "l2.accesses"));
    assert_true(number(with, "mechanisms.l1.sector_misses") > 0);
    assert_true(number(with, "mechanisms.l1.sectors_fetched") == number(with, "l1d.fills"));
    json_decref(with);
    json_decref(plain);
    assert_refused("run bfs --graph rmat:8,8 --mechanism sector-use+nap:levels=l1,l2",
                   "--mechanism nap: it decides which sectors a miss fetches of the L2 "
                   "too, but this L2 looks up its sectors of 32 bytes one by one: expected "
                   "levels=l1");
    assert_refused("run bfs --graph rmat:8,8 --mechanism sector --set l2.mode=off",
                   "--mechanism sector: it decides which sectors a miss fetches, and the "
                   "L2 is off");
    assert_refused("run bfs --graph rmat:8,8 --mechanism sector --set l1d.mode=off",
                   "the L1D is off");
    assert_refused("run bfs --graph rmat:8,8 --mechanism sector+nap",
                   "both decide which sectors of a line to fetch into the l1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sector),
        cmocka_unit_test(test_predictors),
        cmocka_unit_test(test_storage),
        cmocka_unit_test(test_obm_and_sector),
        cmocka_unit_test(test_other_machines),
    };
    return cmocka_run_group_tests_name("granularity", tests, NULL, NULL);
}
