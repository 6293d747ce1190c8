// Requests to the next level.
#include "core/l1/l1_request.h"

#include "core/shadow_sm.h"
#include "hooks/cache_hooks.h"

void request_add_fields(MemRequest *request, const MemoryOp *op, unsigned access,
                        RequestFields fields)
{
    if (!fields.wanted) return;
    request->sideband_bytes = mem_kind_writes(request->kind) ? 0 : fields.bytes;
    request->warp = (uint16_t)op->owner->exec.warp_in_block;
    request->warp_slot = op->warp;
    request->block = memory_op_block(op);
    request->lanes = op->accesses[access].lanes;
}

// A load that bypasses the L1D fetches what its packet covers (l1d.off_request).
static uint8_t sectors_of_packet(const MemoryOp *op, const CoalescedAccess *access)
{
    bool covers = mem_kind_writes(op->kind) || (op->bypass && op->kind == MEM_LOAD);
    return covers ? access->span_sectors : access->sectors;
}

void request_for_access(const MemoryOp *op, unsigned access, uint32_t token, RequestFields fields,
                        MemRequest *request)
{
    const CoalescedAccess *a = &op->accesses[access];
    *request = (MemRequest){.line = a->line & ~(uint64_t)(MAX_LINE_BYTES - 1), .token = token,
                            .pc = op->pc, .allocation = a->allocation, .kind = op->kind,
                            .sectors = sectors_of_packet(op, a)};
    request_add_fields(request, op, access, fields);
    if (mem_kind_writes(op->kind)) {
        request->written[0] = a->bytes[0];
        request->written[1] = a->bytes[1];
        request->bytes = (uint16_t)(SECTOR_BYTES * lanes_count(a->span_sectors));
        shadow_packet(op, access, &request->shadow);
    } else if (mem_kind_atomic(op->kind)) {
        request->atomic = &op->atomics[access];
        request->bytes = (uint16_t)(SECTOR_BYTES * lanes_count(a->sectors));
    }
}

MemRequest request_for_line(const CacheConfig *config, uint64_t address, uint32_t pc, MemKind kind)
{
    uint64_t line = address & ~(uint64_t)(MAX_LINE_BYTES - 1);
    unsigned first = (unsigned)((address % MAX_LINE_BYTES & ~(config->line - 1)) / SECTOR_BYTES);
    unsigned sectors = (unsigned)divide_up(config->line, SECTOR_BYTES);
    return (MemRequest){.line = line, .pc = pc, .allocation = GUEST_NO_ALLOCATION, .kind = kind,
                        .sectors = (uint8_t)(lanes_all(sectors) << first)};
}

MemRequest request_for_engine(const MemoryOp *op, uint32_t token)
{
    return (MemRequest){.engine = &op->engine->request, .token = token, .pc = op->pc,
                        .kind = MEM_ENGINE,
                        .slice = op->engine->slice, .allocation = GUEST_NO_ALLOCATION,
                        .bytes = op->engine->bytes, .lanes = op->lanes, .warp_slot = op->warp,
                        .warp = (uint16_t)op->owner->exec.warp_in_block,
                        .block = memory_op_block(op)};
}

// The sectors of 32 bytes, within the 128-byte line of a victim, that the victim's own sectors of
// `sector` bytes are.
static uint8_t sectors_of(const CacheVictim *victim, uint8_t own, uint64_t sector)
{
    unsigned first = (unsigned)(victim->line % MAX_LINE_BYTES / SECTOR_BYTES), sectors = 0;
    unsigned wide = (unsigned)divide_up(sector, SECTOR_BYTES);
    for (unsigned s = 0; s < 8; s++)
        if (own >> s & 1) sectors |= (unsigned)lanes_all(wide) << (first + s * wide);
    return (uint8_t)sectors;
}

MemRequest request_for_victim(const CacheVictim *victim, uint64_t sector)
{
    uint8_t sectors = sectors_of(victim, victim->dirty_sectors, sector);
    return (MemRequest){.line = victim->line, .kind = MEM_LOCAL_STORE,
                        .allocation = GUEST_NO_ALLOCATION, .sectors = sectors,
                        .bytes = (uint16_t)(SECTOR_BYTES * lanes_count(sectors)),
                        .written = {victim->bytes[0], victim->bytes[1]},
                        .shadow = victim->shadow};
}

MemRequest request_for_clean_victim(const CacheVictim *victim, uint64_t sector)
{
    uint8_t sectors = sectors_of(victim, victim->copy_back, sector);
    return (MemRequest){.line = victim->line & ~(uint64_t)(MAX_LINE_BYTES - 1),
                        .token = victim->version, .kind = MEM_COPY_BACK, .pc = HD_NO_PC,
                        .allocation = GUEST_NO_ALLOCATION, .sectors = sectors,
                        .bytes = (uint16_t)(SECTOR_BYTES * lanes_count(sectors)),
                        .sideband_bytes = VERSION_BITS / 8,
                        .shadow = victim->shadow};
}

void warm_line_next(const MemoryOp *op, unsigned *access, WarmLine *line)
{
    const CoalescedAccess *a = &op->accesses[*access], *end = op->accesses + op->count;
    bool writes = mem_kind_writes(op->kind);
    *line = (WarmLine){.line = a->line, .kind = (uint8_t)warm_kind_of(op->kind)};
    do {
        line->sectors |= sectors_of_packet(op, a);
        line->bytes.bits[0] |= a->bytes[0];
        line->bytes.bits[1] |= a->bytes[1];
        a++;
    } while (a < end && a->line == line->line && !(writes && line->sectors & a->span_sectors));
    *access = (unsigned)(a - op->accesses);
}
