// A cache with a mechanism whose decisions a test sets, and what the mechanism saw.
#ifndef HEDDLE_TESTS_MEMORY_HOOKED_CACHE_H
#define HEDDLE_TESTS_MEMORY_HOOKED_CACHE_H

#include "cache_actions.h"
#include "hooks/cache_hooks.h"

#include <string.h>

// A mechanism with decisions set by the test. It records evictions and keeps a number for each
// line.
static HdInsertion answer;
static HdRoomState found_room;
static HdEviction left, would_leave, on_invalidate, on_kernel_end_line;
static unsigned evictions, questions, drops, staying;

#define NOTE(F) F(number, 8)
HD_BIT_FIELDS(Note, NOTE);

static HdInsertion scripted_fill(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    questions++;
    found_room = room->state;
    would_leave = room->state == HD_ROOM_VICTIM ? room->victim
                                                : (HdEviction){.line_index = HD_NO_INDEX};
    return answer;
}

static void note_eviction(HdPlace *place, const HdEviction *eviction)
{
    (void)place;
    evictions++;
    left = *eviction;
}

static void note_drop(HdPlace *place, const HdEviction *line)
{
    (void)place;
    drops++;
    on_invalidate = *line;
}

static void note_stay(HdPlace *place, const HdEviction *line)
{
    (void)place;
    staying++;
    on_kernel_end_line = *line;
}

static HdCleanEviction leaves_answer;

static HdCleanEviction scripted_leaves(HdPlace *place, const HdEviction *line)
{
    (void)place;
    (void)line;
    return leaves_answer;
}

static const HdParameter parameters[] = {{.name = "queue", .value = 4, .min = 1, .max = 8},
                                         {0}};
static const HdStructure structures[] = {
    {"note", HD_EACH_L1, 0, HD_PER_LINE, Note_bits, sizeof(Note)},
    {"set", HD_EACH_L1, 0, HD_PER_SET, Note_bits, sizeof(Note)}, {0}};
static const HdMechanism scripted = {
    .name = "scripted", .parameters = parameters, .structures = structures,
    .l1 = {.decide_insert = scripted_fill, .on_evict = note_eviction, .on_invalidate = note_drop,
           .on_kernel_end_line = note_stay, .decide_clean_eviction = scripted_leaves}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    *library = NULL;
    if (strcmp(name, "scripted") == 0) return &scripted;
    hd_fail(err, "no %s", name);
    return NULL;
}

typedef struct Hooked {
    CacheConfig config;
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
} Hooked;

static void hooked_init(Hooked *h, const CacheConfig *config)
{
    HdError err = {0};
    *h = (Hooked){.config = *config};
    answer = HD_PASS;
    leaves_answer = HD_PASS;
    evictions = questions = drops = staying = 0;
    bool ok = plan_read(&h->plan, "scripted", find, &err) &&
              cache_hooks_new(&h->hooks, &h->plan, HOOK_L1, 0, 1, &err);
    h->cache = cache_made(&h->config);
    if (!ok || !cache_attach(h->cache, h->hooks, &err)) fail_msg("%s", err.text);
}

static void hooked_free(Hooked *h)
{
    cache_free(h->cache);
    cache_hooks_free(h->hooks);
    plan_free(&h->plan);
}

static inline Note *own_tag(const Hooked *h, uint64_t address)
{
    Note *notes = h->hooks->items[0].place.structures[0];
    return &notes[cache_line_index(h->cache, address)];
}

static const uint64_t A = 0, B = 256, C = 512; // lines of set 0, which has two ways

#endif
