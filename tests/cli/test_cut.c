// Runs with --max-thread-instructions: what is reported and written, that the result does not
// depend on the host, and which runs compare.
#include "kept.h"
#include "mechanism_runs.h"

#define CUT(number) "--max-thread-instructions " number

static json_int_t integer(const json_t *result, const char *path)
{
    return (json_int_t)number(result, path);
}

// Returns `result` of a file, after validation by the schema. The caller owns it.
static json_t *checked_result(json_t *whole)
{
    json_t *result = json_incref(json_object_get(whole, "result"));
    check_schema(whole);
    json_decref(whole);
    return result;
}

static json_t *checked(const char *name) { return checked_result(result_value(name)); }

// The result that a comparison has kept.
static json_t *kept_checked(const char *store, const char *variant)
{
    return checked_result(kept_value(store, variant));
}

static void test_report(void **state)
{
    (void)state;
    const Command *c = heddle("run bfs --graph rmat:9,8 " CUT("17000") " --out $T/cut.json");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "answer     verified against the CPU"));
    char report[OUTPUT_TEXT], line[256];
    snprintf(report, sizeof report, "%s", c->out);
    json_t *result = checked("cut.json"), *cut = json_object_get(result, "cut");
    json_int_t launch = integer(cut, "launch"), launches;
    const json_t *kernels = json_object_get(result, "kernels");
    launches = (json_int_t)json_array_size(kernels);
    assert_true(launch > 1 && launch < launches);
    // The launches before are whole, those after it are functional.
    json_int_t threads = 0, rest = 0;
    for (json_int_t i = 1; i <= launches; i++) {
        const json_t *kernel = json_array_get(kernels, (size_t)i - 1);
        assert_int_equal(json_is_true(json_object_get(kernel, "cut")), i == launch);
        assert_int_equal(json_is_true(json_object_get(kernel, "functional")), i > launch);
        *(i > launch ? &rest : &threads) += integer(kernel, "thread_instructions");
        if (i == launch) assert_int_equal(integer(kernel, "cycles"), integer(cut, "cycle"));
    }
    assert_int_equal(threads, integer(result, "thread_instructions"));
    assert_true(threads >= 17000);
    assert_true(rest <= integer(result, "functional.thread_instructions"));
    assert_int_equal(integer(result, "max_thread_instructions"), 17000);
    assert_true(json_is_true(json_object_get(result, "verified")));
    assert_true(json_is_false(json_object_get(result, "approximate")));
    assert_true(json_is_null(json_object_get(result, "partial")));
    snprintf(line, sizeof line,
             "CUT        after 17,%03d thread instructions, in launch %d of %d (%s)\n"
             "           at its cycle ", (int)threads % 1000, (int)launch, (int)launches,
             json_string_value(json_object_get(cut, "kernel")));
    assert_non_null(strstr(report, line));
    snprintf(line, sizeof line, ", %d of %d blocks done; the rest was run functionally\n",
             (int)integer(cut, "blocks_done"), (int)integer(cut, "blocks"));
    assert_non_null(strstr(report, line));
    assert_null(strstr(report, "APPROXIMATE"));
    json_decref(result);
}

// Launches that warm the caches make a result approximate, also if it is cut.
static void test_skipped(void **state)
{
    (void)state;
    json_t *result = run("bfs --graph rmat:9,8", "--skip-kernels 2 " CUT("1000"));
    assert_true(json_is_true(json_object_get(result, "approximate")));
    assert_true(json_is_true(json_object_get(result, "verified")));
    assert_int_equal(integer(result, "cut.launch"), 3); // the others' instructions do not count
    json_decref(result);
}

// A number that is not reached is an input of the run like the machine's name: the counters are the
// same.
static void test_not_reached(void **state)
{
    (void)state;
    json_t *whole = run("bfs --graph rmat:8,8", "");
    json_t *more = run("bfs --graph rmat:8,8", CUT("9223372036854775807"));
    assert_null(json_object_get(more, "cut"));
    assert_string_equal(json_string_value(json_object_get(whole, "counters_hash")),
                        json_string_value(json_object_get(more, "counters_hash")));
    assert_string_not_equal(hash_of(whole), hash_of(more));
    json_object_del(more, "max_thread_instructions");
    json_object_del(more, "hash");
    json_object_del(whole, "hash");
    assert_true(json_equal(whole, more));
    json_decref(whole);
    json_decref(more);
}

// Stalls that have lasted for some time at the cut; mechanisms that prefetch, throttle warps, copy
// lines back and inject micro-ops.
static void test_same_on_any_host(void **state)
{
    (void)state;
    static const struct {
        const char *what, *options;
    } runs[] = {
        {"stream", CUT("30000")},
        {"scalarprod --machine volta-v100", CUT("60000")},
        {"bfs --impl data --graph rmat:9,8", CUT("20000") " --mechanism next-line"},
        {"bfs --impl data --graph rmat:9,8", CUT("20000") " --mechanism warp-limit+stride-pc"},
        {"bfs --graph rmat:9,8", CUT("20000") " --mechanism bypass-copyback"},
        {"bfs --graph rmat:9,8", CUT("20000") " --mechanism spref"},
        {"bfs --graph rmat:9,8", CUT("20000") " --mechanism dsap"},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        json_t *result = run(runs[i].what, runs[i].options);
        assert_true(json_is_true(json_object_get(result, "verified")));
        assert_true(integer(result, "cut.blocks_done") < integer(result, "cut.blocks"));
        assert_same_on_any_host(runs[i].what, runs[i].options, result);
        json_decref(result);
    }
}

// Stalls under way at the cut are counted before threads collect the counters, in any order.
static void test_any_order(void **state)
{
    (void)state;
    json_t *result = run("stream", CUT("30000"));
    for (unsigned seed = 1; seed <= 16; seed++) {
        char options[128];
        snprintf(options, sizeof options, CUT("30000") " --threads 4 --shuffle %u", seed);
        json_t *same = run("stream", options);
        assert_string_equal(hash_of(result), hash_of(same));
        json_decref(same);
    }
    json_decref(result);
}

// Counters of mechanisms, too, are up to the cut: each load that missed is in one of theirs.
static void test_mechanisms(void **state)
{
    (void)state;
    static const char *const cuts[] = {CUT("20000"), CUT("30000"), CUT("40000"), CUT("50000")};
    bool under_way = false;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        char options[128];
        snprintf(options, sizeof options, "%s --mechanism streaming-bypass", cuts[i]);
        json_t *result = run("bfs --graph rmat:9,8", options);
        assert_int_equal(integer(result, "mechanisms.l1.inserted") +
                             integer(result, "mechanisms.l1.bypassed") +
                             integer(result, "mechanisms.l1.sector_misses"),
                         integer(result, "l1d.load_misses"));
        under_way |= integer(result, "icnt.packets_to_memory") >
                     integer(result, "icnt.requests_answered");
        json_decref(result);
    }
    assert_true(under_way); // else all counters would be the same as behind the cut
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("run bfs " CUT("0"),
                   "--max-thread-instructions '0': expected a whole number of at least 1");
    assert_refused("run bfs " CUT("1M"), "--max-thread-instructions '1M': expected");
    assert_refused("run bfs --functional " CUT("5"),
                   "--max-thread-instructions has no effect with --functional, which runs no "
                   "launch timed");
    assert_refused("trace bfs " CUT("5"), "heddle trace takes no --max-thread-instructions");
    assert_refused("compare bfs --mechanism none --mechanism mat " CUT("0"),
                   "--max-thread-instructions '0': expected a whole number of at least 1");
}

// ---- compare ----

#define COMPARE "compare bfs --impl lonestar --graph rmat:8,8 --mechanism none " \
                "--mechanism next-line --store $T/cut.db "

// IPC and its ratio are up to the cut, and the first column shows that the variants have done about
// the same work.
static void test_compare(void **state)
{
    (void)state;
    const Command *c = heddle(COMPARE CUT("40000"));
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "thread instr.     IPC"));
    assert_null(strstr(c->out, "cycles     IPC"));
    assert_non_null(strstr(c->out, "Each run is cut after 40,000 thread instructions, at the end "
                                   "of a quantum. Flits and\nDRAM: per warp instruction.\n"));
    char table[OUTPUT_TEXT];
    snprintf(table, sizeof table, "%s", c->out);
    static const char *const names[] = {"none", "next-line"};
    double ipc[2], flits[2];
    for (size_t i = 0; i < 2; i++) {
        char row[128];
        json_t *result = kept_checked("cut.db", names[i]);
        int threads = (int)integer(result, "thread_instructions");
        assert_in_range(threads, 40000, 999999);
        ipc[i] = number(result, "warp_instructions") / number(result, "cycles");
        flits[i] = (number(result, "icnt.flits_to_memory_control") +
                    number(result, "icnt.flits_to_memory_data") +
                    number(result, "icnt.flits_to_sm_control") +
                    number(result, "icnt.flits_to_sm_data")) / number(result, "warp_instructions");
        snprintf(row, sizeof row, "%-10s        %d,%03d %7.3f %7.3f", names[i], threads / 1000,
                 threads % 1000, ipc[i], ipc[i] / ipc[0]);
        if (!strstr(table, row)) fail_msg("no row %s in %s", row, table);
        json_decref(result);
    }
    char ratio[32];
    snprintf(ratio, sizeof ratio, " %.3f ", flits[1] / flits[0]);
    assert_non_null(strstr(strstr(table, "next-line "), ratio));
}

// A number that one variant reaches and the other does not.
static void test_compare_refuses(void **state)
{
    (void)state;
    assert_int_equal(heddle(COMPARE)->status, 0);
    json_t *none = kept_checked("cut.db", "none"),
           *next = kept_checked("cut.db", "next-line");
    json_int_t first = integer(none, "thread_instructions"),
               second = integer(next, "thread_instructions");
    json_decref(none);
    json_decref(next);
    assert_int_not_equal(first, second); // their searches meet in another order
    char line[512], message[512];
    json_int_t most = first > second ? first : second;
    snprintf(line, sizeof line, COMPARE "--max-thread-instructions %d", (int)most);
    snprintf(message, sizeof message,
             "heddle: --max-thread-instructions %d cut %s, but %s ended before: expected a number "
             "that all variants reach, or none\n",
             (int)most, first > second ? "none" : "next-line",
             first > second ? "next-line" : "none");
    const Command *c = heddle(line);
    assert_int_equal(c->status, 2);
    assert_string_equal(c->out, "");
    assert_non_null(strstr(c->err, message));
    // None reaches it: the runs are whole, and their numbers of instructions differ.
    c = heddle(COMPARE CUT("100000000"));
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "cycles cycles x     IPC"));
    // Another number is another run: it has nothing of this one.
    c = heddle(COMPARE CUT("50000"));
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->err, "heddle: note: 2 of 2 runs done: "));
    assert_non_null(strstr(c->out, "Each run is cut after 50,000 thread instructions"));
}

// The best of a range has the highest IPC: a cut run with more cycles may have done more.
static void test_search(void **state)
{
    (void)state;
    const Command *c = heddle("compare bfs --graph rmat:8,8 --mechanism none --mechanism "
                              "warp-limit:warps=1..2 --store $T/search.db --search-csv $T/best.csv "
                              CUT("20000"));
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "The best of warp-limit:warps=1..2, by IPC:\n"));
    assert_null(strstr(c->out, "each at its best"));
    char table[OUTPUT_TEXT], row[128];
    snprintf(table, sizeof table, "%s", c->out);
    static const char *const names[] = {"none", "warp-limit:warps=1", "warp-limit:warps=2"};
    double ipc[3];
    for (size_t i = 0; i < 3; i++) {
        json_t *result = kept_checked("search.db", names[i]);
        ipc[i] = number(result, "ipc");
        json_decref(result);
    }
    int best = ipc[2] > ipc[1] ? 2 : 1;
    snprintf(row, sizeof row, "%15.3f %8.3f  warp-limit:warps=%d\n", ipc[best], ipc[best] / ipc[0],
             best);
    const char *program = strstr(table, "the program ");
    assert_non_null(program);
    if (!strstr(program, row)) fail_msg("no %s in %s", row, program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report), cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_not_reached), cmocka_unit_test(test_same_on_any_host),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_mechanisms), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_compare), cmocka_unit_test(test_compare_refuses),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
