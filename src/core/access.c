// Memory instructions at issue: addresses, bounds, values, and the accesses they become.
#include "core/sm_internal.h"
#include "core/surface.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where constants and kernel parameters lie for the caches: outside every guest array.
#define CONSTANT_BASE (UINT64_C(2) << 44)
#define PARAMETER_BASE (UINT64_C(3) << 44)

// ---- records ----

AccessRecord *record_new(Sm *sm, uint32_t *index)
{
    if (!sm->record_free) {
        uint32_t old = sm->record_capacity, capacity = old ? old * 2 : 64;
        AccessRecord *records = realloc(sm->records, capacity * sizeof *records);
        if (!records) {
            sm_out_of_memory(sm, "tracking memory instructions");
            return NULL;
        }
        sm->records = records;
        memset(records + old, 0, (capacity - old) * sizeof *records);
        for (uint32_t i = old ? old : 1; i < capacity; i++)
            records[i].next_free = i + 1 < capacity ? i + 1 : 0;
        sm->record_free = old ? old : 1;
        sm->record_capacity = capacity;
    }
    AccessRecord *record = &sm->records[sm->record_free];
    if (!record->accesses) record->accesses = hd_new(RECORD_ACCESSES, sizeof *record->accesses);
    if (!record->accesses) {
        sm_out_of_memory(sm, "tracking memory instructions");
        return NULL;
    }
    *index = sm->record_free;
    sm->record_free = record->next_free;
    sm->records_live++;
    return record;
}

void record_free(Sm *sm, uint32_t index)
{
    sm->records[index].next_free = sm->record_free;
    sm->record_free = index;
    sm->records_live--;
}

uint32_t access_block(const Sm *sm, const AccessRecord *r)
{
    const ExecBlock *block = sm->warps[r->warp].exec.block;
    return block->index[0] + block->grid[0] * (block->index[1] + block->grid[1] * block->index[2]);
}

static void count_load(Sm *sm, const AccessRecord *r)
{
    uint64_t cycles = sm->now - r->issued;
    SmCounters *c = &sm->count.sm;
    sm->count.pcs[r->pc].latency += cycles;
    c->latency[r->level] += cycles;
    c->loads[r->level]++;
}

// The warp's wait for memory, of so many cycles, is over. Where its accesses are to several arrays,
// the first one's counts.
static void count_wait(Sm *sm, const AccessRecord *r, uint64_t cycles)
{
    static const WaitEnd ends[MEM_LEVELS] = {WAIT_L1, WAIT_L2, WAIT_DRAM};
    bool named = r->kind < MEM_KINDS && r->arrays[0] < sm->arrays;
    warp_waited(sm, r->pc, named ? r->arrays[0] : (uint32_t)sm->arrays,
                r->kind == RECORD_SHARED ? WAIT_SHARED : ends[r->level], cycles);
}

void record_answered(Sm *sm, uint32_t index, MemLevel level)
{
    AccessRecord *r = &sm->records[index];
    if (level > r->level) r->level = (uint8_t)level;
    r->waiting--;
    SmTrace *trace = trace_of(sm, r->warp);
    if (trace) trace_answer(trace, sm, r, level);
    if (r->waiting) return;
    Warp *w = &sm->warps[r->warp];
    const UOpTiming *timing = &sm->launch->module->functions[r->function].timing[r->index];
    if (mem_kind_writes(r->kind)) {
        w->stores_out--;
    } else if (mem_kind_atomic(r->kind)) {
        w->atomics_out--;
    } else {
        w->loads_out--;
        if (r->kind == MEM_LOAD || r->kind == MEM_LOCAL_LOAD || r->kind == MEM_READONLY)
            count_load(sm, r);
    }
    bool writes = timing->write_count, waits = w->state == WARP_MEMORY;
    uint64_t cycles = sm->now - w->since;
    record_free(sm, index);
    if (writes) {
        scoreboard_release(sm, w, timing);
    } else {
        sm->count.sm.committed++;
        warp_check_end(sm, w);
    }
    // Fences, barriers, and accesses to an atomic's line may have waited for this.
    bool waited = w->state != WARP_READY && w->state != WARP_THROTTLED;
    if (w->live && waited) warp_classify(sm, w);
    if (waits && w->state != WARP_MEMORY) count_wait(sm, &sm->records[index], cycles);
}

// ---- bounds ----

static bool fault_bounds(Sm *sm, const Warp *w, unsigned lane, uint64_t address, unsigned bytes)
{
    char near[256];
    guest_nearest(sm->guest, address, near, sizeof near);
    sm_fault_as(sm, GPU_FAULT_ADDRESS, address);
    return sm_fault(sm, w, lane, "access of %u bytes at 0x%llx, outside every allocation; %s",
                    bytes, (unsigned long long)address, near);
}

// An access that leaves its array, but not the granule: a real device does not notice. It is told
// once for each instruction.
static bool notice_bounds(Sm *sm, const Warp *w, unsigned lane, uint64_t address, unsigned bytes,
                          uint32_t pc)
{
    char near[256], what[512];
    if (system_noticed(sm, pc)) return true;
    guest_nearest(sm->guest, address, near, sizeof near);
    snprintf(what, sizeof what, "access of %u bytes at 0x%llx, outside every allocation, which a "
                                "real device does not notice: %s",
             bytes, (unsigned long long)address, near);
    return system_notice(sm, w, lane, pc, what);
}

bool access_check_global(Sm *sm, const Warp *w, LaneMask lanes, const uint64_t *addresses,
                         unsigned bytes, uint32_t pc, unsigned *array)
{
    uint64_t low = UINT64_MAX, high = 0, any = 0;
    for (LaneMask m = lanes; m; m &= m - 1) {
        uint64_t a = addresses[lanes_first(m)];
        low = a < low ? a : low;
        high = a > high ? a : high;
        any |= a;
    }
    if (any & (bytes - 1)) {
        for (LaneMask m = lanes; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            if (!(addresses[l] & (bytes - 1))) continue;
            sm_fault_as(sm, GPU_FAULT_MISALIGNED, addresses[l]);
            return sm_fault(sm, w, l, "access of %u bytes at 0x%llx is not aligned", bytes,
                            (unsigned long long)addresses[l]);
        }
    }
    uint16_t *hint = &sm->array_hint[pc];
    *array = guest_find(sm->guest, low, high - low + bytes, hint);
    if (*array != GUEST_NO_ARRAY) return true;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (guest_find(sm->guest, addresses[l], bytes, hint) != GUEST_NO_ARRAY) continue;
        if (!guest_allows_overrun(sm->guest, addresses[l], bytes))
            return fault_bounds(sm, w, l, addresses[l], bytes);
        if (!notice_bounds(sm, w, l, addresses[l], bytes, pc)) return false;
    }
    return true;
}

static const char *const space_names[] = {
    [SPACE_SHARED] = "shared", [SPACE_LOCAL] = "local", [SPACE_CONST] = "constant",
    [SPACE_PARAM] = "parameter", [SPACE_FRAME_PARAM] = "function parameter"};

static bool fault_private(Sm *sm, const Warp *w, PtxSpace space, int lane,
                          const uint64_t *addresses, unsigned bytes)
{
    uint64_t offset = addresses[lane];
    sm_fault_as(sm, offset & (bytes - 1) ? GPU_FAULT_MISALIGNED : GPU_FAULT_ADDRESS,
                NO_FAULT_ADDRESS);
    return sm_fault(sm, w, (unsigned)lane, "access of %u bytes at offset 0x%llx of %s memory %s",
                    bytes, (unsigned long long)offset, space_names[space],
                    offset & (bytes - 1) ? "is not aligned" : "is outside it");
}

bool access_frame_param(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    uint64_t addresses[HD_MAX_LANES];
    exec_addresses(op, &w->exec, addresses);
    int lane = op->code == UOP_LD
                   ? exec_private_load(op, &w->exec, SPACE_FRAME_PARAM, lanes, addresses)
                   : exec_private_store(op, &w->exec, SPACE_FRAME_PARAM, lanes, addresses);
    return lane < 0 || fault_private(sm, w, SPACE_FRAME_PARAM, lane, addresses,
                                     ptx_type_bytes(op->type) * op->vec);
}

// ---- the accesses ----

// Local memory lies interleaved by thread, 4 bytes each, so that the lanes of a warp that use the
// same offset share lines.
static void local_lines(const Sm *sm, const Warp *w, LaneMask lanes, const uint64_t *offsets,
                        uint64_t *addresses)
{
    uint64_t width = sm->config.core->width, base = local_base(sm, w);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        addresses[l] = base + (offsets[l] / 4 * width + l) * 4 + offsets[l] % 4;
    }
}

// An element of more than 4 bytes lies in several rows of that layout.
static unsigned coalesce_local(const Sm *sm, const Warp *w, AccessRecord *r,
                               const uint64_t *offsets, unsigned bytes)
{
    uint64_t word[HD_MAX_LANES], lines[HD_MAX_LANES];
    unsigned count = 0, size = bytes < 4 ? bytes : 4;
    for (unsigned k = 0; k < bytes; k += size) {
        for (LaneMask m = r->lanes; m; m &= m - 1)
            word[lanes_first(m)] = offsets[lanes_first(m)] + k;
        local_lines(sm, w, r->lanes, word, lines);
        count += coalesce(sm->config.path->coalesce, r->lanes, lines, size, r->accesses + count);
    }
    return count;
}

static void name_arrays(Sm *sm, AccessRecord *r, unsigned array, const uint64_t *addresses,
                        uint32_t pc)
{
    for (unsigned i = 0; i < r->count; i++) {
        unsigned a = array;
        if (a == GUEST_NO_ARRAY && r->space == SPACE_GLOBAL)
            a = guest_find(sm->guest, addresses[lanes_first(r->accesses[i].lanes)], 1,
                           &sm->array_hint[pc]);
        r->arrays[i] = (uint16_t)a;
    }
}

// Distinct lines of the constant cache, in the order of their first lane.
static unsigned constant_lines(const Sm *sm, const UOp *op, LaneMask lanes, uint64_t base,
                               const uint64_t *offsets, CoalescedAccess *out)
{
    uint64_t line = sm->config.l1c->line;
    unsigned count = 0;
    if (op->src[0] == OPERAND_NONE) { // a name: the same for all lanes
        uint64_t at = base + offsets[lanes_first(lanes)];
        out[0] = (CoalescedAccess){.line = at - at % line, .lanes = lanes};
        return 1;
    }
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m), i = 0;
        uint64_t at = (base + offsets[l]) / line * line;
        while (i < count && out[i].line != at) i++;
        if (i == count) out[count++] = (CoalescedAccess){.line = at};
        out[i].lanes |= (LaneMask)1 << l;
    }
    return count;
}

static bool fill_atomics(Sm *sm, Warp *w, const UOp *op, AccessRecord *r, const uint64_t *addresses)
{
    if (!r->atomics) r->atomics = hd_new(COALESCE_MAX, sizeof *r->atomics);
    if (!r->atomics) return sm_out_of_memory(sm, "tracking atomics");
    for (unsigned i = 0; i < r->count; i++) {
        AtomicLanes *a = &r->atomics[i];
        a->operation = op->modifier;
        a->type = op->type;
        a->lanes = r->accesses[i].lanes;
        for (LaneMask m = a->lanes; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            a->address[l] = addresses[l];
            exec_atomic_operands(op, &w->exec, l, &a->b[l], &a->c[l]);
        }
    }
    return true;
}

bool access_meets_own_atomic(const Sm *sm, const Warp *w, LaneMask lanes,
                             const uint64_t *addresses)
{
    if (!w->atomics_out) return false;
    for (uint32_t i = 1; i < sm->record_capacity; i++) {
        const AccessRecord *r = &sm->records[i];
        if (!r->waiting || r->warp != w->id || !mem_kind_atomic(r->kind)) continue;
        for (unsigned k = 0; k < r->count; k++)
            for (LaneMask m = lanes; m; m &= m - 1)
                if ((addresses[lanes_first(m)] & ~(uint64_t)(MAX_LINE_BYTES - 1)) ==
                    r->accesses[k].line)
                    return true;
    }
    return false;
}

static MemKind kind_of(const Sm *sm, const UOp *op, PtxSpace space)
{
    if (op->code == UOP_ATOM) return MEM_ATOMIC;
    if (op->code == UOP_RED) return MEM_REDUCE;
    bool store = op->code == UOP_ST;
    if (space == SPACE_LOCAL) return store ? MEM_LOCAL_STORE : MEM_LOCAL_LOAD;
    if (store) return MEM_STORE;
    return op->flags & UF_NC && sm->config.path->nc_path ? MEM_READONLY : MEM_LOAD;
}

// A surface's loads go where textures do. Where these have a cache of their own, what is written
// passes by it and by the L1D.
static MemKind surface_kind(const Sm *sm, const UOp *op, bool *cached)
{
    bool apart = sm->config.path->texture_path;
    *cached = (op->code == UOP_SULD || !apart) && op->cache != CACHE_CG && op->cache != CACHE_CV;
    if (op->code == UOP_SURED) return MEM_REDUCE;
    if (op->code == UOP_SUST) return MEM_STORE;
    return apart && *cached ? MEM_READONLY : MEM_LOAD;
}

// Is a global access one for the L1D? What other SMs have written is looked for behind it.
static bool in_l1(const PathConfig *path, const UOp *op)
{
    bool strong = op->code == UOP_LD && (op->flags & (UF_VOLATILE | UF_CTA_SCOPE)) == UF_VOLATILE;
    return path->global_in_l1 && (path->strong_in_l1 || !strong) && op->cache != CACHE_CG &&
           op->cache != CACHE_CV;
}

static void count_memory(Sm *sm, const AccessRecord *r, const UOp *op)
{
    SmCounters *c = &sm->count.sm;
    if (r->kind == RECORD_SHARED) {
        c->shared_instructions++;
        c->shared_passes += r->passes;
        return;
    }
    if (r->kind == RECORD_CONSTANT) return;
    c->memory_instructions++;
    c->memory_requests += r->count;
    sm->count.requests[r->count < HD_MAX_LANES ? r->count : HD_MAX_LANES]++;
    sm->count.pcs[r->pc].requests += r->count;
    if (r->space == SPACE_LOCAL) return;
    if (op->class == CLASS_TEXTURE) {
        c->texture_fetches += op->code == UOP_TEX || op->code == UOP_SULD;
        c->global_stores += op->code == UOP_SUST;
        c->global_atomics += op->code == UOP_SURED;
        return;
    }
    c->global_loads += op->code == UOP_LD;
    c->global_stores += op->code == UOP_ST;
    c->global_atomics += op->code == UOP_ATOM || op->code == UOP_RED;
}

// A generic address may lead where its instruction cannot go.
static bool allowed(Sm *sm, const Warp *w, const UOp *op, PtxSpace space, LaneMask lanes)
{
    bool atomic = op->code == UOP_ATOM || op->code == UOP_RED;
    bool elsewhere = atomic && space != SPACE_SHARED;
    bool read_only = op->code == UOP_ST && (space == SPACE_CONST || space == SPACE_PARAM);
    if (!elsewhere && !read_only) return true;
    sm_fault_as(sm, GPU_FAULT_ADDRESS, NO_FAULT_ADDRESS);
    return sm_fault(sm, w, lanes_first(lanes),
                    elsewhere
                        ? "atomic on %s memory; atomics work on global and shared memory only"
                        : "store to %s memory, which a kernel can only read",
                    space_names[space]);
}

bool access_private(Sm *sm, Warp *w, const UOp *op, PtxSpace space, LaneMask lanes,
                    const uint64_t *addresses)
{
    if (!allowed(sm, w, op, space, lanes)) return false;
    bool atomic = op->code == UOP_ATOM || op->code == UOP_RED;
    int lane = atomic               ? exec_shared_atomic(op, &w->exec, lanes, addresses)
               : op->code == UOP_LD ? exec_private_load(op, &w->exec, space, lanes, addresses)
                                    : exec_private_store(op, &w->exec, space, lanes, addresses);
    return lane < 0 ||
           fault_private(sm, w, space, lane, addresses, ptx_type_bytes(op->type) * op->vec);
}

// Values of a resolved access. false: a fault.
static bool run_access(Sm *sm, Warp *w, const UOp *op, PtxSpace space, LaneMask lanes,
                       const uint64_t *addresses)
{
    if (space != SPACE_GLOBAL) return access_private(sm, w, op, space, lanes, addresses);
    if (op->code == UOP_ATOM || op->code == UOP_RED) return true; // at the slice
    if (op->code == UOP_LD) {
        exec_global_load(op, &w->exec, lanes, addresses, sm->guest, sm->log);
        return true;
    }
    return exec_global_store(op, &w->exec, lanes, addresses, sm->log, sm->now) ||
           sm_out_of_memory(sm, "logging a store");
}

bool access_shape(Sm *sm, Warp *w, const UOp *op, AccessRecord *r, const uint64_t *addresses,
                         unsigned array)
{
    unsigned bytes = ptx_type_bytes(op->type) * op->vec;
    const PathConfig *path = sm->config.path;
    r->count = r->sent = 0;
    r->passes = 0;
    r->level = LEVEL_L1;
    switch (r->space) {
    case SPACE_SHARED:
        r->kind = RECORD_SHARED;
        r->passes = (uint16_t)shared_passes(r->lanes, addresses, bytes, sm->config.shared->banks,
                                            (unsigned)sm->config.shared->bank_bytes,
                                            sm->config.core->width,
                                            op->code == UOP_ATOM || op->code == UOP_RED);
        r->waiting = 1;
        return true;
    case SPACE_CONST:
    case SPACE_PARAM: {
        uint64_t base = r->space == SPACE_CONST ? CONSTANT_BASE : PARAMETER_BASE;
        r->kind = RECORD_CONSTANT;
        r->count = (uint8_t)constant_lines(sm, op, r->lanes, base, addresses, r->accesses);
        r->waiting = r->count;
        return true;
    }
    default: break;
    }
    r->kind = kind_of(sm, op, r->space);
    bool cached = r->space == SPACE_LOCAL || in_l1(path, op);
    if (op->class == CLASS_TEXTURE) r->kind = surface_kind(sm, op, &cached);
    cached &= sm->config.l1d->mode != CACHE_OFF;
    if (r->kind == MEM_READONLY && sm->config.l1r->mode == CACHE_OFF) {
        r->kind = MEM_LOAD; // past the L1s, to the next level
        cached = false;
    }
    r->bypass = mem_kind_atomic(r->kind) || !cached;
    if (r->space == SPACE_LOCAL)
        r->count = (uint8_t)coalesce_local(sm, w, r, addresses, bytes);
    else
        r->count =
            (uint8_t)coalesce(r->bypass && r->kind == MEM_LOAD ? COALESCE_SECTOR : path->coalesce,
                              r->lanes, addresses, bytes, r->accesses);
    r->waiting = r->count;
    name_arrays(sm, r, array, addresses, r->pc);
    return !mem_kind_atomic(r->kind) || fill_atomics(sm, w, op, r, addresses);
}

void access_shape_nothing(AccessRecord *r)
{
    r->sent = r->passes = r->count = 0;
    r->level = LEVEL_L1;
    r->kind = RECORD_BORDER;
    r->waiting = 1;
}

static void book_access(Warp *w, const AccessRecord *r, const UOpTiming *timing)
{
    if (mem_kind_writes(r->kind))
        w->stores_out++;
    else if (mem_kind_atomic(r->kind))
        w->atomics_out++;
    else
        w->loads_out++;
    for (unsigned i = 0; i < timing->write_count; i++) {
        uint64_t bit = UINT64_C(1) << (timing->writes[i] & 63);
        w->pending[timing->writes[i] >> 6] |= bit;
        w->pending_memory[timing->writes[i] >> 6] |= bit;
    }
    w->pending_count += timing->write_count;
}

// Of a generic access whose lanes are in different windows (one load for "a halo's from global
// memory, the others' from shared") those of the first lane's do it now, and the others execute the
// instruction once more.
static bool resolve_space(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes, uint64_t *addresses,
                          PtxSpace *space)
{
    *space = (PtxSpace)op->space;
    if (*space == SPACE_GLOBAL) {
        // The hardware has constants in global memory: compilers read them by ld.global, where
        // they find a pointer in a variable.
        uint64_t address = addresses[lanes_first(*lanes)];
        if (address - GUEST_CONST_BASE >= GUEST_WINDOW_SIZE) return true;
    } else if (*space != SPACE_GENERIC) {
        return true;
    }
    LaneMask first;
    *space = exec_generic_space(*lanes, addresses, &first);
    if (first != *lanes && !simt_set_apart(sm, w, *lanes, first)) return false;
    *lanes = first;
    exec_generic_offset(*space, first, addresses);
    return true;
}

bool access_resolve(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes, uint64_t *addresses,
                    PtxSpace *space, unsigned *array)
{
    exec_addresses(op, &w->exec, addresses);
    *array = GUEST_NO_ARRAY;
    if (!resolve_space(sm, w, op, lanes, addresses, space)) return false;
    return *space != SPACE_GLOBAL ||
           access_check_global(sm, w, *lanes, addresses, ptx_type_bytes(op->type) * op->vec,
                               w->pc_base + w->pc, array);
}

AccessRecord *access_record(Sm *sm, const Warp *w, const UOp *op, PtxSpace space, LaneMask lanes,
                            uint32_t *index)
{
    AccessRecord *r = record_new(sm, index);
    if (!r) return NULL;
    r->op = op;
    r->index = w->pc;
    r->function = w->frames[w->frame].function_index;
    r->slot_base = w->frames[w->frame].slot_base;
    r->issued = sm->now;
    r->pc = w->pc_base + w->pc;
    r->warp = w->id;
    r->space = (uint8_t)space;
    r->lanes = lanes;
    return r;
}

IssueOutcome access_send(Sm *sm, Warp *w, AccessRecord *r, uint32_t index)
{
    count_memory(sm, r, r->op);
    book_access(w, r, &w->timing[w->pc]);
    uint64_t ready = operand_schedule_memory(sm, w, r->op, &w->timing[w->pc]);
    if (wheel_set(&sm->wheel, ready, EVENT_LSU_READY, w->id, index, 0)) return ISSUE_DONE;
    sm_out_of_memory(sm, "scheduling a memory instruction");
    return ISSUE_FAILED;
}

IssueOutcome access_issue(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes)
{
    uint64_t addresses[HD_MAX_LANES];
    PtxSpace space;
    unsigned array;
    if (op->class == CLASS_TEXTURE)
        return op->code == UOP_TEX ? texture_issue(sm, w, op, *lanes)
                                   : surface_issue(sm, w, op, *lanes);
    if (!access_resolve(sm, w, op, lanes, addresses, &space, &array)) return ISSUE_FAILED;
    if (space == SPACE_GLOBAL && access_meets_own_atomic(sm, w, *lanes, addresses))
        return ISSUE_BLOCKED;
    if (!run_access(sm, w, op, space, *lanes, addresses)) return ISSUE_FAILED;
    uint32_t index;
    AccessRecord *r = access_record(sm, w, op, space, *lanes, &index);
    if (!r || !access_shape(sm, w, op, r, addresses, array)) return ISSUE_FAILED;
    shadow_issue(sm, w, r);
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_access(trace, sm, r, addresses);
    return access_send(sm, w, r, index);
}
