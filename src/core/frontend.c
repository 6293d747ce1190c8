// The front end: instruction fetch through the L1I, decode, and where decoded instructions wait for
// issue: in their warp's buffer, or in the store that the warps share (store.c).
#include "core/sm_internal.h"

#include <string.h>

// Where instruction memory lies for the caches: outside every guest array.
#define INSTRUCTION_BASE (UINT64_C(1) << 44)

bool frontend_init(Sm *sm)
{
    const FrontendConfig *c = sm->config.frontend;
    sm->next_store_age = 1;
    if (c->buffer != BUFFER_SHARED_STORE) return true;
    return istore_init(&sm->istore, c->store_entries, c->store_ways);
}

void frontend_want(Sm *sm, Warp *w)
{
    if (w->fetching || sm->functional) return;
    warpset_add(shared_store(sm) ? &sm->lookup_wanted : &sm->fetch_wanted, w->id);
}

// Instructions that one fetch at the warp's pc brings: up to the fetch width, the line, the buffer.
static unsigned fetch_count(const Sm *sm, const Warp *w, uint64_t address)
{
    const FrontendConfig *c = sm->config.frontend;
    uint64_t line_left = sm->config.l1i->line - address % sm->config.l1i->line;
    uint64_t bytes = c->fetch_bytes < line_left ? c->fetch_bytes : line_left;
    uint64_t count = bytes / c->instruction_bytes;
    if (count > c->entries) count = c->entries;
    uint32_t left = w->frames[w->frame].function->op_count - w->pc;
    if (count > left) count = left;
    return count ? (unsigned)count : 1;
}

uint64_t frontend_address(const Sm *sm, uint32_t pc)
{
    if (shared_store(sm)) pc -= pc % instructions_per_entry(sm);
    return INSTRUCTION_BASE + (uint64_t)pc * sm->config.frontend->instruction_bytes;
}

MemRequest frontend_request(const Sm *sm, uint32_t pc)
{
    return (MemRequest){.line = frontend_address(sm, pc) & ~(uint64_t)(MAX_LINE_BYTES - 1),
                        .kind = MEM_INSTRUCTION, .sectors = 0xf, .pc = pc,
                        .array = GUEST_NO_ARRAY};
}

static void fetch_for(Sm *sm, Warp *w)
{
    const FrontendConfig *c = sm->config.frontend;
    uint64_t address = frontend_address(sm, w->pc_base + w->pc);
    sm->count.sm.fetches++;
    if (!c->perfect) {
        RequestQueue *queue = &sm->l1i.misses;
        CacheCounters *count = &sm->l1i.count;
        CacheAccess access = {.address = address, .token = w->id,
                              .room = (uint8_t)(queue->capacity - queue->count)};
        CacheResult result = cache_access(sm->l1i.cache, &access);
        if (result.outcome == CACHE_REFUSED) {
            if (cache_out_of_memory(sm->l1i.cache))
                sm_out_of_memory(sm, "keeping what the L1I has met");
            count->stalls[result.refusal]++;
            return;
        }
        count->accesses++;
        count->load_accesses++;
        if (result.outcome == CACHE_HIT) {
            count->hits++;
            count->load_hits++;
            count->victim_hits += result.victim_hit;
        } else {
            bool miss = result.outcome == CACHE_MISS;
            *(miss ? &count->misses : &count->pending_hits) += 1;
            *(miss ? &count->load_misses : &count->load_pending_hits) += 1;
            w->fetching = true;
            warpset_remove(&sm->fetch_wanted, w->id);
            if (miss) {
                count_line(count, &result.victim);
                MemRequest request = frontend_request(sm, w->pc_base + w->pc);
                queue_push(queue, &request);
                sm->inject_news = true;
            }
            return;
        }
    }
    w->fetching = true;
    warpset_remove(&sm->fetch_wanted, w->id);
    if (!wheel_set(&sm->wheel, sm->now + c->decode, EVENT_FETCHED, w->id,
                   fetch_count(sm, w, address), w->pc_base + w->pc))
        sm_out_of_memory(sm, "scheduling a fetch");
}

void frontend_cycle(Sm *sm)
{
    if (shared_store(sm)) store_cycle(sm);
    for (unsigned i = 0; i < sm->config.frontend->fetches; i++) {
        if (!warpset_any(&sm->fetch_wanted, sm->place_words)) return;
        unsigned from = sm->fetch_last + 1 < sm->warp_places ? sm->fetch_last + 1 : 0;
        unsigned place = warpset_next(&sm->fetch_wanted, sm->place_words, from);
        sm->fetch_last = place;
        fetch_for(sm, &sm->warps[place]);
    }
}

void frontend_fetched(Sm *sm, Warp *w, unsigned count, uint32_t pc)
{
    w->fetching = false;
    if (pc != w->pc_base + w->pc) { // another path goes on
        frontend_want(sm, w);
        return;
    }
    if (shared_store(sm)) {
        store_decoded(sm, w);
        return;
    }
    w->buffer_pc = w->pc_base + w->pc;
    w->buffered = (uint8_t)count;
    warp_classify(sm, w);
}

void frontend_advance(Sm *sm, Warp *w, uint32_t pc)
{
    if (shared_store(sm)) {
        store_advance(sm, w, pc);
        return;
    }
    w->buffered--;
    w->buffer_pc++;
    if (!w->live) return;
    if (w->buffered && !frontend_ready(w)) {
        // A taken branch: what was decoded behind it is dropped in the next cycle.
        w->buffered = 0;
        w->fetching = true;
        if (!wheel_set(&sm->wheel, sm->now + 1, EVENT_FLUSHED, w->id, 0, 0))
            sm_out_of_memory(sm, "scheduling a fetch");
    } else if (!w->buffered) {
        frontend_want(sm, w);
    }
}

void frontend_redirect(Sm *sm, Warp *w)
{
    if (sm->functional || !w->live) return;
    if (shared_store(sm)) {
        if (w->store_entry) store_give_up(sm, w);
        frontend_want(sm, w);
    } else if (!frontend_ready(w)) {
        w->buffered = 0;
        frontend_want(sm, w);
    }
}

void frontend_fill(Sm *sm, uint64_t address)
{
    CacheVictim victim;
    unsigned count = cache_fill(sm->l1i.cache, address, sm->fill_tokens, &victim);
    sm->l1i.count.fills++;
    count_line(&sm->l1i.count, &victim);
    for (unsigned i = 0; i < count; i++) {
        Warp *w = &sm->warps[sm->fill_tokens[i]];
        w->fetching = false;
        warpset_add(&sm->fetch_wanted, w->id);
    }
}
