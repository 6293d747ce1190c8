// spref on real kernels: the loads that it finds, its sums, its storage, and results that do not
// depend on the host.
#include "mechanism_runs.h"

static const char *const machine = "--block 512 --machine fermi-macsim";

static double counter(const json_t *result, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "mechanisms.list.0.l1.%s", name);
    return number(result, path);
}

static double prefetched_lanes(const json_t *r)
{
    return counter(r, "head_lanes") + counter(r, "tail_lanes");
}

// Each prefetched lane has one fate, and none is from a wrong address.
static void check_fates(const json_t *r)
{
    static const char *const fates[] = {"moved_lanes", "loaded_lanes", "missed_lanes",
                                        "wrong_lanes", "unused_lanes", "dropped_lanes"};
    double sum = 0;
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) sum += counter(r, fates[i]);
    assert_true(sum == prefetched_lanes(r));
    assert_true(counter(r, "wrong") == 0);
    assert_true(counter(r, "wrong_lanes") + counter(r, "dropped_lanes") == 0);
    double moved = counter(r, "moved_lanes"), used = moved + counter(r, "loaded_lanes");
    assert_float_equal(number(r, "mechanisms.list.0.ratios.accuracy"),
                       prefetched_lanes(r) ? used / prefetched_lanes(r) : 0, 1e-12);
    assert_float_equal(number(r, "mechanisms.list.0.ratios.coverage"),
                       moved / counter(r, "target_lanes"), 1e-12);
}

// Without lanes that leave the loop early, each prefetched lane is moved, but for loads in an `if`.
static void check_sums(const json_t *r, double heads, double tails)
{
    double loops = counter(r, "loops");
    check_fates(r);
    assert_true(loops > 0);
    assert_true(counter(r, "heads") == heads * loops);
    assert_true(counter(r, "tails") == tails * loops);
    assert_true(counter(r, "moves") > 0);
    if (!counter(r, "missed")) assert_true(counter(r, "moved_lanes") == prefetched_lanes(r));
}

static void check_kernel(const char *run_of, double heads, double tails)
{
    char what[256], options[128];
    snprintf(what, sizeof what, "%s %s", run_of, machine);
    json_t *plain = run(what, "");
    for (unsigned detect = 0; detect < 2; detect++) {
        snprintf(options, sizeof options, "--mechanism spref:detect=%s,distance=dynamic",
                 detect ? "compiler" : "hardware");
        json_t *with = run(what, options);
        assert_true(number(with, "sm.warp_instructions") == number(plain, "sm.warp_instructions"));
        assert_true(number(with, "cycles") != number(plain, "cycles"));
        check_sums(with, heads, tails);
        assert_same_on_any_host(what, options, with);
        json_decref(with);
    }
    json_decref(plain);
}

static void test_bfs(void **state)
{
    (void)state;
    check_kernel("bfs --impl topology --graph rmat:10,8", 1, 1);
}

static void test_sssp(void **state)
{
    (void)state;
    check_kernel("sssp --impl topology --graph rmat:9,8", 2, 0);
}

// The atomics of these programs reach vertices whose distance is not read-only: no tails.
static void test_lonestar(void **state)
{
    (void)state;
    static const struct { const char *program; double heads; } rows[] = {{"bfs", 1}, {"sssp", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[256];
        snprintf(what, sizeof what, "%s --impl lonestar-tagged --graph rmat:8,8 --block 256 "
                                    "--machine fermi-macsim", rows[i].program);
        for (unsigned detect = 0; detect < 2; detect++) {
            json_t *with = run(what, detect ? "--mechanism spref:detect=compiler"
                                            : "--mechanism spref");
            check_sums(with, rows[i].heads, 0);
            json_decref(with);
        }
        snprintf(what, sizeof what, "%s --impl lonestar --graph rmat:8,8 --block 256 "
                                    "--machine fermi-macsim", rows[i].program);
        json_t *untagged = run(what, "--mechanism spref");
        assert_true(counter(untagged, "loops") > 0);
        assert_true(counter(untagged, "heads") == 0);
        json_decref(untagged);
    }
}

// With the registers of its own kernel, SPREF1 has no spare one (Table 4 has 23).
static void test_stcon(void **state)
{
    (void)state;
    check_kernel("stcon --graph rmat:9,8 --symmetrize --registers stcon_expand=23", 1, 1);
    char what[256];
    snprintf(what, sizeof what, "stcon --graph rmat:9,8 --symmetrize %s", machine);
    json_t *own = run(what, "--mechanism spref");
    assert_true(counter(own, "head_prefetches") == 0);
    assert_true(counter(own, "distance_0") > 0);
    json_decref(own);
}

// mst_find_min_edge_weight alone has a loop, and mst_lightest alone has one with targets: two heads
// and a tail. The second head, the weight, is in an `if`. Where no lane of the training turns takes
// it, the hardware finds a head and a tail.
static void test_mst(void **state)
{
    (void)state;
    static const char *const impls[] = {"h", "lonestar"};
    for (size_t i = 0; i < sizeof impls / sizeof *impls; i++) {
        char what[256];
        snprintf(what, sizeof what, "mst --impl %s --graph rmat:9,8 --symmetrize %s", impls[i],
                 machine);
        json_t *c = run(what, "--mechanism spref:detect=compiler"),
               *h = run(what, "--mechanism spref");
        double tails = counter(c, "tails");
        assert_true(tails > 0);
        assert_true(counter(c, "heads") == 2 * tails);
        if (i == 0) assert_true(counter(c, "loops") == tails);
        assert_true(counter(h, "tails") == tails);
        assert_true(counter(h, "heads") > tails && counter(h, "heads") < 2 * tails);
        check_fates(c);
        check_fates(h);
        assert_true(counter(c, "missed_lanes") > 0);
        assert_true(counter(h, "moves") > 0);
        json_decref(c);
        json_decref(h);
    }
}

// SPREF1-C. The heads of a loop without tails go to the cache, and nothing is moved. With tails,
// the heads are moved, and the program loads the tails.
static void test_cache(void **state)
{
    (void)state;
    char what[256];
    snprintf(what, sizeof what, "sssp --impl topology --graph rmat:9,8 %s", machine);
    json_t *plain = run(what, ""), *with = run(what, "--mechanism spref:tails=cache");
    check_fates(with);
    assert_true(counter(with, "heads") == 2 * counter(with, "loops"));
    assert_true(counter(with, "head_prefetches") > 0);
    assert_true(counter(with, "moves") == 0);
    assert_true(counter(with, "loaded_lanes") == counter(with, "head_lanes"));
    assert_true(number(with, "l1d.accesses") > number(plain, "l1d.accesses"));
    json_decref(plain);
    json_decref(with);
    snprintf(what, sizeof what, "bfs --impl topology --graph rmat:9,8 %s", machine);
    with = run(what, "--mechanism spref:tails=cache");
    check_fates(with);
    assert_true(counter(with, "moved_lanes") == counter(with, "head_lanes"));
    assert_true(counter(with, "loaded_lanes") == counter(with, "tail_lanes"));
    json_decref(with);
}

// The answer is verified by each run.
static void test_together(void **state)
{
    (void)state;
    static const char *const others[] = {"streaming-bypass", "sector", "obm", "warp-limit"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char what[256], options[128];
        snprintf(what, sizeof what, "bfs --impl topology --graph rmat:10,8 %s", machine);
        snprintf(options, sizeof options, "--mechanism spref+%s", others[i]);
        json_t *with = run(what, options);
        check_sums(with, 1, 1);
        assert_same_on_any_host(what, options, with);
        json_decref(with);
    }
}

// Table 2 for each of 16 SMs, and what it leaves out.
static void test_storage(void **state)
{
    (void)state;
    char what[256];
    snprintf(what, sizeof what, "bfs --impl topology --graph rmat:8,8 %s", machine);
    json_t *with = run(what, "--mechanism spref");
    const json_t *structures = json_object_get(
        json_array_get(json_object_get(json_object_get(with, "mechanisms"), "list"), 0),
        "structures");
    static const struct { const char *name; double bits; } rows[] = {
        {"value tags", 126}, {"load-id tags", 126}, {"MaxReg_s", 6}, {"MaxReg_d", 6},
        {"prefetch distance", 96}, {"shadow iteration counts", 6144},
        {"AllocatedReq lists", 4416}};
    double sum = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const json_t *row = json_array_get(structures, i);
        assert_string_equal(json_string_value(json_object_get(row, "name")), rows[i].name);
        assert_true(number(row, "bits") * number(row, "entries") == rows[i].bits);
        assert_true(number(row, "places") == 16);
        sum += number(row, "bits") * number(row, "entries");
    }
    assert_true(sum == 10920);
    json_decref(with);
}

// The report shows the ratios of the result.
static void test_report(void **state)
{
    (void)state;
    const Command *c = heddle("run bfs --impl topology --graph rmat:9,8 --block 512 "
                              "--machine fermi-macsim --mechanism spref:tails=cache "
                              "--out $T/report.json");
    json_t *whole = result_value("report.json");
    double coverage = number(whole, "result.mechanisms.list.0.ratios.coverage");
    char rows[256];
    assert_true(coverage > 0 && coverage < 1);
    snprintf(rows, sizeof rows,
             "ratios of mechanisms\n"
             "  spref accuracy          100.0 %%  Prefetched lanes that the program's load moved "
             "or, with tails=cache, loaded.\n"
             "  spref coverage          %5.1f %%  Lanes of the program's heads and tails ",
             100 * coverage);
    if (!strstr(c->out, rows)) fail_msg("%s is not in %s", rows, c->out);
    json_decref(whole);
    c = heddle("run bfs --graph rmat:8,8 --mechanism stride");
    assert_null(strstr(c->out, "ratios of mechanisms"));
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("run bfs --graph rmat:8,8 --machine fermi-macsim --set core.divergence=its "
                   "--mechanism spref",
                   "expected core.divergence=stack");
    assert_refused("run bfs --graph rmat:8,8 --mechanism spref:distance=4", "dynamic");
    static const struct { const char *set, *why; } off[] = {
        {"l1d.mode=off", "the L1D, which is off: expected l1d.mode=on"},
        {"memory.global_in_l1=false",
         "the L1D, which global loads do not use: expected memory.global_in_l1=true"},
        {"memory.nc_path=readonly --set l1r.mode=off",
         "the read-only cache, which is off: expected l1r.mode=on"}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        char line[256], why[256];
        snprintf(line, sizeof line, "run bfs --graph rmat:8,8 --machine fermi-macsim --mechanism "
                                    "spref:tails=cache --set %s", off[i].set);
        snprintf(why, sizeof why, "heddle: --mechanism spref: it prefetches into %s\n",
                 off[i].why);
        assert_refused(line, why);
    }
}

// Registers need no cache, and the read-only cache serves where ld.global.nc uses it.
static void test_without_l1d(void **state)
{
    (void)state;
    static const char *const options[] = {
        "--mechanism spref --set l1d.mode=off",
        "--mechanism spref:tails=cache --set l1d.mode=off --set memory.nc_path=readonly"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char what[256];
        snprintf(what, sizeof what, "bfs --impl topology --graph rmat:8,8 %s", machine);
        json_t *with = run(what, options[i]);
        check_fates(with);
        assert_true(counter(with, "moves") > 0);
        json_decref(with);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bfs),      cmocka_unit_test(test_sssp),
        cmocka_unit_test(test_lonestar), cmocka_unit_test(test_stcon),
        cmocka_unit_test(test_mst),      cmocka_unit_test(test_cache),
        cmocka_unit_test(test_together), cmocka_unit_test(test_storage),
        cmocka_unit_test(test_report),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_without_l1d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
