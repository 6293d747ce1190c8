// Texture fetches: the texels of all lanes become accesses to the cache that textures go through.
#include "core/sm_internal.h"

// ---- what is fetched ----

static LaneMask lanes_of(const TextureFetch *fetch, LaneMask lanes, unsigned first)
{
    LaneMask same = 0;
    for (LaneMask m = lanes; m; m &= m - 1)
        if (fetch->texture[lanes_first(m)] == fetch->texture[first]) same |= m & -m;
    return same;
}

// Which texels the lanes need, all of them within allocations; and the array that all lie in
// (GUEST_NO_ARRAY: in several, or there are none). false: a fault.
static bool plan(Sm *sm, const Warp *w, const UOp *op, LaneMask lanes, TextureFetch *fetch,
                 unsigned *array)
{
    uint64_t handle;
    char why[256];
    int lane = exec_texture_plan(op, &w->exec, lanes, fetch, &handle);
    if (lane >= 0) {
        texture_describe_missing(sm->launch->textures, handle, why, sizeof why);
        sm_fault_as(sm, GPU_FAULT_ADDRESS, NO_FAULT_ADDRESS);
        return sm_fault(sm, w, (unsigned)lane, "%s", why);
    }
    bool any = false;
    *array = GUEST_NO_ARRAY;
    for (unsigned k = 0; k < fetch->corners; k++)
        for (LaneMask left = fetch->touched[k]; left;) {
            unsigned first = lanes_first(left), its;
            LaneMask same = lanes_of(fetch, left, first);
            left &= ~same;
            if (!access_check_global(sm, w, same, fetch->address[k],
                                     exec_texture_bytes(fetch, first), w->pc_base + w->pc, &its))
                return false;
            *array = !any || its == *array ? its : GUEST_NO_ARRAY;
            any = true;
        }
    return true;
}

// ---- accesses ----

static uint8_t path_of(const Sm *sm, bool *bypass)
{
    const PathConfig *path = sm->config.path;
    const CacheConfig *cache = path->texture_path ? sm->config.l1r : sm->config.l1d;
    *bypass = cache->mode == CACHE_OFF;
    return path->texture_path && !*bypass ? MEM_READONLY : MEM_LOAD;
}

// Bytes under one access, and under what it is looked up by.
static void sizes_of(const Sm *sm, const AccessRecord *r, uint64_t *within, uint64_t *line)
{
    *line = r->kind == MEM_READONLY ? sm->l1r.line : MAX_LINE_BYTES;
    *within = *line;
    if (r->bypass || (r->kind == MEM_LOAD && sm->config.path->coalesce == COALESCE_SECTOR))
        *within = SECTOR_BYTES;
}

static void add_texel(CoalescedAccess *a, unsigned lane, uint64_t address, unsigned bytes)
{
    unsigned at = address % MAX_LINE_BYTES; // texels are aligned: never across a sector
    a->bytes[at / 64] |= ((UINT64_C(1) << bytes) - 1) << at % 64;
    a->lanes |= (LaneMask)1 << lane;
    a->sectors |= (uint8_t)(1u << at / SECTOR_BYTES);
    a->span_sectors = a->sectors;
}

// The distinct lines or sectors of the texels, in the order in which lanes meet them.
static unsigned group(const Sm *sm, const TextureFetch *fetch, AccessRecord *r)
{
    uint64_t within, line, found[RECORD_ACCESSES];
    unsigned count = 0, at = 0;
    sizes_of(sm, r, &within, &line);
    for (unsigned k = 0; k < fetch->corners; k++)
        for (LaneMask m = fetch->touched[k]; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            uint64_t address = fetch->address[k][l], part = address / within;
            if (at >= count || found[at] != part) // neighbours share
                for (at = 0; at < count && found[at] != part;) at++;
            if (at == count) {
                found[count] = part;
                r->accesses[count++] = (CoalescedAccess){.line = address / line * line};
            }
            add_texel(&r->accesses[at], l, address, exec_texture_bytes(fetch, l));
        }
    return count;
}

static void name_arrays(Sm *sm, AccessRecord *r, unsigned array)
{
    for (unsigned i = 0; i < r->count; i++) {
        const CoalescedAccess *a = &r->accesses[i];
        uint64_t line = a->line & ~(uint64_t)(MAX_LINE_BYTES - 1);
        unsigned first = a->bytes[0] ? (unsigned)__builtin_ctzll(a->bytes[0])
                                     : 64 + (unsigned)__builtin_ctzll(a->bytes[1]);
        r->arrays[i] = (uint16_t)(array != GUEST_NO_ARRAY
                                      ? array
                                      : guest_find(sm->guest, line + first, 1,
                                                   &sm->array_hint[r->pc]));
    }
}

static void shape(Sm *sm, const TextureFetch *fetch, AccessRecord *r, unsigned array)
{
    access_shape_nothing(r);
    r->kind = path_of(sm, &r->bypass);
    r->count = (uint16_t)group(sm, fetch, r);
    r->waiting = r->count;
    name_arrays(sm, r, array);
    if (!r->count) access_shape_nothing(r); // the unit answers by itself
}

IssueOutcome texture_issue(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    TextureFetch fetch;
    unsigned array;
    uint32_t index;
    if (!plan(sm, w, op, lanes, &fetch, &array)) return ISSUE_FAILED;
    exec_texture_read(op, &w->exec, lanes, &fetch, sm->guest, sm->log);
    AccessRecord *r = access_record(sm, w, op, SPACE_GLOBAL, lanes, &index);
    if (!r) return ISSUE_FAILED;
    shape(sm, &fetch, r, array);
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_texture(trace, sm, r, &fetch);
    return access_send(sm, w, r, index);
}

bool texture_now(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const FunctionalMemory *touch)
{
    TextureFetch fetch;
    unsigned array;
    uint32_t index;
    if (!plan(sm, w, op, lanes, &fetch, &array)) return false;
    exec_texture_read(op, &w->exec, lanes, &fetch, sm->guest, sm->log);
    if (!touch) return true;
    AccessRecord *r = access_record(sm, w, op, SPACE_GLOBAL, lanes, &index);
    if (!r) return false;
    shape(sm, &fetch, r, array);
    for (unsigned i = 0; i < r->count; i++) lsu_touch(sm, r, i, touch);
    record_free(sm, index);
    return true;
}
