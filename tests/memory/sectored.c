#include "sectored.h"

#include "base/bits.h"

HdInsertion answer;
uint8_t predicted, had;
unsigned questions;
HdEviction left;
uint8_t room;

static uint8_t scripted_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    questions++;
    had = have;
    return predicted == WHOLE_LINE ? HD_PASS : predicted | miss->sector_mask;
}
static HdInsertion scripted_fill(HdPlace *place, const HdAccess *miss, const HdRoom *found)
{
    (void)place;
    (void)miss;
    (void)found;
    return answer;
}
static void note_eviction(HdPlace *place, const HdEviction *eviction)
{
    (void)place;
    left = *eviction;
}
static const HdMechanism scripted = {.name = "scripted",
                                     .l1 = {.decide_fetch = scripted_fetch,
                                            .decide_insert = scripted_fill,
                                            .on_evict = note_eviction}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &scripted;
}

void kept_init(Kept *k, const CacheConfig *config)
{
    HdError err = {0};
    *k = (Kept){.config = *config};
    answer = HD_PASS;
    predicted = 0;
    questions = 0;
    room = PLENTY;
    left = (HdEviction){.line = HD_NO_LINE};
    bool ok = plan_read(&k->plan, "scripted", find, &err) &&
              cache_hooks_new(&k->hooks, &k->plan, HOOK_L1, 0, 1, &err);
    k->cache = cache_made(&k->config);
    if (!ok || !cache_attach(k->cache, k->hooks, &err)) fail_msg("%s", err.text);
}

void kept_free(Kept *k)
{
    cache_free(k->cache);
    cache_hooks_free(k->hooks);
    plan_free(&k->plan);
}

CacheResult access_sectors(Kept *k, uint64_t line, unsigned sectors, CacheAccess access)
{
    access.address = line + lanes_first(sectors) * SECTOR_BYTES;
    access.sectors = (uint8_t)sectors;
    access.room = room;
    k->hooks->current.access =
        (HdAccess){.line = line, .sector_mask = (uint8_t)sectors, .victim = HD_NO_LINE};
    return cache_access(k->cache, &access);
}
CacheResult load_sectors(Kept *k, uint64_t line, unsigned sectors, uint32_t token)
{
    return access_sectors(k, line, sectors, (CacheAccess){.token = token});
}
CacheResult atomic_sectors(Kept *k, uint64_t line, unsigned sectors, uint32_t token)
{
    return access_sectors(k, line, sectors, (CacheAccess){.token = token, .atomic = true});
}
CacheResult store_sectors(Kept *k, uint64_t line, unsigned sectors, unsigned bytes)
{
    CacheAccess access = {.write = true};
    for (unsigned p = 0; p < 4; p++)
        if (sectors >> p & 1)
            access.bytes[p / 2] |= ((UINT64_C(1) << bytes) - 1) << p % 2 * 32;
    return access_sectors(k, line, sectors, access);
}

void check_miss(CacheResult result, unsigned fetched, unsigned waits)
{
    assert_int_equal(result.outcome, CACHE_MISS);
    assert_true(result.fetch);
    assert_int_equal(result.sectors, fetched);
    assert_int_equal(result.pending_fetches, waits);
}
void check_merged(CacheResult result, unsigned waits)
{
    assert_int_equal(result.outcome, CACHE_MERGED);
    assert_false(result.fetch);
    assert_int_equal(result.pending_fetches, waits);
}

CacheVictim fill_sectors(Kept *k, uint64_t line, unsigned part, unsigned count, uint32_t first,
                         uint32_t second)
{
    uint32_t tokens[8] = {0};
    CacheVictim victim;
    assert_int_equal(cache_fill(k->cache, line + part * SECTOR_BYTES, tokens, &victim), count);
    if (count > 0) assert_int_equal(tokens[0], first);
    if (count > 1) assert_int_equal(tokens[1], second);
    return victim;
}
void bring_parts(Kept *k, uint64_t line, unsigned sectors)
{
    uint8_t kept = predicted;
    predicted = 0;
    check_miss(load_sectors(k, line, sectors, 99), sectors, 1);
    fill_sectors(k, line, lanes_first(sectors), 1, 99, 0);
    predicted = kept;
}

void choose_on_fill(CacheConfig *config)
{
    config->allocate = ALLOCATE_ON_FILL;
    config->write = config->local_write = WRITE_EVICT;
}
