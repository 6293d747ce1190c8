// Random loads, stores, atomics and copy-backs at a slice, checked against a model of line
// versions: a line must not be copied back if it was written after its data may have been read.
//
// The model sees the order in which the slice serves the requests. A write makes a new version of
// its line. Fetched data may be as old as their miss. Data in the L2 are as old as their fill, and
// as new as the last write to them.
#include "base/random.h"
#include "hooks/cache_hooks.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { LINES = 6, WRITER = RIG_SMS - 1, STEPS = 40000, STEP = 15 };

static struct {
    unsigned written, fetched, held; // versions: of the line, what is on its way, what is here
} lines[LINES];
static unsigned reads[RIG_SMS], copies[RIG_SMS]; // versions of an SM's data
static unsigned accepted;
static bool write_back;

// Half of them lie in one set.
static uint64_t address_of(unsigned line) { return line % 2 ? line * 2048 : line * 128; }

static unsigned line_of(uint64_t address)
{
    unsigned line = 0;
    while (address_of(line) != address) line++;
    return line;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    unsigned l = line_of(access->line);
    bool load = access->kind == HD_LOAD;
    if (access->outcome == HD_MISS && access->kind != HD_STORE) lines[l].fetched = lines[l].written;
    if (load)
        reads[access->sm] = access->outcome == HD_HIT ? lines[l].held : lines[l].fetched;
    if (load) return;
    lines[l].written++;
    bool in_place = access->kind == HD_STORE ? write_back : access->outcome == HD_HIT;
    if (in_place) lines[l].held = lines[l].written;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    (void)place;
    unsigned l = line_of(access->line);
    if (access->kind != HD_COPY_BACK) {
        lines[l].held = lines[l].fetched;
        return;
    }
    assert_int_equal(copies[access->sm], lines[l].written);
    lines[l].held = copies[access->sm];
    accepted++;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *access, const HdRoom *room)
{
    (void)room;
    return access->kind == HD_LOAD && hd_draw(place) < 0.5 ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    (void)hit;
    return hd_draw(place) < 0.7 ? HD_REMOVE : HD_KEEP;
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    (void)place;
    (void)line;
    return HD_SEND_BACK;
}

static const HdParameter parameters[] = {{.name = "queue", .value = 4, .min = 1, .max = 8},
                                         {0}};
static const HdMechanism model = {.name = "model",
                                  .parameters = parameters,
                                  .l1 = {.decide_clean_eviction = decide_clean_eviction},
                                  .l2 = {.on_access = on_access,
                                         .on_fill = on_fill,
                                         .decide_insert = decide_insert,
                                         .decide_after_hit = decide_after_hit}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &model;
}

// An SM that loads a line, keeps it for a while, and copies it back.
typedef struct Reader {
    unsigned line, token;
    uint64_t until; // step of its next action
    bool waits;     // for the reply to its token
    bool holds;     // a line, with this version
    uint32_t version;
} Reader;

static unsigned draws;
static unsigned drawn(unsigned below)
{
    return (unsigned)(random_draw(write_back + 5, 1, 2, draws++) % below);
}

static const RigReply *answered(const Rig *rig, unsigned sm, uint32_t token)
{
    const RigInbox *in = &rig->in[sm];
    for (size_t i = in->reply_count; i-- > 0;)
        if (in->replies[i].token == token) return &in->replies[i];
    return NULL;
}

static void read_on(Rig *rig, Reader *r, unsigned sm, uint64_t step)
{
    if (r->waits) {
        const RigReply *reply = answered(rig, sm, r->token);
        if (!reply) return;
        *r = (Reader){.line = r->line, .token = r->token, .until = step + drawn(30), .holds = true,
                      .version = reply->version};
        copies[sm] = reads[sm];
    }
    if (step < r->until) return;
    if (r->holds) {
        MemRequest *copy = rig_send(rig, sm, MEM_COPY_BACK, step * STEP, address_of(r->line), 1,
                                    r->version);
        copy->bytes = 32;
        copy->sideband_bytes = 4;
        r->holds = false;
        r->until = step + 20; // until the copy-back has arrived
        return;
    }
    r->line = drawn(LINES);
    r->token++;
    r->waits = true;
    MemRequest *load = rig_send(rig, sm, MEM_LOAD, step * STEP, address_of(r->line), 1, r->token);
    load->wants_reply_tag = load->keeps = true;
}

static void run(Rig *rig)
{
    Reader readers[RIG_SMS] = {0};
    uint32_t token = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        for (unsigned sm = 0; sm < WRITER; sm++) read_on(rig, &readers[sm], sm, step);
        if (drawn(12) == 0) {
            MemKind kind = drawn(3) ? MEM_STORE : MEM_ATOMIC;
            MemRequest *write = rig_send(rig, WRITER, kind, step * STEP, address_of(drawn(LINES)),
                                         1, ++token);
            if (kind == MEM_STORE && drawn(2)) write->written[0] = 0xff; // part of the sector
        }
        rig_run(rig, (step + 1) * STEP);
    }
}

static void check(CacheWrite write, CacheWriteMiss miss)
{
    Rig rig;
    HookPlan plan;
    CacheHooks *hooks = NULL;
    HdError err = {0};
    memset(lines, 0, sizeof lines);
    accepted = 0;
    write_back = write == WRITE_BACK;
    rig_init(&rig);
    rig.l2.write = write;
    rig.l2.write_miss = miss;
    rig.icnt.credits = 64; // the SMs of this test do not wait for credits
    rig_start(&rig, NULL);
    if (!plan_read(&plan, "model", find, &err) ||
        !cache_hooks_new(&hooks, &plan, HOOK_L2, 0, 1, &err) ||
        !memory_side_attach(rig.memory, 0, hooks, &err))
        fail_msg("%s", err.text);
    memory_side_on_kernel_begin(rig.memory);
    run(&rig);
    const CopyBackCounters *c = &hooks->copy_backs.counted;
    assert_int_equal(c->inserted, accepted);
    assert_true(c->inserted > 50 && c->stale > 50 && c->present > 50 && c->removed_on_hit > 50);
    assert_int_equal(c->arrived, c->inserted + c->present + c->stale + c->no_room);
    rig_stop(&rig);
    cache_hooks_free(hooks);
    plan_free(&plan);
}

static void test_write_evict(void **state)
{
    (void)state;
    check(WRITE_EVICT, WRITE_MISS_AROUND);
}

static void test_write_back(void **state)
{
    (void)state;
    check(WRITE_BACK, WRITE_MISS_LAZY);
    check(WRITE_BACK, WRITE_MISS_FETCH);
    check(WRITE_BACK, WRITE_MISS_FORWARD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_write_evict),
                                       cmocka_unit_test(test_write_back)};
    return cmocka_run_group_tests_name("copy-backs against versions", tests, NULL, NULL);
}
