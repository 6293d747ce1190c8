// Functional accesses leave a cache as timed accesses do whose data come at once, also if they name
// several sectors. In sets of many ways the oldest line leaves.
#include "cache_actions.h"

#include "base/random.h"
#include "memory/warm_word.h"

#include <string.h>

enum { LINES = 200 };

static uint64_t draw(uint64_t number) { return random_draw(1, 0, 0, number); }

static CacheAccess random_access(uint64_t number, unsigned lines)
{
    uint64_t bits = draw(number);
    uint64_t address = bits % lines * 128 + (bits >> 20 & 127 & ~UINT64_C(3));
    unsigned kind = bits >> 32 & 7, most = 128 - (unsigned)(address % 32 + 96);
    CacheAccess access = {.address = address, .room = PLENTY};
    if (kind < 2) access = store_access(address, 1 + (unsigned)(bits >> 40) % most);
    if (kind == 2) access = store_access(address & ~UINT64_C(31), 32);
    access.local = access.write && bits >> 50 & 1;
    if (kind == 3) {
        access.atomic = true;
        if (bits >> 51 & 1) access.bytes[address % 128 / 64] = UINT64_C(0xf) << address % 64;
    }
    return access;
}

// The access, and the data that it fetches.
static CacheResult access_and_fill(Cache *cache, const CacheAccess *access)
{
    uint32_t tokens[64];
    CacheVictim victim;
    CacheResult result = cache_access(cache, access);
    assert_int_not_equal(result.outcome, CACHE_STALLED);
    if (!result.fetch) return result;
    cache_fill(cache, access->address, tokens, &victim);
    if (victim.inserted || victim.evicted) result.victim = victim; // chosen as the data come
    return result;
}

static void check_result(const CacheResult *warm, const CacheResult *timed)
{
    assert_int_equal(warm->outcome, timed->outcome);
    assert_int_equal(warm->fetch, timed->fetch);
    assert_int_equal(warm->pending_fetches, timed->pending_fetches);
    assert_int_equal(warm->forwards_write, timed->forwards_write);
    assert_int_equal(warm->incomplete, timed->incomplete);
    assert_int_equal(warm->victim_hit, timed->victim_hit);
    assert_int_equal(warm->victim.dirty_sectors, timed->victim.dirty_sectors);
    if (warm->victim.dirty_sectors) assert_int_equal(warm->victim.line, timed->victim.line);
    assert_int_equal(warm->victim.bytes[0], timed->victim.bytes[0]);
    assert_int_equal(warm->victim.bytes[1], timed->victim.bytes[1]);
    assert_int_equal(warm->victim.evicted, timed->victim.evicted);
    assert_int_equal(warm->victim.inserted, timed->victim.inserted);
}

static void check_line(const Cache *warm, const Cache *timed, uint64_t address)
{
    const CacheLine *a = cache_probe(warm, address), *b = cache_probe(timed, address);
    assert_int_equal(a != NULL, b != NULL);
    if (!a) return;
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->valid, b->valid);
    assert_int_equal(a->dirty, b->dirty);
    assert_int_equal(a->readable, b->readable);
    assert_int_equal(a->bypassed, b->bypassed);
    assert_int_equal(a->reserved | b->reserved, 0);
    assert_int_equal(a->written[0], b->written[0]);
    assert_int_equal(a->written[1], b->written[1]);
}

static void compare(const CacheConfig *config)
{
    enum { ACCESSES = 3000 };
    Cache *warm = cache_made(config), *timed = cache_made(config);
    for (uint64_t i = 0; i < ACCESSES; i++) {
        CacheAccess access = random_access(i, LINES);
        CacheAccess alone = access;
        alone.room = 0; // it needs none
        CacheResult result = cache_access_warm(warm, &alone);
        CacheResult expected = access_and_fill(timed, &access);
        check_result(&result, &expected);
        check_line(warm, timed, access.address);
        if (i % 1000 == 700) {
            cache_invalidate(warm);
            cache_invalidate(timed);
        }
    }
    for (uint64_t n = 0; n < LINES; n++) check_line(warm, timed, n * 128);
    cache_free(warm);
    cache_free(timed);
}

// Accesses to sectors of lines, and what they send to the next level.
enum { BATCH = 50, SENT = 6 * BATCH };
typedef struct Sent {
    uint64_t line, bytes[2];
    uint8_t sectors, kind;
} Sent;
typedef struct Accesses {
    uint64_t words[BATCH];
    WarmBytes stored[BATCH];
    unsigned count, stores, sent_count;
    Sent sent[SENT];
} Accesses;

// Requests of one kind to sectors of a line count as one if only requests to that line are in
// between.
static void note_sent(void *receiver, uint64_t line, uint8_t sectors, WarmKind kind,
                      const uint64_t *bytes)
{
    Accesses *a = receiver;
    for (unsigned i = a->sent_count; i-- > 0;) {
        Sent *before = &a->sent[i];
        if (before->line != line) break;
        if (before->kind != kind || before->sectors & sectors) continue;
        before->sectors |= sectors;
        if (bytes) before->bytes[0] |= bytes[0];
        if (bytes) before->bytes[1] |= bytes[1];
        return;
    }
    assert_true(a->sent_count < SENT);
    a->sent[a->sent_count++] = (Sent){line, {bytes ? bytes[0] : 0, bytes ? bytes[1] : 0}, sectors,
                                      (uint8_t)kind};
}

static void check_sent(const Accesses *a, const Sent *expected, unsigned count)
{
    assert_int_equal(a->sent_count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(a->sent[i].line, expected[i].line);
        assert_int_equal(a->sent[i].bytes[0], expected[i].bytes[0]);
        assert_int_equal(a->sent[i].bytes[1], expected[i].bytes[1]);
        assert_int_equal(a->sent[i].sectors, expected[i].sectors);
        assert_int_equal(a->sent[i].kind, expected[i].kind);
    }
}

static void add_random(Accesses *a, uint64_t number)
{
    uint64_t bits = draw(number), line = bits % LINES * 128;
    // What two accesses to a line in a row send would look like one access.
    if (a->count && warm_word_line(a->words[a->count - 1]) == line)
        line = (line + 128) % (LINES * 128);
    uint8_t sectors = (uint8_t)(1 + (bits >> 20) % 15);
    static const WarmKind kinds[] = {WARM_LOAD, WARM_STORE, WARM_LOCAL_STORE, WARM_ATOMIC,
                                     WARM_LOAD, WARM_LOAD};
    WarmKind kind = kinds[(bits >> 32) % 6];
    a->words[a->count++] = warm_word(1, line, sectors, kind);
    if (!warm_kind_writes(kind)) return;
    WarmBytes bytes = {{0}};
    for (unsigned i = 0; i < 4; i++) // some sectors whole, some not
        if (sectors >> i & 1)
            bytes.bits[i / 2] |= (bits >> (40 + i) & 1 ? UINT32_MAX : draw(number ^ i << 20) >> 32)
                                 << i % 2 * 32;
    a->stored[a->stores++] = bytes;
}

// What the access to one sector sends.
static void note_result(Accesses *to, const CacheAccess *access, const CacheResult *result)
{
    uint64_t line = access->address & ~UINT64_C(127);
    uint8_t sector = (uint8_t)(1u << access->address % 128 / 32);
    uint8_t dirty = result->victim.dirty_sectors;
    uint64_t all = UINT64_C(0xffffffff) << access->address % 64;
    uint64_t bytes[2] = {access->address % 128 < 64 ? access->bytes[0] & all : 0,
                         access->address % 128 < 64 ? 0 : access->bytes[1] & all};
    if (dirty) note_sent(to, result->victim.line, dirty, WARM_LOCAL_STORE, result->victim.bytes);
    if (result->fetch) note_sent(to, line, sector, WARM_LOAD, NULL);
    if (result->forwards_write)
        note_sent(to, line, sector, access->local ? WARM_LOCAL_STORE : WARM_STORE, bytes);
}

static void one_by_one(Cache *cache, const Accesses *a, Accesses *to)
{
    const WarmBytes *stored = a->stored;
    for (unsigned i = 0; i < a->count; i++) {
        WarmKind kind = warm_word_kind(a->words[i]);
        bool write = warm_kind_writes(kind);
        for (unsigned k = 0; k < 4; k++) {
            if (!(warm_word_sectors(a->words[i]) >> k & 1)) continue;
            CacheAccess access = {.address = warm_word_line(a->words[i]) + k * 32, .write = write,
                                  .local = kind == WARM_LOCAL_STORE, .atomic = kind == WARM_ATOMIC};
            if (write) memcpy(access.bytes, stored->bits, sizeof access.bytes);
            CacheResult result = cache_access_warm(cache, &access);
            note_result(to, &access, &result);
        }
        stored += write;
    }
}

static void compare_words(const CacheConfig *config)
{
    Cache *cache = cache_made(config), *together = cache_made(config);
    Cache *const caches[] = {NULL, together};
    assert_true(cache_warms_lines(together));
    for (uint64_t i = 0; i < 60; i++) {
        Accesses a = {.count = 0}, expected = {.count = 0};
        for (unsigned k = 0; k < BATCH; k++) add_random(&a, i * BATCH + k);
        one_by_one(cache, &a, &expected);
        cache_warm_words(caches, a.words, a.count, a.stored, (WarmNext){note_sent, &a});
        check_sent(&a, expected.sent, expected.sent_count);
        for (uint64_t n = 0; n < LINES; n++) check_line(together, cache, n * 128);
        if (i % 20 != 14) continue;
        cache_invalidate(cache);
        cache_invalidate(together);
    }
    cache_free(cache);
    cache_free(together);
}

// An access to no cache goes to the next level as it is.
static void test_to_next_level(void **state)
{
    (void)state;
    Cache *const caches[] = {NULL};
    const uint64_t words[] = {warm_word(0, 0x1280, 5, WARM_ATOMIC),
                              warm_word(0, 0x1280, 2, WARM_STORE)};
    const WarmBytes stored = {{UINT64_C(0xf) << 32, 0}};
    Accesses a = {.count = 0};
    cache_warm_words(caches, words, 2, &stored, (WarmNext){note_sent, &a});
    const Sent expected[] = {{.line = 0x1280, .sectors = 5, .kind = WARM_ATOMIC},
                             {.line = 0x1280, .bytes = {UINT64_C(0xf) << 32, 0}, .sectors = 2,
                              .kind = WARM_STORE}};
    check_sent(&a, expected, 2);
    cache_warm_words(caches, words, 2, &stored, (WarmNext){0}); // nowhere
}

static void each_policy(void (*check)(const CacheConfig *config), unsigned victim_buffers)
{
    static const uint32_t ways[] = {2, 16, 64}, writes[] = {WRITE_BACK, WRITE_THROUGH, WRITE_EVICT},
                          misses[] = {WRITE_MISS_LAZY, WRITE_MISS_FETCH, WRITE_MISS_AROUND,
                                      WRITE_MISS_FORWARD};
    CacheConfig config = tiny_config();
    config.sector = 32;
    for (unsigned i = 0; i < 3 * 3 * 4 * 3 * 2 * victim_buffers; i++) {
        config.ways = ways[i % 3];
        config.size = 128 * (config.ways < 64 ? 64 : 128);
        config.write = writes[i / 3 % 3];
        config.local_write = config.write;
        config.write_miss = misses[i / 9 % 4];
        config.replacement = i / 36 % 3; // CacheReplacement
        config.allocate = i / 108 % 2;   // CacheAllocate
        config.victim_entries = i / 216 ? 3 : 0;
        // write_miss is of WRITE_BACK, which does not work with ALLOCATE_ON_FILL.
        if (config.write == WRITE_BACK ? config.allocate == ALLOCATE_ON_FILL
                                       : config.write_miss != WRITE_MISS_LAZY)
            continue;
        check(&config);
    }
}

static void test_as_timed(void **state)
{
    (void)state;
    each_policy(compare, 2);
}

static void test_words(void **state)
{
    (void)state;
    each_policy(compare_words, 1);
}

// The model: the number of each line's last use. A set of 64 ways; some loads wait for their data
// for a while, so that their lines cannot leave; some lines leave by themselves.
static void test_oldest_of_many(void **state)
{
    (void)state;
    enum { WAYS = 64, MANY = 150, PENDING = 4 };
    CacheConfig config = tiny_config();
    config.size = WAYS * 128;
    config.ways = WAYS;
    config.mshr_entries = 8;
    Cache *cache = cache_made(&config);
    uint64_t used[MANY] = {0}, pending[PENDING] = {0}, evictions = 0; // 0: not there; none
    for (uint64_t i = 1; i < 20000; i++) {
        // Phases in which lines are used again, and in which new ones come.
        uint64_t n = draw(i) % (i / 500 % 2 ? MANY : WAYS + 10);
        uint64_t *slot = &pending[draw(i) >> 40 & 3];
        if (*slot && (draw(i) >> 44) % 64 == 0) { // by now it may be the oldest
            fill_one(cache, (*slot - 1) * 128, 3);
            *slot = 0;
        }
        if (used[n] && (draw(i) >> 50) % 64 == 0 && cache_invalidate_clean(cache, n * 128, 1)) {
            used[n] = 0;
            continue;
        }
        unsigned held = 0;
        uint64_t oldest = MANY;
        for (uint64_t k = 0; k < MANY; k++) {
            bool waits = false;
            for (unsigned p = 0; p < PENDING; p++) waits |= pending[p] == k + 1;
            held += used[k] != 0;
            if (used[k] && !waits && (oldest == MANY || used[k] < used[oldest])) oldest = k;
        }
        bool waits = false;
        for (unsigned p = 0; p < PENDING; p++) waits |= pending[p] == n + 1;
        if (waits) continue;
        CacheResult result = load(cache, n * 128, 3);
        assert_int_equal(result.outcome == CACHE_MISS, !used[n]);
        if (result.outcome == CACHE_MISS) {
            assert_int_equal(result.victim.evicted, held == WAYS);
            if (held == WAYS) {
                assert_null(cache_probe(cache, oldest * 128));
                used[oldest] = 0;
                evictions++;
            }
            if (!*slot && draw(i) >> 60 < 4) *slot = n + 1;
            else fill_one(cache, n * 128, 3);
        }
        used[n] = i;
    }
    assert_true(evictions > 2000);
    cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_timed),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_to_next_level),
        cmocka_unit_test(test_oldest_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
