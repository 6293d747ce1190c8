// Thousands of random accesses against a simple model of a cache: a list of lines per set by age,
// one byte of state per byte of data, and a list of fetches.
#include "cache_actions.h"

#include "base/random.h"

#include <string.h>

enum { MODEL_WAYS = 40, MODEL_SETS = 8, MODEL_FETCHES = 8, MODEL_MERGES = 4, MODEL_BUFFER = 4,
       LINES = 64 };

typedef struct ModelLine {
    uint64_t address;
    bool known[128], dirty[128]; // by byte
    bool coming[8];              // by sector
    bool passed[8];              // by sector: WRITE_MISS_FORWARD, stores that came before it
} ModelLine;

typedef struct ModelFetch {
    uint64_t sector;
    uint32_t tokens[MODEL_MERGES];
    unsigned waiting;
    bool adds[128];   // bytes that waiting atomics will write
    bool wrote, read_after_write;
} ModelFetch;

typedef struct Model {
    const CacheConfig *config;
    unsigned set_count;
    ModelLine sets[MODEL_SETS][MODEL_WAYS]; // the first is the next victim
    unsigned lines[MODEL_SETS];
    ModelLine buffer[MODEL_BUFFER]; // the first is the next victim
    unsigned buffered;
    ModelFetch fetches[MODEL_FETCHES]; // in the order of sending
    unsigned fetching;
} Model;

static unsigned model_set(const Model *m, uint64_t address)
{
    return (unsigned)(address / m->config->line % m->set_count);
}

static ModelLine *model_line(Model *m, uint64_t address)
{
    unsigned set = model_set(m, address);
    for (unsigned i = 0; i < m->lines[set]; i++)
        if (m->sets[set][i].address == address / m->config->line * m->config->line)
            return &m->sets[set][i];
    for (unsigned i = 0; i < m->buffered; i++)
        if (m->buffer[i].address == address / m->config->line * m->config->line)
            return &m->buffer[i];
    return NULL;
}

static bool in_buffer(const Model *m, const ModelLine *line)
{
    return line >= m->buffer && line < m->buffer + MODEL_BUFFER;
}

static void model_remove(Model *m, ModelLine *line)
{
    if (in_buffer(m, line)) {
        memmove(line, line + 1, (size_t)(&m->buffer[--m->buffered] - line) * sizeof *line);
        return;
    }
    unsigned set = model_set(m, line->address), i = (unsigned)(line - m->sets[set]);
    memmove(line, line + 1, (m->lines[set] - i - 1) * sizeof *line);
    m->lines[set]--;
}

// Makes the line the youngest; returns its new position.
static ModelLine *model_renew(Model *m, ModelLine *line)
{
    ModelLine copy = *line;
    unsigned set = model_set(m, line->address);
    model_remove(m, line);
    m->sets[set][m->lines[set]] = copy;
    return &m->sets[set][m->lines[set]++];
}
static ModelFetch *model_fetch(Model *m, uint64_t sector)
{
    for (unsigned i = 0; i < m->fetching; i++)
        if (m->fetches[i].sector == sector) return &m->fetches[i];
    return NULL;
}

static bool all_of(const bool *bytes, uint64_t from, uint64_t count)
{
    for (uint64_t i = from; i < from + count; i++)
        if (!bytes[i]) return false;
    return true;
}
static bool any_of(const bool *bytes, uint64_t from, uint64_t count)
{
    for (uint64_t i = from; i < from + count; i++)
        if (bytes[i]) return true;
    return false;
}

static void model_describe(const Model *m, const ModelLine *line, uint64_t from, uint64_t count,
                           CacheVictim *victim)
{
    for (uint64_t i = from; i < from + count; i++)
        if (line->dirty[i]) {
            victim->line = line->address;
            victim->bytes[i / 64] |= UINT64_C(1) << i % 64;
            victim->dirty_sectors |= (uint8_t)(1u << i / m->config->sector);
        }
}

// The victim in a full set; NULL: the set has an unused way. *possible: false if all lines wait.
static ModelLine *model_victim(Model *m, unsigned set, bool *possible)
{
    *possible = true;
    if (m->lines[set] < m->config->ways) return NULL;
    for (unsigned i = 0; i < m->lines[set]; i++)
        if (!any_of(m->sets[set][i].coming, 0, 8)) return &m->sets[set][i];
    *possible = false;
    return NULL;
}

// The line that a new one in this set would evict from the cache; NULL: none.
static ModelLine *model_evicted(Model *m, unsigned set)
{
    bool possible;
    ModelLine *old = model_victim(m, set, &possible);
    if (!old || !m->config->victim_entries) return old;
    return m->buffered == m->config->victim_entries ? m->buffer : NULL;
}

// Moves a victim to the buffer, which has room, as its youngest line.
static void model_buffer(Model *m, ModelLine *line)
{
    m->buffer[m->buffered++] = *line;
    model_remove(m, line);
}

static ModelLine *model_place(Model *m, uint64_t address, CacheVictim *victim)
{
    bool possible;
    unsigned set = model_set(m, address);
    ModelLine *leaves = model_evicted(m, set);
    if (leaves) {
        victim->evicted = true;
        victim->line = leaves->address;
        model_describe(m, leaves, 0, 128, victim);
        model_remove(m, leaves);
    }
    victim->inserted = true;
    ModelLine *old = model_victim(m, set, &possible);
    assert_true(possible);
    if (old) model_buffer(m, old);
    ModelLine *line = &m->sets[set][m->lines[set]++];
    memset(line, 0, sizeof *line);
    line->address = address / m->config->line * m->config->line;
    return line;
}

// Uses a line and returns its place. A line in the buffer is exchanged with one of its set.
static ModelLine *model_use(Model *m, ModelLine *line)
{
    if (!in_buffer(m, line))
        return m->config->replacement == REPLACE_LRU ? model_renew(m, line) : line;
    bool possible;
    ModelLine copy = *line;
    unsigned set = model_set(m, line->address);
    ModelLine *old = model_victim(m, set, &possible);
    assert_true(possible);
    model_remove(m, line);
    if (old) model_buffer(m, old);
    m->sets[set][m->lines[set]] = copy;
    return &m->sets[set][m->lines[set]++];
}

// Whether the line is in the buffer and its whole set waits for data.
static bool model_stuck(Model *m, const ModelLine *line)
{
    bool possible = true;
    if (line && in_buffer(m, line)) model_victim(m, model_set(m, line->address), &possible);
    return !possible;
}

static CacheResult stalled(CacheStall reason)
{
    return (CacheResult){.outcome = CACHE_STALLED, .stall = reason};
}

// Why an allocating miss stalls. It needs a line, room for `sent` requests and a dirty victim, and
// an MSHR if it fetches. CACHE_STALL_REASONS: it does not stall.
static CacheStall model_lacks(Model *m, const CacheAccess *a, bool allocates, bool fetches,
                              unsigned sent)
{
    unsigned room = sent;
    if (allocates) {
        bool possible;
        unsigned set = model_set(m, a->address);
        model_victim(m, set, &possible);
        if (!possible) return STALL_LINE;
        ModelLine *leaves = model_evicted(m, set);
        room += leaves && any_of(leaves->dirty, 0, 128);
    }
    if (a->room < room) return STALL_MISS_QUEUE;
    if (fetches && m->fetching == m->config->mshr_entries) return STALL_MSHR;
    return CACHE_STALL_REASONS;
}

static void model_wait(ModelFetch *f, const CacheAccess *a, uint64_t from, uint64_t count)
{
    f->tokens[f->waiting++] = a->token;
    f->read_after_write |= f->wrote;
    if (!a->atomic) return;
    bool named = false;
    for (uint64_t i = from; i < from + count; i++) named |= a->bytes[i / 64] >> i % 64 & 1;
    for (uint64_t i = from; i < from + count; i++)
        if (!named || a->bytes[i / 64] >> i % 64 & 1) f->adds[i] = true;
    f->wrote = f->read_after_write = true;
}

static ModelFetch *model_send(Model *m, uint64_t sector)
{
    ModelFetch *f = &m->fetches[m->fetching++];
    memset(f, 0, sizeof *f);
    f->sector = sector;
    return f;
}

static CacheResult model_read(Model *m, const CacheAccess *a)
{
    uint64_t size = m->config->sector, sector = a->address / size * size;
    uint64_t from = sector % m->config->line;
    bool on_fill = m->config->allocate == ALLOCATE_ON_FILL;
    ModelLine *line = model_line(m, a->address);
    if (model_stuck(m, line)) return stalled(STALL_LINE);
    bool buffered = line && in_buffer(m, line);
    if (line && all_of(line->known, from, size) && !line->passed[from / size]) {
        line = model_use(m, line);
        ModelFetch done = {0};
        if (a->atomic) model_wait(&done, a, from, size);
        for (int i = 0; i < 128; i++) line->dirty[i] |= done.adds[i];
        return (CacheResult){.outcome = CACHE_HIT, .victim_hit = buffered};
    }
    ModelFetch *f = model_fetch(m, sector);
    if (f) {
        if (f->waiting == m->config->mshr_merges) return stalled(STALL_MERGE);
        if (line) model_use(m, line);
        model_wait(f, a, from, size);
        return (CacheResult){.outcome = CACHE_MERGED};
    }
    CacheStall lacks = model_lacks(m, a, !line && !on_fill, true, 1);
    if (lacks != CACHE_STALL_REASONS) return stalled(lacks);
    CacheResult result = {.outcome = CACHE_MISS, .fetch = true};
    if (!on_fill) {
        line = line ? model_use(m, line) : model_place(m, a->address, &result.victim);
        line->coming[from / size] = true;
    }
    model_wait(model_send(m, sector), a, from, size);
    return result;
}

static void model_put(ModelLine *line, const CacheAccess *a, uint64_t from, uint64_t count)
{
    for (uint64_t i = from; i < from + count; i++)
        if (a->bytes[i / 64] >> i % 64 & 1) line->known[i] = line->dirty[i] = true;
}

// WRITE_MISS_FORWARD, if the sector is not here, or still comes.
static CacheResult model_forward(Model *m, const CacheAccess *a, ModelLine *line, bool comes)
{
    uint64_t size = m->config->sector, sector = a->address / size * size;
    uint64_t from = sector % m->config->line;
    if (model_stuck(m, line)) return stalled(STALL_LINE);
    ModelFetch *f = comes ? model_fetch(m, sector) : NULL;
    if (f && f->read_after_write) return stalled(STALL_STORE_ORDER);
    CacheStall lacks = model_lacks(m, a, !line, !comes, 1u + !comes);
    if (lacks != CACHE_STALL_REASONS) return stalled(lacks);
    CacheResult result = {.outcome = CACHE_MISS, .fetch = !comes, .forwards_write = true};
    line = line ? model_use(m, line) : model_place(m, a->address, &result.victim);
    line->coming[from / size] = line->passed[from / size] = true;
    for (uint64_t i = from; i < from + size; i++) line->known[i] |= a->bytes[i / 64] >> i % 64 & 1;
    if (!f) f = model_send(m, sector);
    f->wrote = true;
    return result;
}

static CacheResult model_write_back(Model *m, const CacheAccess *a, ModelLine *line)
{
    uint64_t size = m->config->sector, sector = a->address / size * size;
    uint64_t from = sector % m->config->line;
    uint32_t miss = m->config->write_miss;
    bool here = line && any_of(line->known, from, size);
    bool comes = line && line->coming[from / size];
    bool buffered = line && in_buffer(m, line);
    bool passes = miss == WRITE_MISS_AROUND && !here;
    if (miss == WRITE_MISS_FORWARD && (comes || !here)) return model_forward(m, a, line, comes);
    if (!passes && model_stuck(m, line)) return stalled(STALL_LINE);
    if (here || (comes && !passes)) {
        ModelFetch *f = model_fetch(m, sector);
        if (f && (miss == WRITE_MISS_FETCH || miss == WRITE_MISS_FORWARD)) {
            if (f->read_after_write) return stalled(STALL_STORE_ORDER);
            f->wrote = true;
        }
        model_put(model_use(m, line), a, from, size);
        return (CacheResult){.outcome = CACHE_HIT, .victim_hit = buffered};
    }
    if (passes)
        return a->room ? (CacheResult){.outcome = CACHE_MISS, .forwards_write = true}
                       : stalled(STALL_MISS_QUEUE);
    ModelLine after = {0};
    model_put(&after, a, from, size);
    bool fetches = miss == WRITE_MISS_FETCH && !all_of(after.known, from, size);
    CacheStall lacks = model_lacks(m, a, !line, fetches, fetches);
    if (lacks != CACHE_STALL_REASONS) return stalled(lacks);
    CacheResult result = {.outcome = CACHE_MISS, .fetch = fetches};
    line = line ? model_use(m, line) : model_place(m, a->address, &result.victim);
    model_put(line, a, from, size);
    if (fetches) {
        line->coming[from / size] = true;
        model_send(m, sector)->wrote = true;
    }
    return result;
}

static CacheResult model_write(Model *m, const CacheAccess *a)
{
    uint64_t size = m->config->sector, from = a->address / size * size % m->config->line;
    uint32_t policy = a->local ? m->config->local_write : m->config->write;
    ModelLine *line = model_line(m, a->address);
    if (policy == WRITE_BACK) return model_write_back(m, a, line);
    bool here = line && any_of(line->known, from, size);
    if (policy == WRITE_EVICT && here && line->coming[from / size]) here = false;
    if (policy == WRITE_THROUGH && here && model_stuck(m, line)) return stalled(STALL_LINE);
    CacheResult result = {.outcome = here ? CACHE_HIT : CACHE_MISS, .forwards_write = true,
                          .victim_hit = here && in_buffer(m, line)};
    if (policy == WRITE_EVICT && here) model_describe(m, line, from, size, &result.victim);
    if (a->room < 1u + (result.victim.dirty_sectors != 0)) return stalled(STALL_MISS_QUEUE);
    if (!here) return result;
    if (policy == WRITE_THROUGH) {
        model_use(m, line);
        return result;
    }
    result.invalidated = (uint8_t)(1u << from / size);
    memset(line->known + from, 0, size);
    memset(line->dirty + from, 0, size);
    if (!any_of(line->known, 0, 128) && !any_of(line->coming, 0, 8)) model_remove(m, line);
    return result;
}

static unsigned model_fill(Model *m, ModelFetch *f, uint32_t *tokens, CacheVictim *victim)
{
    uint64_t size = m->config->sector, from = f->sector % m->config->line;
    memset(victim, 0, sizeof *victim);
    ModelLine *line = model_line(m, f->sector);
    if (!line) line = model_place(m, f->sector, victim);
    if (in_buffer(m, line)) line = model_use(m, line);
    line->coming[from / size] = line->passed[from / size] = false;
    memset(line->known + from, true, size);
    for (uint64_t i = 0; i < 128; i++) line->dirty[i] |= f->adds[i];
    unsigned count = f->waiting;
    memcpy(tokens, f->tokens, sizeof f->tokens);
    memmove(f, f + 1, (size_t)(&m->fetches[--m->fetching] - f) * sizeof *f);
    return count;
}

static void same_victim(const CacheVictim *a, const CacheVictim *b)
{
    assert_int_equal(a->line, b->line);
    assert_true(a->bytes[0] == b->bytes[0] && a->bytes[1] == b->bytes[1]);
    assert_int_equal(a->dirty_sectors, b->dirty_sectors);
    assert_int_equal(a->evicted, b->evicted);
    assert_int_equal(a->inserted, b->inserted);
}

static void same_result(const CacheResult *a, const CacheResult *b)
{
    assert_int_equal(a->outcome, b->outcome);
    if (a->outcome == CACHE_STALLED)
        assert_string_equal(cache_stall_name(a->stall), cache_stall_name(b->stall));
    assert_int_equal(a->fetch, b->fetch);
    assert_int_equal(a->forwards_write, b->forwards_write);
    assert_int_equal(a->victim_hit, b->victim_hit);
    assert_int_equal(a->invalidated, b->invalidated);
    same_victim(&a->victim, &b->victim);
}

// Checks that the cache and the model hold the same lines in the same state.
static void same_lines(Model *m, const Cache *cache)
{
    uint64_t size = m->config->sector;
    for (uint64_t n = 0; n < LINES; n++) {
        const ModelLine *expected = model_line(m, n * 128);
        const CacheLine *found = cache_probe(cache, n * 128);
        assert_int_equal(expected != NULL, found != NULL);
        for (uint64_t s = 0; found && s < 128 / size; s++) {
            assert_int_equal(found->valid >> s & 1, any_of(expected->known, s * size, size));
            assert_int_equal(found->readable >> s & 1, all_of(expected->known, s * size, size) &&
                                                           !expected->passed[s]);
            assert_int_equal(found->dirty >> s & 1, any_of(expected->dirty, s * size, size));
            assert_int_equal(found->reserved >> s & 1, expected->coming[s]);
        }
    }
    assert_int_equal(cache_mshr_used(cache), m->fetching);
}

static CacheAccess random_access(const CacheConfig *config, uint64_t bits, uint32_t token)
{
    bool back = config->write == WRITE_BACK;
    unsigned kind = bits % 16;
    CacheAccess access = {.address = (bits >> 8) % (LINES * 128), .token = token,
                          .room = (bits >> 40) % 4, .local = bits >> 44 & 1};
    if (kind < 7) return access;
    if (kind == 7 && back) {
        access.atomic = true;
        access.bytes[access.address % 128 / 64] = UINT64_C(0xf) << access.address % 64 / 4 * 4;
        return access;
    }
    access.write = true;
    uint64_t count = kind < 11 ? config->sector : bits >> 48 & 7; // whole sectors are common
    uint64_t first = kind < 11 ? access.address / config->sector * config->sector : access.address;
    for (uint64_t i = first; i < first + count + (kind >= 11); i++)
        access.bytes[i % 128 / 64] |= UINT64_C(1) << i % 64;
    return access;
}

// The outcomes of the accesses of a test.
typedef struct Tally {
    unsigned stalls[CACHE_STALL_REASONS], victim_hits;
} Tally;

static void check_accesses(const CacheConfig *config, uint64_t seed, Tally *tally)
{
    static Model m;
    memset(&m, 0, sizeof m);
    m.config = config;
    m.set_count = (unsigned)(config->size / config->line / config->ways);
    Cache *cache = cache_made(config);
    assert_int_equal(cache_sets(cache), m.set_count);
    unsigned served = 0;
    for (uint64_t n = 0; n < 3000; n++) {
        uint64_t bits = random_draw(seed, 0, 0, n), turn = random_draw(seed, 1, 0, n);
        CacheAccess access = random_access(config, bits, (uint32_t)n);
        CacheResult expected = access.write ? model_write(&m, &access) : model_read(&m, &access);
        CacheResult found = cache_access(cache, &access);
        same_result(&found, &expected);
        tally->victim_hits += found.victim_hit;
        if (found.outcome == CACHE_STALLED) tally->stalls[found.stall]++;
        else served++;
        if (m.fetching && turn % 8 < 1 + seed % 3) { // fetches end in any order
            ModelFetch *f = &m.fetches[(turn >> 8) % m.fetching];
            uint64_t sector = f->sector;
            uint32_t tokens[2][MODEL_MERGES] = {{0}};
            CacheVictim victims[2];
            unsigned count = model_fill(&m, f, tokens[0], &victims[0]);
            assert_int_equal(cache_fill(cache, sector, tokens[1], &victims[1]), count);
            assert_memory_equal(tokens[0], tokens[1], count * sizeof tokens[0][0]);
            same_victim(&victims[0], &victims[1]);
        }
        if (n % 16 == 0) same_lines(&m, cache);
    }
    // With WRITE_MISS_FORWARD, few accesses have the room that a store may need.
    assert_true(served > (config->write_miss == WRITE_MISS_FORWARD ? 250 : 500));
    cache_free(cache);
}

// All policies, replacements (except random) and sector sizes, with small tables so that each
// stall reason occurs.
static void check_policies(uint32_t victim_entries, uint64_t seed, Tally *tally)
{
    static const uint64_t sectors[] = {32, 64, 128};
    CacheConfig c = tiny_config();
    c.victim_entries = victim_entries;
    for (unsigned s = 0; s < 3; s++)
        for (c.ways = 1; c.ways <= 4; c.ways += 1 + (c.ways == 2))
            for (c.replacement = REPLACE_LRU; c.replacement <= REPLACE_FIFO; c.replacement++)
                for (c.write = WRITE_BACK; c.write <= WRITE_EVICT; c.write++)
                    for (c.local_write = WRITE_BACK; c.local_write <= WRITE_EVICT; c.local_write++)
                        for (c.write_miss = WRITE_MISS_LAZY; c.write_miss <= WRITE_MISS_FORWARD;
                             c.write_miss++) {
                            c.sector = sectors[s];
                            c.size = MODEL_SETS * 128 * c.ways;
                            c.mshr_entries = (uint32_t)(3 + seed % 4);
                            c.mshr_merges = (uint32_t)(1 + seed % 3);
                            check_accesses(&c, seed++, tally);
                        }
    for (int r = 0; r < CACHE_STALL_REASONS; r++) assert_true(tally->stalls[r] > 100);
}

static void test_all_policies(void **state)
{
    (void)state;
    Tally tally = {0};
    check_policies(0, 0, &tally);
    assert_int_equal(tally.victim_hits, 0);
}

static void test_victim_buffer(void **state)
{
    (void)state;
    for (uint32_t entries = 1; entries <= MODEL_BUFFER; entries += 3) {
        Tally tally = {0};
        check_policies(entries, 2000 * entries, &tally);
        assert_true(tally.victim_hits > 1000);
    }
}

static void test_on_fill(void **state)
{
    (void)state;
    CacheConfig c = tiny_config();
    c.allocate = ALLOCATE_ON_FILL;
    c.ways = 4;
    c.size = MODEL_SETS * 128 * c.ways;
    uint64_t seed = 1000;
    Tally tally = {0};
    for (c.victim_entries = 0; c.victim_entries <= 2; c.victim_entries += 2)
        for (c.sector = 32; c.sector <= 128; c.sector *= 2)
            for (c.replacement = REPLACE_LRU; c.replacement <= REPLACE_FIFO; c.replacement++)
                for (c.write = WRITE_THROUGH; c.write <= WRITE_EVICT; c.write++) {
                    c.local_write = c.write;
                    c.mshr_entries = (uint32_t)(3 + seed % 4);
                    c.mshr_merges = (uint32_t)(1 + seed % 3);
                    check_accesses(&c, seed++, &tally);
                }
    assert_true(tally.stalls[STALL_MSHR] > 1000 && tally.stalls[STALL_MERGE] > 100);
    assert_true(tally.victim_hits > 100);
}

// Sets with this number of ways find lines by a hash map. LINES lines do not fit.
static void test_one_wide_set(void **state)
{
    (void)state;
    CacheConfig c = tiny_config();
    c.ways = MODEL_WAYS;
    c.size = 128 * MODEL_WAYS;
    c.mshr_entries = 6;
    uint64_t seed = 5000;
    Tally tally = {0};
    for (c.victim_entries = 0; c.victim_entries <= 2; c.victim_entries += 2)
        for (c.sector = 32; c.sector <= 128; c.sector *= 2)
            for (c.replacement = REPLACE_LRU; c.replacement <= REPLACE_FIFO; c.replacement++)
                for (c.write = WRITE_BACK; c.write <= WRITE_EVICT; c.write++)
                    for (c.write_miss = WRITE_MISS_LAZY; c.write_miss <= WRITE_MISS_FORWARD;
                         c.write_miss++) {
                        c.local_write = c.write;
                        check_accesses(&c, seed++, &tally);
                    }
    assert_true(tally.victim_hits > 100);
    assert_true(tally.stalls[STALL_MSHR] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_policies),
        cmocka_unit_test(test_victim_buffer),
        cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_one_wide_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
