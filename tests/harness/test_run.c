// Running scripts: what is printed, what the cache's owner does, and each message of a run.
#include "harness/harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

// Runs a script with mechanisms. Returns what it prints, which the caller frees.
static char *run(const char *mechanisms, const char *text, HarnessResult *result, HdError *err)
{
    Script script;
    char *printed = NULL;
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    *result = HARNESS_FAILED;
    if (script_read(&script, "s", text, strlen(text), err))
        *result = harness_run(&script, &(HarnessOptions){mechanisms, out, 0}, err);
    script_free(&script);
    fclose(out);
    return printed;
}

// All expectations of the script are met.
static void meets(const char *mechanisms, const char *text)
{
    HdError err = {0};
    HarnessResult result;
    free(run(mechanisms, text, &result, &err));
    if (result != HARNESS_MET) fail_msg("%s", err.text);
}

typedef struct Case {
    const char *mechanisms, *text, *message;
} Case;

static void check_messages(const Case *cases, size_t count, HarnessResult expected)
{
    for (size_t i = 0; i < count; i++) {
        HdError err = {0};
        HarnessResult result;
        free(run(cases[i].mechanisms, cases[i].text, &result, &err));
        if (result != expected) fail_msg("%s: %d: %s", cases[i].text, result, err.text);
        assert_string_equal(err.text, cases[i].message);
    }
}

// ---- output ----

static const char output[] =
    "1: cache l1 size=128B ways=1\n"
    "2: load 0 pc=3\n"
    "  drrip on_insert: load line=0x0 set=0 index=0\n"
    "  drrip on_access: miss line=0x0 set=0 index=0\n"
    "  next-line on_access: miss line=0x0 set=0 index=0\n"
    "  next-line hd_prefetch: 0x80 queued\n"
    "  miss: line=0x0 sectors=0xf\n"
    "  fill: line=0x0 sector=0\n"
    "3: prefetches\n"
    "  drrip decide_victim: way 0\n"
    "  drrip on_replace: way=0 set=0 index=0\n"
    "  evict line=0x0\n"
    "  drrip on_insert: prefetch line=0x80 set=0 index=0\n"
    "  fetched: prefetch of 0x80\n"
    "  fill: line=0x80 sector=0\n"
    "4: load 0x200000000 lanes=1\n"
    "  drrip decide_victim: way 0\n"
    "  drrip on_replace: way=0 set=0 index=0\n"
    "  evict line=0x80\n"
    "  drrip on_insert: load line=0x200000000 set=0 index=0\n"
    "  drrip on_access: miss line=0x200000000 set=0 index=0\n"
    "  next-line on_access: miss line=0x200000000 set=0 index=0\n"
    "  next-line hd_prefetch: 0x200000080 queued\n"
    "  miss: line=0x200000000 sectors=0x1\n"
    "  fill: line=0x200000000 sector=0\n"
    "counters (that are not 0)\n"
    "  cache.accesses 2\n"
    "  cache.misses 2\n"
    "  cache.load_accesses 2\n"
    "  cache.load_misses 2\n"
    "  cache.fills 3\n"
    "  cache.insertions 3\n"
    "  cache.evictions 2\n"
    "  mechanisms.inserted 2\n"
    "  drrip.replaced 2\n"
    "  drrip.srrip_inserted 3\n"
    "  next-line.triggers 2\n"
    "  next-line.prefetches.requested 2\n"
    "  next-line.prefetches.kernel_end 1\n"
    "  next-line.prefetches.fetched 1\n"
    "  next-line.prefetches.useless 1\n"
    "  next-line.prefetches.demand_misses 2\n"
    "storage\n"
    "  drrip predictions: 1 x 2 bits\n"
    "  drrip policy selector: 1 x 10 bits\n"
    "  drrip policy of the level: 1 x 1 bits\n"
    "  drrip: 13 bits\n"
    "  next-line prefetch queue: 8 x 47 bits\n"
    "  next-line: 376 bits\n";

// The order of events and answers is that of docs/write-a-mechanism.md.
static void test_output(void **state)
{
    (void)state;
    HdError err;
    HarnessResult result;
    char *printed = run("drrip:levels=l1,policy=srrip+next-line",
                        "cache l1 size=128B ways=1 # one line\n"
                        "load 0 pc=3\n"
                        "prefetches\n"
                        "load 0x200000000 lanes=1\n"
                        "expect miss\n",
                        &result, &err);
    assert_int_equal(result, HARNESS_MET);
    assert_string_equal(printed, output);
    free(printed);
}

// ---- the cache's owner ----

// A warp's accesses: one for each line that its lanes touch, or for each sector.
// A scheduler whose warps all wait issues nothing, whatever the answer.
static void test_no_candidate(void **state)
{
    (void)state;
    HdError err = {0};
    HarnessResult result;
    char *printed = run("none", "warp start 3\nwarp waits 3 memory\nturn 0", &result, &err);
    assert_non_null(strstr(printed, "3: turn 0\n  issues nothing\n"));
    free(printed);
}

static void test_instructions(void **state)
{
    (void)state;
    meets("none", "load 64\n"           // 32 lanes of 4 bytes: 64 bytes of two lines
                  "expect miss miss\n"
                  "load 0 line\n"
                  "expect hit\n"
                  "load 0x1000 stride=256\n"
                  "expect counter cache.misses 34\n"
                  "load 0x1000 stride=0\n"
                  "expect hit\n");
    meets("none", "cache l1 sector=32B\n"
                  "load 0 lanes=0x101\n" // lanes 0 and 8: two sectors
                  "expect miss miss\n"
                  "expect resident 0 31 32\n"
                  "expect absent 64\n"
                  "load 0 bytes=16\n"    // 512 bytes, 16 sectors
                  "expect hit hit miss miss miss miss miss miss miss miss miss miss miss miss "
                  "miss miss\n");
    meets("none", "cache l1 write=evict\n"
                  "load 0\nstore 0 lanes=1\nexpect hit\nexpect absent 0\n"
                  "atomic 0\nexpect counter cache.atomic_accesses 0\n");
    meets("none", "cache l2 size=256B ways=2\n"
                  "atomic 0 lanes=1\nexpect miss\natomic 0 lanes=1\nexpect hit\n"
                  "store line\nexpect miss\n" // four sectors
                  "load line\nexpect hit\n"
                  "load 2*line lanes=1\nexpect evicted 0\nexpect counter cache.writebacks 1\n");
}

static void test_stalls(void **state)
{
    (void)state;
    meets("none", "cache l1 size=256B ways=2 mshr_entries=3 mshr_merges=2\n"
                  "fills on-command\n"
                  "load 0 0 0\n"
                  "expect miss pending_hit stalled\n"
                  "expect counter cache.stall_mshr_merge 1\n"
                  "load line 2*line\n"
                  "expect miss stalled:line_allocation\n" // both ways wait for data
                  "fill line\n"
                  "retry\n"
                  "expect miss\n"
                  "expect evicted line\n"
                  "fill all\n"
                  "load 0\n"
                  "expect hit\n");
    meets("none", "cache l1 mshr_entries=1\n"
                  "fills on-command\n"
                  "load 64\n" // the rest of an instruction follows the access that stalled
                  "expect miss stalled:mshr_entry\n"
                  "fill\n"
                  "retry\n"
                  "expect miss\n"
                  "expect counter cache.accesses 2\n");
    meets("none", "cache l1 allocate=on_fill size=256B ways=2\n"
                  "fills on-command\n"
                  "load 0 line 2*line\n"
                  "expect miss\n"
                  "expect absent 0\n"
                  "fill 2*line\n"
                  "fill\n"
                  "expect resident 0 2*line\n"
                  "fill\n"
                  "expect evicted 2*line\n");
}

static void test_kernels(void **state)
{
    (void)state;
    meets("none", "load 0\ninvalidate\nload 0\nexpect miss\n");
    meets("none", "kernel begin a\nload 0\nkernel end\nkernel begin\nload 0\nexpect hit\n");
    meets("none", "repeat 0\nload 0\nend\nexpect counter cache.accesses 0\n");
    meets("none", "repeat 2 i\nlet a 3*i\nload a*line\nexpect miss\nend\n"
                  "expect resident 0 3*line\nwait 100\n");
}

// ---- messages ----

static const Case wrong[] = {
    {"none", "cache l3", "s:1:7: cache: 'l3': expected l1 or l2"},
    {"none", "cache l1 size", "s:1:10: cache: 'size': expected KEY=VALUE"},
    {"none", "cache l1 size=1024", "s:1:10: cache.size = 1024: expected a unit, B, KiB, MiB or "
                                   "GiB, as in 48KiB"},
    {"none", "cache l1 size=1KiB ways=3", "s:1:1: cache: size: 1024 B is not a whole number of "
                                          "sets of 3 x 128 B: expected, for example, 1152 B, "
                                          "or other ways"},
    {"none", "cache l2 bypass_mshr=off", "s:1:1: cache: bypass_mshr = off: expected on; only an l1 "
                                          "can do without"},
    {"none", "cache l1 sise=1KiB", "s:1:10: there is no parameter 'cache.sise'; did you mean "
                                   "'cache.size'?"},
    {"drrip", "load 0", "s: cache l1: no hook of 'drrip' applies there: expected cache l2, or "
                        "another value of the parameter levels"},
    {"next-line", "cache l2", "s: cache l2: no hook of 'next-line' applies there: expected "
                              "cache l1, or another value of the parameter levels"},
    {"none", "wait 1-2", "s:1:7: 1-2: 1 - 2: expected a result from 0 to 2^64-1"},
    {"none", "wait 2*(1/0)", "s:1:10: 2*(1/0): 1 / 0: expected a result from 0 to 2^64-1"},
    {"none", "load 1<<4", "s:1:7: '1<<4': expected an operator: + - * / %"},
    {"none", "load 0x1000000000000",
     "s:1:6: load = 281474976710656: expected at most 281474976710655"},
    {"none", "load 0xffffffffff80 stride=256",
     "s:1:6: 0xffffffffff80: expected all lanes below 2^48"},
    {"none", "load 2", "s:1:6: 2: expected a multiple of bytes"},
    {"none", "cache l1 line=64B sector=16B", "s:1:1: cache: sector = 16B: expected at least "
     "32B, as in a machine"},
    {"none", "load 0 bytes=3", "s:1:14: 3: expected 1, 2, 4, 8 or 16 bytes"},
    {"none", "load 0 stride=6", "s:1:15: 6: expected a multiple of bytes"},
    {"none", "load 0 lanes=0", "s:1:14: 0: expected at least one lane"},
    {"none", "load 0 pc=0xffffffff", "s:1:11: pc = 4294967295: expected at most 4294967294"},
    {"none", "issue fetch 0", "s:1:7: fetch: expected load, store or atomic"},
    {"none", "cache l2\nissue load 0", "s:2:1: issue: expected cache l1"},
    {"none", "prefetch 0", "s:1:1: prefetch: expected cache l2"},
    {"none", "cache l2\ncopy-back 0",
     "s:2:1: copy-back: expected a mechanism that copies lines back"},
    {"none", "cache l2\nreceive prefetch 0", "s:2:1: receive prefetch: expected a mechanism at "
                                              "both levels that prefetches into the L2"},
    {"none", "fills now", "s:1:7: now: expected at-once or on-command"},
    {"none", "fill", "s:1:1: fill: expected fills on-command before the access"},
    {"none", "fills on-command\nload 0\nfill line",
     "s:3:1: fill: expected an access whose data are pending"},
    {"none", "fills on-command\nload 0\nfills at-once",
     "s:3:1: fills: expected a fill all before it, because data are pending"},
    {"none", "fills on-command\nload 0\ninvalidate",
     "s:3:1: invalidate: expected a fill all before it, because data are pending"},
    {"none", "load 0\nretry", "s:2:1: retry: expected an access before it that has stalled"},
    {"none", "prefetches", "s:1:1: prefetches: expected a mechanism with a prefetch queue"},
    {"none", "quantum", "s:1:1: quantum: expected a mechanism with hooks at the GPU"},
    {"none", "load 0\nslots 4 4", "s:2:1: slots: expected it before all events"},
    {"none", "warp start 40\nkernel end\nslots 8 8",
     "s:3:1: slots: expected it before all events"},
    {"none", "slots 4 0", "s:1:1: slots: expected at least one of each"},
    {"none", "slots 4 4\nload 0 warp_slot=4",
     "s:2:18: slot 4: expected one of the 4 of the SM (slots)"},
    {"none", "issued 5 warp_slot=48",
     "s:1:20: slot 48: expected one of the 48 of the SM (slots)"},
    {"none", "cache l2\nissued 5", "s:2:1: issued: expected cache l1"},
    {"none", "warp start 48", "s:1:12: slot 48: expected one of the 48 of the SM (slots)"},
    {"none", "warp start 0 scheduler=2",
     "s:1:24: scheduler 2: expected one of the 2 of the SM (slots)"},
    {"none", "warp start 0\nturn 0 last=48",
     "s:2:13: slot 48: expected one of the 48 of the SM (slots)"},
    {"none", "slots 8 2 schedulers=3\nwarp start 0\nturn 3",
     "s:3:6: scheduler 3: expected one of the 3 of the SM (slots)"},
    {"none", "slots 8 2 schedulers=513", "s:1:22: 513: expected at most 512 schedulers"},
    {"none", "slots 8 2 schedulers=0", "s:1:1: slots: expected at least one of each"},
    {"none", "warp start 0\nturn 1", "s:2:6: 1: expected a scheduler with warps"},
    {"none", "warp waits 3 memory", "s:1:12: 3: expected the slot of a warp that has started"},
    {"none", "warp start 3\nwarp waits 3 data",
     "s:2:14: data: expected nothing, port, wave, fetch, entry, result, memory, barrier or "
     "throttled"},
    {"none", "block start 0 slot=8",
     "s:1:20: slot 8: expected one of the 8 of the SM (slots)"},
    {"none", "allocation 0 100\nallocation 64 1",
     "s:2:12: 64: expected an allocation that overlaps no other"},
    {"none", "release 0", "s:1:9: 0: expected the start of an allocation"},
    {"none", "allocation 0 100\nrelease 0\nrelease 0",
     "s:3:9: 0: expected the start of an allocation"},
    {"none", "load 0\nrelease 0",
     "s:2:1: release: expected it before the first event, or behind a kernel end"},
    {"none", "load 0\ncall a b",
     "s:2:1: call: expected it before the first event, or behind a kernel end"},
    {"next-line", "call next-line mark 1",
     "s:1:6: next-line: expected the name of a mechanism with a hook on_call"},
    {"none", "call a b 1 2 3 4 5 6 7 8 9",
     "s:1:8: b: expected at most 8 values (HD_CALL_VALUES)"},
    {"none", "kernel begin\nkernel begin", "s:2:1: kernel begin: expected a kernel end before "
                                           "it"},
    {"none", "kernel end", "s:1:1: kernel end: expected a kernel that runs"},
    {"none", "load 0\nkernel begin", "s:1:1: load: expected a kernel begin before it"},
    {"none", "warp start 0\nwarp start 0", "s:2:12: 0: expected a slot without a warp"},
    {"none", "warp end 0", "s:1:10: 0: expected the slot of a warp that has started"},
    {"none", "repeat 99999999\nend", "s:2:1: the script has done the work of 16777216 "
                                     "commands: expected fewer repeats and shorter waits"},
    {"none", "repeat 40000\nwait 281474976710655\nend",
     "s:2:1: wait: expected a cycle below 2^63 after it"},
    {"none", "load 0\nexpect hti", "s:2:8: 'hti': expected an outcome, as hit, miss or "
                                   "bypassed; did you mean 'hit'?"},
    {"none", "expect counter hits_of 1", "s:1:16: there is no counter 'hits_of': expected one "
                                         "of the cache or of a mechanism"},
    {"next-line+stride-pc", "expect counter requested 1",
     "s:1:16: 'requested' names several counters: expected next-line.prefetches.requested or "
     "stride-pc.prefetches.requested"},
};

static void test_wrong(void **state)
{
    (void)state;
    check_messages(wrong, sizeof wrong / sizeof *wrong, HARNESS_FAILED);
}

// Whatever a script repeats counts as work: ends of periods, accesses, words, searches.
static void test_work(void **state)
{
    (void)state;
#define DONE                                                                                       \
    "the script has done the work of 1000 commands: expected fewer repeats and shorter waits"
    static const Case cases[] = {
        {"streaming-bypass", "load 0\nwait 281474976710655", "s:2:1: " DONE},
        {"none", "repeat 600\nwait 1\nend", "s:3:1: " DONE}, // 1 + 500 * 2
        // 1 + 1 + 4 for the miss + 3 + 1, then 165 * 6, then the next load.
        {"none", "repeat 200\nload 0 0 0 0\nend", "s:2:1: " DONE},
        {"none", "repeat 100\nmemory 0 1 2 3 4 5 6 7 8 9\nend", "s:2:1: " DONE}, // 1 + 90 * 11
        {"none", "repeat 100\nexpect counter cache.hits 0\nend",
         "s:2:1: " DONE}, // 1 + 58 * 17, then 16
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdError err = {0};
        Script script;
        const char *text = cases[i].text;
        assert_true(script_read(&script, "s", text, strlen(text), &err));
        HarnessOptions options = {cases[i].mechanisms, NULL, 1000};
        assert_int_equal(harness_run(&script, &options, &err), HARNESS_FAILED);
        assert_string_equal(err.text, cases[i].message);
        script_free(&script);
    }
}

static void test_unmet(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"none", "load 0 0\nexpect miss miss", "s:2:13: outcome 2 of line 1 is hit: expected miss"},
        {"none", "load 0\nexpect stalled", "s:2:8: outcome 1 of line 1 is miss: expected stalled"},
        {"none", "load 0 0\nexpect hit miss hit",
         "s:2:8: the command of line 1 has 2 outcomes: miss hit: expected 3"},
        {"none", "wait 1\nexpect hit", "s:2:8: the command of line 1 has 0 outcomes: expected 1"},
        {"none", "load 0\nexpect counter cache.hits 2*1",
         "s:2:27: counter cache.hits is 0: expected 2"},
        {"none", "load 0\nexpect counter hits 7", "s:2:21: counter cache.hits is 0: expected 7"},
        {"none", "load 0\nexpect evicted line", "s:2:1: line 1 has evicted none: expected 0x80"},
        {"next-line", "load 0\nexpect prefetched none",
         "s:2:1: line 1 has prefetched 0x80: expected none"},
        {"none", "load 0\nexpect absent 0", "s:2:15: 0x0 is resident: expected absent"},
        {"none", "load 0\nexpect resident line", "s:2:17: 0x80 is absent: expected resident"},
        {"cta-limit:blocks=2", "block limit 4\nexpect answer decide_block_limit pass",
         "s:2:15: the answer of decide_block_limit to line 1 is 2: expected pass"},
        {"none", "load 0\nexpect answer decide_insert pass",
         "s:2:15: line 1 asked no decide_insert: expected pass"},
        {"warp-limit:warps=1", "warp start 4\nwarp start 5\nissuable\nexpect issuable 4 5",
         "s:4:1: line 3 has let issue 4: expected 4 5"},
        {"caws", "warp start 4\nwarp start 2\norder\nexpect order 2 4",
         "s:4:1: line 3 has ordered 4 2: expected 2 4"},
        {"none", "warp start 4\norder\nexpect order 4",
         "s:3:1: line 2 has ordered none: expected 4"},
        {"two-level", "warp start 4\nturn 0\nexpect answer decide_warp none",
         "s:3:15: the answer of decide_warp to line 2 is warp 4: expected none"},
    };
    check_messages(cases, sizeof cases / sizeof *cases, HARNESS_UNMET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output),       cmocka_unit_test(test_no_candidate),
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_kernels),      cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_work),         cmocka_unit_test(test_unmet)};
    return cmocka_run_group_tests_name("harness", tests, NULL, NULL);
}
