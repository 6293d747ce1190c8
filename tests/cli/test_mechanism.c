// Tests of --mechanism: the result's data about mechanisms, their effect, and shared objects.
#include "mechanism_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `none` does not change the result, not even its text.
static void test_none(void **state)
{
    (void)state;
    json_t *plain = run("bfs --graph rmat:9,8", ""),
           *none = run("bfs --graph rmat:9,8", "--mechanism none");
    assert_null(json_object_get(none, "mechanisms"));
    assert_string_equal(hash_of(plain), hash_of(none));
    json_decref(none);
    json_decref(plain);
}

// A copy streams: every load misses, so both levels close after their first period. What misses is
// inserted or bypasses.
static void test_streaming_bypass(void **state)
{
    (void)state;
    json_t *plain = run("stream", ""), *with = run("stream", "--mechanism streaming-bypass");
    assert_string_not_equal(hash_of(plain), hash_of(with));
    assert_true(number(plain, "l1d.load_hits") == 0);
    double periods = number(with, "mechanisms.list.0.l1.periods"),
           closed = number(with, "mechanisms.list.0.l1.closed");
    assert_true(closed == periods - 15); // except the first period of each SM
    assert_true(number(with, "mechanisms.list.0.l1.changes") == 15);
    assert_true(number(with, "mechanisms.list.0.l2.closed") > 0);
    assert_true(number(with, "mechanisms.l1.inserted") + number(with, "mechanisms.l1.bypassed") ==
                number(with, "l1d.load_misses"));
    assert_true(number(with, "mechanisms.l1.bypassed") == number(with, "mechanisms.l1.tags_only"));
    assert_true(number(with, "mechanisms.l1.tag_hits") == 0);
    assert_true(number(with, "mechanisms.list.0.storage_bits") == 65 * (15 + 12));
    json_decref(with);
    json_decref(plain);
}

// The result does not depend on the host, with one mechanism at both levels or one at each.
static void test_sameness(void **state)
{
    (void)state;
    static const char *const options =
        "--impl warp --mechanism streaming-bypass:period=500,threshold=.6";
    json_t *result = run("bfs --graph rmat:10,8", options);
    assert_true(number(result, "mechanisms.list.0.l1.closed") > 0);
    assert_same_on_any_host("bfs --graph rmat:10,8", options, result);
    json_decref(result);
    json_t *both = run("bfs --graph rmat:10,8", "--mechanism streaming-bypass:period=500"),
           *each = run("bfs --graph rmat:10,8",
                       "--mechanism streaming-bypass:period=500,levels=l1+"
                       "streaming-bypass:period=500,levels=l2");
    assert_true(number(both, "cycles") == number(each, "cycles"));
    json_decref(each);
    json_decref(both);
}

// A place at the GPU, which slices or SMs tell where their duel stands; the same with a place of an
// SM that sees instructions. Prefetchers, alone and with mechanisms that decide about their caches.
// The ways to run take turns.
#define USEFUL "mechanisms.list.0.prefetches.l1.useful"
#define PREFETCHER(name)                                                                           \
    {"--mechanism " name, USEFUL}, {"--mechanism " name "+streaming-bypass", USEFUL},              \
        {"--mechanism " name "+sector", USEFUL}, {"--mechanism " name "+obm", USEFUL}
static void test_other_places(void **state)
{
    (void)state;
    static const struct {
        const char *options, *counted;
    } cases[] = {
        {"--mechanism drrip", "mechanisms.list.0.l2.brrip_inserted"},
        {"--mechanism drrip:levels=l1,l2", "mechanisms.list.0.l1.brrip_inserted"},
        {"--mechanism drrip:levels=l1+stride-pc+next-line:levels=l2",
         "mechanisms.list.1.l1.triggers"},
        PREFETCHER("ghb-acdc"), PREFETCHER("ghb-stride"), PREFETCHER("next-line"),
        PREFETCHER("stream"), PREFETCHER("stride"), PREFETCHER("stride-pc")};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char what[] = "spmv --graph rmat:11,8 --set l2.size=24KiB";
        json_t *result = run(what, cases[i].options);
        if (number(result, cases[i].counted) == 0) fail_msg("%s is 0", cases[i].counted);
        assert_same_on_a_host(what, cases[i].options, result, i);
        json_decref(result);
    }
}

// BFS on a graph larger than the caches: its pairs are learnt from at both, its data bypass both,
// and the cycles are others; the same ones whatever the host does.
static void test_obm(void **state)
{
    (void)state;
    static const char *const counters[] = {"pairs", "incoming_first", "victim_first", "evicted"};
    const char *what = "bfs --impl warp --graph rmat:12,8 --set l2.size=8KiB";
    json_t *plain = run(what, ""), *with = run(what, "--mechanism obm");
    assert_true(number(plain, "cycles") != number(with, "cycles"));
    for (unsigned level = 1; level <= 2; level++) {
        char path[64];
        for (size_t i = 0; i < 4; i++) {
            snprintf(path, sizeof path, "mechanisms.list.0.l%u.%s", level, counters[i]);
            if (number(with, path) == 0) fail_msg("%s is 0", path);
        }
        snprintf(path, sizeof path, "mechanisms.l%u.bypassed", level);
        assert_true(number(with, path) > 0);
    }
    // 64 pairs of 92 bits, the index of the oldest, 32 counters of 5 bits, the evicted line; for 15
    // SMs and 12 slices. 6 bits for each line.
    assert_true(number(with, "mechanisms.list.0.storage_bits") ==
                (64 * 92 + 6 + 160 + 39) * 27 + (15 * 128 + 12 * 64) * 6);
    assert_same_on_any_host(what, "--mechanism obm", with);
    json_decref(with);
    json_decref(plain);
}

// A bypass of lakshminarayana2014 on a real kernel: data bypass the L1s, and it matters; the same
// whatever the host does; and where lines are chosen on a fill, as on the paper's machine.
static void check_bypass(const char *mechanism, const char *counted)
{
    char line[256];
    snprintf(line, sizeof line, "--mechanism %s", mechanism);
    json_t *plain = run("bfs --graph rmat:11,8", ""), *with = run("bfs --graph rmat:11,8", line);
    assert_string_not_equal(hash_of(plain), hash_of(with));
    assert_true(number(plain, "cycles") != number(with, "cycles"));
    assert_true(number(with, counted) > 0);
    assert_true(number(with, "mechanisms.l1.bypassed") > 0);
    assert_true(number(with, "mechanisms.l1.inserted") > 0);
    assert_same_on_any_host("bfs --graph rmat:11,8", line, with);
    json_decref(with);
    json_decref(plain);
    snprintf(line, sizeof line, "--machine fermi-macsim --mechanism %s", mechanism);
    json_t *paper = run("bfs --graph rmat:13,8", line); // larger than the machine's 48 KB
    assert_true(number(paper, "mechanisms.l1.bypassed") > 0);
    json_decref(paper);
}

static void test_mat(void **state)
{
    (void)state;
    check_bypass("mat:counter_bits=8,overflow=halve", "mechanisms.list.0.l1.halvings");
    json_t *never_full = run("bfs --graph rmat:11,8", "--mechanism mat");
    assert_true(number(never_full, "mechanisms.l1.bypassed") > 0);
    assert_true(number(never_full, "mechanisms.list.0.l1.halvings") == 0);
    json_decref(never_full);
}

// With the initial probability, lines of BFS bypass every L1, and the mechanism learns.
static void test_adaptive_bypass(void **state)
{
    (void)state;
    check_bypass("adaptive-bypass", "mechanisms.list.0.l1.virtual_pairs");
    check_bypass("adaptive-bypass:levels=l1", "mechanisms.list.0.l1.victim_first");
    check_bypass("adaptive-bypass+slru", "mechanisms.list.1.l1.referenced");
}

// A mechanism that copies victims back, in BFS on the paper's machine with L1Ds smaller than the
// graph: victims are copied back, later loads hit them, and both are counted.
static json_t *check_copies(const char *mechanism, const char *const *counted)
{
    const char *what = "bfs --graph rmat:12,8 --machine fermi-macsim --set l1d.size=8KiB "
                       "--set l1d.victim_entries=8 --set memory.l1_sizing=fixed";
    char path[128];
    snprintf(path, sizeof path, "--mechanism %s", mechanism);
    json_t *plain = run(what, ""), *with = run(what, path);
    assert_string_not_equal(hash_of(plain), hash_of(with));
    assert_true(number(plain, "cycles") != number(with, "cycles"));
    for (; *counted; counted++) {
        snprintf(path, sizeof path, "mechanisms.%s", *counted);
        if (number(with, path) == 0) fail_msg("%s: %s is 0", mechanism, path);
    }
    json_decref(plain);
    return with;
}

// What exclusion keeps is the core's: versions of 72 lines, 8 lines that wait; versions of the
// 2,048 lines written last, what their 256 sets gave up, two numbers, a bit for each line of the
// L2.
static void test_exclusive(void **state)
{
    (void)state;
    json_t *with = check_copies("exclusive", (const char *[]){
        "copy_backs.counts.inserted", "copy_backs.counts.removed_on_hit", "list.0.l1.copied_back",
        "list.0.l2.removed_on_hit", NULL});
    assert_true(number(with, "mechanisms.list.0.l1.copied_back") ==
                number(with, "mechanisms.copy_backs.counts.sent") +
                    number(with, "mechanisms.copy_backs.counts.dropped"));
    assert_true(number(with, "mechanisms.list.0.storage_bits") == 0);
    assert_true(number(with, "mechanisms.copy_backs.storage_bits") ==
                16 * (72 * 32 + 8 * (1024 + 40 + 32)) + 6 * (2048 * 48 + 256 * 32 + 64 + 1024));
    json_decref(with);
    const char *text = heddle("mechanism describe exclusive")->out;
    assert_non_null(strstr(text, "copy_back_queue                for each L1: 8 x 1096 bits"));
}

static void test_flexclusion(void **state)
{
    (void)state;
    json_t *with = check_copies(
        "flexclusion",
        (const char *[]){"copy_backs.counts.inserted", "copy_backs.counts.removed_on_hit",
                         "list.0.l1.copied_back", "list.0.l2.exclusive_sdm_misses",
                         "list.0.l2.noninclusive_sdm_misses", "list.0.l2.exclusive_mode_misses",
                         "list.0.l2.noninclusive_mode_misses", NULL});
    assert_true(number(with, "mechanisms.list.0.storage_bits") == 16 * 72 + 6 * 11);
    json_decref(with);
}

static void test_r_ex(void **state)
{
    (void)state;
    json_t *with = check_copies("r-ex:period=2000", (const char *[]){
        "copy_backs.counts.inserted", "copy_backs.counts.removed_on_hit", "list.0.l1.tracked_fills",
        "list.0.l1.shared_replies", "list.0.l1.private_replies", "list.0.l1.trained",
        "list.0.l1.bypassed_l2", "list.0.l1.copied_back", "list.0.l2.removed_on_hit", NULL});
    assert_true(number(with, "mechanisms.list.0.storage_bits") ==
                16 * (31 * 116 + 16 + 72) + 6 * 1024 * 11);
    json_decref(with);
}

static void test_bypass_copyback(void **state)
{
    (void)state;
    json_t *with = check_copies(
        "bypass-copyback:period=2000",
        (const char *[]){"copy_backs.counts.inserted", "copy_backs.counts.removed_on_hit",
                         "l1.bypassed", "l2.bypassed", "list.0.l1.bypassed_l1",
                         "list.0.l1.sampled_l1", "list.0.l1.bypassed_l2", "list.0.l1.sampled_l2",
                         "list.0.l1.provided_hits", "list.0.l1.trained_pcs", "list.0.l1.trained",
                         "list.0.l1.copied_back", "list.0.l2.removed_on_hit", NULL});
    // 31 regions of 116 bits and 8, 16, 15 instructions of 75, 8 groups of 16, 4, 5 per line; 11
    // per line.
    assert_true(number(with, "mechanisms.list.0.storage_bits") ==
                16 * (31 * (116 + 8) + 16 + 15 * 75 + 128 + 4 + 72 * 5) + 6 * 1024 * 11);
    assert_true(number(with, "mechanisms.list.0.l1.bypassed_l1") ==
                number(with, "mechanisms.l1.bypassed"));
    json_decref(with);
}

// Static throttling on a real kernel: warps are throttled, in slots and cycles that the result
// accounts; fewer blocks are there; the same whatever the host does. A limit that nothing reaches
// changes no cycle.
static void test_throttling(void **state)
{
    (void)state;
    static const char *const mechanisms[] = {
        "warp-limit:warps=1", "warp-limit:warps=1,throttle=loads", "cta-limit:blocks=1"};
    json_t *plain = run("bfs --graph rmat:12,8", "");
    assert_null(json_object_get(json_object_get(plain, "issue"), "stall_throttled"));
    for (size_t m = 0; m < 3; m++) {
        char line[256];
        snprintf(line, sizeof line, "--mechanism %s", mechanisms[m]);
        json_t *with = run("bfs --graph rmat:12,8", line);
        assert_true(number(with, "cycles") > number(plain, "cycles"));
        assert_true(number(with, "mechanisms.list.0.storage_bits") == 0);
        if (m < 2) {
            assert_true(number(with, "mechanisms.list.0.l1.throttled") > 0);
            assert_true(number(with, "issue.stall_throttled") > 0);
            double held = 0;
            for (size_t i = 0; i < json_array_size(json_object_get(with, "pcs")); i++)
                held += number(json_array_get(json_object_get(with, "pcs"), i), "wait_throttled");
            assert_true(held > 0);
        } else {
            assert_true(number(with, "mechanisms.list.0.l1.throttled") > 0);
            assert_true(number(with, "kernels.0.blocks_per_sm") == 1);
        }
        assert_same_on_any_host("bfs --graph rmat:12,8", line, with);
        json_decref(with);
    }
    json_t *loose = run("bfs --graph rmat:12,8", "--mechanism warp-limit:warps=24");
    assert_true(number(loose, "cycles") == number(plain, "cycles"));
    assert_true(number(loose, "issue.stall_throttled") == 0);
    json_decref(loose);
    json_decref(plain);
}

// A mechanism built separately against the public header (counting.c), named by its path.
static void test_shared_object(void **state)
{
    (void)state;
    char options[512];
    snprintf(options, sizeof options, "--mechanism %s", getenv("HEDDLE_COUNTING"));
    json_t *with = run("bfs --graph rmat:9,8", options), *plain = run("bfs --graph rmat:9,8", "");
    assert_true(number(with, "cycles") == number(plain, "cycles"));
    assert_true(number(with, "mechanisms.list.0.l1.hits") == number(plain, "l1d.hits"));
    assert_true(number(with, "mechanisms.list.0.l1.fills") == number(plain, "l1d.fills"));
    assert_true(number(with, "mechanisms.list.0.l1.echoes") == number(plain, "l1d.fills"));
    assert_true(number(with, "mechanisms.list.0.l1.evictions") == number(plain, "l1d.evictions"));
    assert_true(number(with, "mechanisms.list.0.l1.kernels") ==
                15 * (double)json_array_size(json_object_get(plain, "kernels")));
    json_decref(plain);
    json_decref(with);
}

// Machine files and --set may set parameters of enabled mechanisms. They override the declared
// defaults; --mechanism overrides them.
static void test_machine_file(void **state)
{
    (void)state;
    static const char head[] = "base: fermi-gtx480\nname: fermi-gtx480\n";
    char text[256], options[512];
    snprintf(text, sizeof text,
             "%sobm:\n  sample_probability: 0.5\n  levels: l1\ncounting:\n  weight: 3\n", head);
    write_text("with.yaml", text);
    snprintf(text, sizeof text, "%sobm: {sample_probability: 0.5, levels: l1}\n", head);
    write_text("obm.yaml", text);
    const char *what = "bfs --graph rmat:9,8";
    json_t *plain = run(what, ""), *off = run(what, "--machine $T/obm.yaml");
    assert_string_equal(hash_of(plain), hash_of(off));
    json_decref(off);
    json_t *given = run(what, "--mechanism obm:levels=l1,sample_probability=.5"),
           *file = run(what, "--machine $T/obm.yaml --mechanism obm");
    assert_string_equal(hash_of(given), hash_of(file));
    json_decref(file);
    file = run(what, "--set obm.sample_probability=0.5 --set obm.levels=l1 --mechanism obm");
    assert_string_equal(hash_of(given), hash_of(file));
    json_decref(file);
    json_decref(given);
    file = run(what, "--machine $T/obm.yaml --set obm.threshold=9 "
                     "--set obm.sample_probability=0.75 --mechanism obm:sample_probability=1");
    assert_true(number(file, "mechanisms.list.0.parameters.sample_probability") == 1);
    assert_true(number(file, "mechanisms.list.0.parameters.threshold") == 9);
    json_decref(file);
    // A shared object must be enabled for its section to be known.
    snprintf(options, sizeof options, "--machine $T/with.yaml --mechanism %s",
             getenv("HEDDLE_COUNTING"));
    file = run(what, options);
    assert_true(number(file, "mechanisms.list.0.l1.hits") == 3 * number(plain, "l1d.hits"));
    json_decref(file);
    json_decref(plain);
    assert_refused("run bfs --graph rmat:9,8 --machine $T/with.yaml",
                   "with.yaml:6:1: unknown section 'counting'");
}

// The commands that read machine files know the mechanisms' sections.
static void test_machine_commands(void **state)
{
    (void)state;
    write_text("show.yaml", "base: fermi-gtx480\nobm:\n  sample_probability: 0.5\n");
    const char *shown = heddle("machine show $T/show.yaml")->out;
    const char *row = strstr(shown, "obm.sample_probability ");
    assert_non_null(row);
    assert_non_null(strstr(row, "0.5 "));
    assert_non_null(strstr(row, "show.yaml:3"));
    assert_null(strstr(shown, "obm.threshold"));
    assert_int_equal(heddle("machine check $T/show.yaml")->status, 0);
    write_text("wrong.yaml", "base: fermi-gtx480\nobm:\n  sample_probability: 1.5\n");
    assert_refused("machine check $T/wrong.yaml",
                   "wrong.yaml:3:23: obm.sample_probability = 1.5: expected a number from 0 to 1");
    assert_refused("run bfs --graph rmat:8,8 --machine $T/wrong.yaml", "wrong.yaml:3:23");
    assert_refused("machine check fermi-gtx480 --set obm.sample_probabilty=1",
                   "did you mean 'obm.sample_probability'?");
    // Values that contradict each other, whether the mechanism is enabled or not.
    write_text("pair.yaml", "base: fermi-gtx480\nadaptive-bypass:\n  minimum: 0.5\n");
    assert_refused("machine check $T/pair.yaml", "pair.yaml:3: adaptive-bypass.minimum: 0.5");
    assert_refused("run bfs --graph rmat:8,8 --machine $T/pair.yaml --mechanism adaptive-bypass",
                   "pair.yaml:3: adaptive-bypass.minimum: 0.5");
    assert_int_equal(heddle("run bfs --graph rmat:8,8 --machine $T/pair.yaml --quiet "
                            "--mechanism adaptive-bypass:initial=0.75")->status, 0);
}

static void test_commands(void **state)
{
    (void)state;
    assert_non_null(strstr(heddle("mechanism")->out, "streaming-bypass"));
    const char *text = heddle("mechanism describe streaming-bypass")->out;
    assert_non_null(strstr(text, "khairy2015, section 4.1"));
    assert_non_null(strstr(text, "100 to 1000000000 cycles, default 10000"));
    assert_non_null(strstr(text, "for each L1 and L2 slice: 1 x 65 bits"));
    char line[512];
    snprintf(line, sizeof line, "mechanism describe %s", getenv("HEDDLE_COUNTING"));
    assert_non_null(strstr(heddle(line)->out, "counting: Counts what it sees."));
}

// Each mechanism is asked about accesses of functional launches too, which warm the caches.
static void test_functional_first(void **state)
{
    (void)state;
    char *list = strdup(heddle("mechanism list")->out), *rest = list, *row, line[512];
    unsigned count = 0;
    assert_non_null(list);
    while ((row = strsep(&rest, "\n"))) {
        size_t name = strcspn(row, " ");
        if (!name || row[0] < 'a' || row[0] > 'z') continue;
        snprintf(line, sizeof line,
                 "run sssp --impl lonestar --graph rmat:9,8 --machine fermi-macsim --quiet "
                 "--set l2.size=48KiB --detail-kernels 2..3 --mechanism %.*s", (int)name, row);
        const Command *c = heddle(line);
        if (c->status) fail_msg("heddle %s: %d, %s", line, c->status, c->err);
        count++;
    }
    assert_true(count >= 20);
    free(list);
}

// A script drives a mechanism of a shared object. 0: all expectations are met; 1: the first one
// that is not is the message; 2: the script is wrong.
static void test_script(void **state)
{
    (void)state;
    char line[512];
    snprintf(line, sizeof line, "mechanism test %s:weight=5 $T/good.txt",
             getenv("HEDDLE_COUNTING"));
    write_text("good.txt", "cache l1 size=256B ways=2\n"
                           "fills on-command\n"
                           "load 0 pc=17\n"
                           "expect answer request_tag 1\n"
                           "fill reply_tag=2\n"
                           "load 0 line 2*line\n"
                           "expect hit miss miss\n"
                           "expect evicted 0\n"
                           "fill all reply_tag=3 # the tag of other instructions\n"
                           "expect counter counting.hits 5\n"
                           "expect counter counting.fills 3\n"
                           "expect counter echoes 1\n"
                           "kernel end\n"
                           "expect counter kernels 1\n");
    const Command *c = heddle(line);
    assert_string_equal(c->err, "");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "  counting request_tag: 1\n"));
    assert_non_null(strstr(c->out, "  counting.echoes 1\n"));
    strcat(line, " --quiet");
    c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_string_equal(c->out, "");
    write_text("unmet.txt", "load 0\nexpect hit\n");
    c = heddle("mechanism test none $T/unmet.txt --quiet");
    assert_int_equal(c->status, 1);
    assert_string_equal(c->out, "");
    assert_non_null(strstr(c->err, "unmet.txt:2:8: outcome 1 of line 1 is miss: expected hit\n"));
    write_text("wrong.txt", "load 0\nexpct hit\n");
    assert_refused("mechanism test none $T/wrong.txt",
                   "wrong.txt:2:1: there is no command 'expct'");
    assert_refused("mechanism test none $T/nothing.txt",
                   "nothing.txt: cannot be read: No such file or directory");
    assert_refused("mechanism test nothing $T/unmet.txt", "there is no mechanism 'nothing'");
    const char *text = heddle("mechanism script")->out;
    assert_non_null(strstr(text, "  expect counter NAME VALUE "));
    assert_non_null(strstr(text, "  reply_tag       sideband bits of the reply (0); of fill, fill "
                                 "all\n"));
}

// A mechanism without effect because its caches are off is an error; one that has another cache to
// work at, or only measures, is not.
static void test_caches_off(void **state)
{
    (void)state;
    static const struct { const char *options, *message; } refused[] = {
        {"r-ex --set l2.mode=off", "--mechanism r-ex: it copies L1D victims back to the L2, and "
                                   "the L2 is off"},
        {"locality+exclusive --set l1d.mode=off", "--mechanism exclusive: it copies L1D victims "
                                                  "back to the L2, and the L1D is off"},
        {"obm --set l1d.mode=off --set l2.mode=off", "--mechanism obm: it has no effect: the "
                                                     "L1D and the L2 are off"},
        {"mat:levels=l1 --set l1d.mode=off", "mat: it has no effect: the L1D is off"},
        {"mat:levels=l2 --set l2.mode=off", "mat: it has no effect: the L2 is off"},
        {"next-line --set l1d.mode=off", "next-line: it has no effect: the L1D is off"},
    };
    static const char *const taken[] = {"obm --set l1d.mode=off", "obm --set l2.mode=off",
                                        "next-line --set l2.mode=off",
                                        "cta-limit --set l1d.mode=off",
                                        "locality --set l1d.mode=off --set l2.mode=off"};
    char line[256];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(line, sizeof line, "run bfs --graph rmat:8,8 --mechanism %s", refused[i].options);
        assert_refused(line, refused[i].message);
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        snprintf(line, sizeof line, "run bfs --graph rmat:8,8 --quiet --mechanism %s", taken[i]);
        const Command *c = heddle(line);
        if (c->status) fail_msg("%s: %s", line, c->err);
    }
}

// A truncated shared object is an error, and does not end heddle with a signal.
static void test_cut_short(void **state)
{
    (void)state;
    static char whole[1 << 20];
    FILE *file = fopen(getenv("HEDDLE_COUNTING"), "rb");
    assert_non_null(file);
    size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t part = 1; part < 8; part++) {
        write_bytes("cut.so", whole, size * part / 8);
        assert_refused("mechanism describe $T/cut.so", "cut.so: the file is truncated");
    }
    write_bytes("cut.so", whole, 40);
    assert_refused("run bfs --graph rmat:8,8 --mechanism $T/cut.so", "the file is truncated");
    whole[18] ^= 1; // the ELF machine type
    write_bytes("other.so", whole, size);
    assert_refused("mechanism describe $T/other.so",
                   "not a shared object for this machine; expected one built on it with cc");
    write_text("text.so", "this is no library");
    assert_refused("mechanism describe $T/text.so",
                   "text.so: not a shared object; expected one built with cc");
    assert_refused("mechanism describe $T/", "not a regular file: expected a shared object");
}

// A decide_victim that chooses a way that waits for data, or one that the set does not have
// (wrong_way.c), ends the run, or the script, with a message.
static void test_wrong_way(void **state)
{
    (void)state;
    static const char *const wrong[] = {"answer=beyond", "answer=reserved",
                                        "answer=beyond,levels=l2", "answer=reserved,levels=l2"};
    char line[512];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line,
                 "run bfs --graph rmat:11,8 --quiet --set l2.size=8KiB --mechanism %s:%s",
                 getenv("HEDDLE_WRONG_WAY"), wrong[i]);
        assert_refused(line, "heddle: --mechanism wrong-way: its decide_victim chose a way that "
                             "the set does not have, or that waits for data: expected HD_WAY of "
                             "another, or HD_PASS\n");
    }
    write_text("way.txt", "cache l1 size=256B ways=2\n"
                          "fills on-command\n"
                          "load 0 line\n"
                          "fill line\n"
                          "load 2*line\n");
    for (size_t i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "mechanism test %s:%s $T/way.txt --quiet",
                 getenv("HEDDLE_WRONG_WAY"), wrong[i]);
        assert_refused(line, "way.txt:5:1: mechanism wrong-way: its decide_victim chose a way that "
                             "the set does not have, or that waits for data: expected HD_WAY of "
                             "another, or HD_PASS\n");
    }
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("mechanism describe nothing", "there is no mechanism 'nothing': expected ");
    assert_refused("mechanism list x",
                   "mechanism list: expected nothing else (see heddle mechanism --help)");
    assert_refused("mechanism describe", "mechanism 'describe': expected list, describe NAME, "
                                         "test NAME SCRIPT or script (see heddle mechanism "
                                         "--help)");
    assert_refused("run bfs --graph rmat:8,8 --mechanism ./none.so", "./none.so");
    assert_refused("run bfs --graph rmat:8,8 --mechanism ./a+b/none.so",
                   "--mechanism ./a: No such file or directory (a path must not contain +");
    assert_refused("run bfs --graph rmat:8,8 --mechanism streaming-bypass:period=1",
                   "period = 1: expected a whole number from 100");
    assert_refused("run bfs --graph rmat:8,8 --mechanism streaming-bypass+obm",
                   "streaming-bypass and obm both decide where to insert fills of the l1");
    assert_refused("run bfs --graph rmat:8,8 --mechanism warp-limit+cta-limit+warp-limit:warps=2",
                   "warp-limit is given twice for the l1");
    // Lists of several options are joined.
    assert_refused("run bfs --graph rmat:8,8 --mechanism warp-limit --mechanism warp-limit:warps=2",
                   "warp-limit is given twice for the l1");
    assert_refused("run bfs --graph rmat:8,8 --mechanism none+r-ex", "expected none alone");
    assert_refused("run bfs --graph rmat:8,8 --backend cuda --mechanism streaming-bypass",
                   "--mechanism has no effect with --backend cuda");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),          cmocka_unit_test(test_streaming_bypass),
        cmocka_unit_test(test_sameness),      cmocka_unit_test(test_other_places),
        cmocka_unit_test(test_obm),
        cmocka_unit_test(test_shared_object), cmocka_unit_test(test_commands),
        cmocka_unit_test(test_script),        cmocka_unit_test(test_functional_first),
        cmocka_unit_test(test_caches_off),    cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_wrong_way),
        cmocka_unit_test(test_exclusive),
        cmocka_unit_test(test_flexclusion),   cmocka_unit_test(test_r_ex),
        cmocka_unit_test(test_bypass_copyback),
        cmocka_unit_test(test_mat),           cmocka_unit_test(test_adaptive_bypass),
        cmocka_unit_test(test_throttling),    cmocka_unit_test(test_machine_file),
        cmocka_unit_test(test_machine_commands),
    };
    return cmocka_run_group_tests_name("mechanism", tests, NULL, NULL);
}
