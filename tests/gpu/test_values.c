// The bytes that mechanisms see on a real kernel: of arrays that it reads, that it writes, and that
// bypass the L1D; of the lines that a functional launch has left. The line of a hit at the L2.
#include "support/bench.h"

#include "hooks/plan.h"

// Thread t loads word t of `from` and stores it, increased by one, to `to`; then it loads both
// again, and word t of `from` from the L2 (.cg).
enum { BLOCKS = 8, THREADS = 256, WORDS = BLOCKS * THREADS, BYTES = 4 * WORDS };
static const char kernel[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 from, .param .u64 to, .param .u64 sums)\n"
    "{\n"
    "    .reg .b32 %r<12>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    mov.u32 %r2, %ntid.x;\n"
    "    mov.u32 %r3, %tid.x;\n"
    "    mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "    mul.wide.u32 %rd3, %r4, 4;\n"
    "    ld.param.u64 %rd1, [from];\n"
    "    add.u64 %rd1, %rd1, %rd3;\n"
    "    ld.param.u64 %rd2, [to];\n"
    "    add.u64 %rd2, %rd2, %rd3;\n"
    "    ld.param.u64 %rd4, [sums];\n"
    "    add.u64 %rd4, %rd4, %rd3;\n"
    "    ld.global.u32 %r5, [%rd1];\n"
    "    add.u32 %r6, %r5, 1;\n"
    "    st.global.u32 [%rd2], %r6;\n"
    "    membar.gl;\n"
    "    ld.global.u32 %r7, [%rd2];\n"
    "    ld.global.u32 %r8, [%rd1];\n"
    "    ld.global.cg.u32 %r9, [%rd1];\n"
    "    add.u32 %r10, %r7, %r8;\n"
    "    add.u32 %r11, %r10, %r9;\n"
    "    st.global.u32 [%rd4], %r11;\n"
    "    ret;\n"
    "}\n";

static uint32_t start_of(size_t word) { return (uint32_t)(0x10001 * word + 5); }

// ---- the mechanisms ----

// What a place has seen of an array: sectors on fills and on hits.
typedef struct Seen {
    uint64_t fills, hits, nothing;
} Seen;
enum { FROM, TO, ARRAYS };
enum { PLACES = 64 };
static uint64_t base[ARRAYS];
static Seen seen[2][PLACES][ARRAYS]; // L1, L2

static void look_at(const HdPlace *place, const HdAccess *a, bool fill)
{
    bool l2 = place->level == HD_L2;
    unsigned array = a->line - base[FROM] < BYTES ? FROM : a->line - base[TO] < BYTES ? TO : ARRAYS;
    if (array == ARRAYS) return;
    Seen *s = &seen[l2][place->number][array];
    if (!a->values) {
        s->nothing++;
        return;
    }
    assert_true(a->value_sectors & a->sector_mask);
    for (unsigned word = 0; word < place->line_bytes / 4; word++) {
        if (!(a->value_sectors >> word / 8 & 1)) continue;
        size_t at = (a->line - base[array]) / 4 + word;
        uint32_t value, right = start_of(at) + (array == TO);
        memcpy(&value, a->values + 4 * word, sizeof value);
        if (value != right && !(array == TO && value == 0)) // 0: not yet stored
            fail_msg("word %zu of array %u is %x: expected %x", at, array, value, right);
    }
    *(fill ? &s->fills : &s->hits) += 1;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome == HD_HIT && access->kind == HD_LOAD) look_at(place, access, false);
    else assert_true(access->kind == HD_STORE || !access->values);
}
static void on_fill(HdPlace *place, const HdAccess *fill)
{
    if (fill->kind == HD_LOAD) look_at(place, fill, true);
}
static void see_nothing(HdPlace *place, const HdAccess *access)
{
    (void)place;
    assert_null(access->values);
    assert_int_equal(access->value_sectors, 0);
}
// Neither does another hook than those that show values, whoever reads them.
static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    see_nothing(place, load);
    return 0;
}
static HdAfterHit after_hit(HdPlace *place, const HdAccess *hit)
{
    see_nothing(place, hit);
    return HD_PASS;
}
// Whoever else has hooks, and whether the launch is timed, the line that was hit is known.
static HdAfterHit know_line(HdPlace *place, const HdAccess *hit)
{
    assert_int_equal(hit->outcome, HD_HIT);
    assert_true(hit->line_index < place->sets * place->ways);
    seen[true][place->number][TO].hits++;
    return HD_PASS;
}
static HdInsertion bypass(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    (void)room;
    return HD_BYPASS;
}

#define SEE {.on_access = on_access, .on_fill = on_fill}
static const HdMechanism all[] = {
    {.name = "see", .l1 = SEE, .l2 = SEE, .reads_values = true},
    {.name = "blind", .l1 = {.on_access = see_nothing, .on_fill = see_nothing},
     .l2 = {.on_access = see_nothing, .on_fill = see_nothing}},
    {.name = "other-hooks", .l1 = {.on_insert = see_nothing}, .reply_tag_bits = 1,
     .l2 = {.on_insert = see_nothing, .reply_tag = reply_tag, .decide_after_hit = after_hit},
     .reads_values = true},
    {.name = "know-line", .l2 = {.decide_after_hit = know_line}},
    {.name = "bypass", .l1 = {.decide_insert = bypass}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- runs ----

typedef struct Run {
    Bench *bench;
    HookPlan plan;
    uint64_t sums;
} Run;

static void run_init(Run *run, const char *mechanisms, const char *const *settings,
                     const GpuOptions *others)
{
    HdError err = {0};
    GpuOptions options = others ? *others : (GpuOptions){0};
    memset(seen, 0, sizeof seen);
    *run = (Run){0};
    assert_true(plan_read(&run->plan, mechanisms, find, &err));
    options.mechanisms = &run->plan;
    run->bench = bench_new("fermi-gtx480", settings, &options, kernel);
    uint32_t from[WORDS];
    for (size_t i = 0; i < WORDS; i++) from[i] = start_of(i);
    base[FROM] = bench_array(run->bench, "from", from, sizeof from);
    base[TO] = bench_array(run->bench, "to", NULL, sizeof from);
    run->sums = bench_array(run->bench, "sums", NULL, sizeof from);
}

static void launch(Run *run)
{
    bench_run(run->bench, &(BenchLaunch){.kernel = "k", .grid = {BLOCKS}, .block = {THREADS},
                                         .args = {base[FROM], base[TO], run->sums}});
    for (size_t i = 0; i < WORDS; i++)
        assert_int_equal(bench_word(run->bench, run->sums, i), 3 * start_of(i) + 1);
}

static Seen sum(bool l2, unsigned array)
{
    Seen all_places = {0};
    for (unsigned i = 0; i < PLACES; i++) {
        all_places.fills += seen[l2][i][array].fills;
        all_places.hits += seen[l2][i][array].hits;
        all_places.nothing += seen[l2][i][array].nothing;
    }
    return all_places;
}

static void run_free(Run *run)
{
    bench_free(run->bench);
    plan_free(&run->plan);
}

enum { LINES = BYTES / 128 };

// Each line of `from` comes once and hits once; of `to` it comes after the store, which evicts it.
// The slices have each line of `from` once by a fill of each sector, and hit for the load that
// bypasses the L1D.
static void test_see(void **state)
{
    (void)state;
    Run run;
    run_init(&run, "see+blind", NULL, NULL);
    launch(&run);
    assert_int_equal(sum(false, FROM).fills, LINES);
    assert_int_equal(sum(false, FROM).hits, LINES);
    assert_int_equal(sum(false, TO).fills, LINES);
    assert_int_equal(sum(false, FROM).nothing + sum(false, TO).nothing, 0);
    assert_int_equal(sum(true, FROM).fills, 4 * LINES);
    assert_int_equal(sum(true, FROM).hits, 4 * LINES);
    run_free(&run);
}

// With lines that are chosen on a miss and on a fill; alone, and with a mechanism that sees values.
static void test_other_hooks(void **state)
{
    (void)state;
    static const char *const on_fill[] = {"l1d.allocate=on_fill", "l1d.local_write=through", NULL};
    for (unsigned i = 0; i < 4; i++) {
        Run run;
        run_init(&run, i & 1 ? "other-hooks+see" : "other-hooks", i & 2 ? on_fill : NULL, NULL);
        launch(&run);
        run_free(&run);
    }
}

// Data that bypass the L1D show their values on the fill, with an MSHR entry and without.
static void test_bypass(void **state)
{
    (void)state;
    static const char *const off[] = {"l1d.bypass_mshr=off", NULL};
    for (unsigned i = 0; i < 2; i++) {
        Run run;
        run_init(&run, "see+bypass", i ? off : NULL, NULL);
        launch(&run);
        assert_int_equal(sum(false, FROM).fills, 2 * LINES);
        assert_int_equal(sum(false, FROM).hits, 0);
        assert_int_equal(sum(false, FROM).nothing, 0);
        run_free(&run);
    }
}

// Sectors of 32 bytes in the L1D, replies by sector, a victim buffer, stores that write through.
static void test_geometries(void **state)
{
    (void)state;
    static const char *const settings[][4] = {
        {"l1d.sector=32B", "memory.coalesce=sector", NULL},
        {"slice.reply=sectors", NULL},
        {"l1d.victim_entries=8", "l1d.size=2KiB", "l1d.index=linear", NULL},
        {"l1d.write=through", NULL},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        Run run;
        run_init(&run, "see", settings[i], NULL);
        launch(&run);
        assert_true(sum(false, FROM).fills >= LINES);
        assert_true(sum(false, FROM).fills + sum(false, FROM).hits >= 2 * LINES);
        assert_int_equal(sum(false, FROM).nothing, 0);
        run_free(&run);
    }
}

// A functional launch leaves lines with their values: a timed one hits them.
static void test_functional(void **state)
{
    (void)state;
    static const char *const keep[] = {"memory.invalidate_l1=false", NULL};
    Run run;
    run_init(&run, "see", keep, &(GpuOptions){.detail_first = 2});
    launch(&run);
    assert_int_equal(sum(false, FROM).fills, 0);
    launch(&run);
    assert_int_equal(sum(false, FROM).fills, 0);
    assert_int_equal(sum(false, FROM).hits, 2 * LINES);
    assert_int_equal(sum(false, FROM).nothing, 0);
    run_free(&run);
}

static void test_after_hit(void **state)
{
    (void)state;
    Run run;
    run_init(&run, "know-line", NULL, &(GpuOptions){.detail_first = 2});
    launch(&run);
    uint64_t functional = sum(true, TO).hits;
    assert_true(functional > 0);
    launch(&run);
    assert_true(sum(true, TO).hits > functional);
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_see),
        cmocka_unit_test(test_other_hooks),
        cmocka_unit_test(test_bypass),
        cmocka_unit_test(test_geometries),
        cmocka_unit_test(test_functional),
        cmocka_unit_test(test_after_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
