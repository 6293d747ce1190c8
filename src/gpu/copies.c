// Copies and fills of device memory by the host. Long ones go in pieces, between which a stop is
// obeyed.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <string.h>

// Takes some milliseconds at the speed of the host's memory.
enum { PIECE = 32 << 20 };

// The host's address of a range within one allocation; NULL and err if it is not within one.
static uint8_t *host_range(const Gpu *gpu, uint64_t address, uint64_t bytes, const char *what,
                           HdError *err)
{
    uint16_t hint = GUEST_NO_ALLOCATION;
    if (!bytes || guest_find(&gpu->memory, address, bytes, &hint) != GUEST_NO_ALLOCATION)
        return guest_host(&gpu->memory, address);
    char near[256];
    guest_nearest(&gpu->memory, address, near, sizeof near);
    hd_fail(err, "%s of %" PRIu64 " bytes at 0x%" PRIx64 " leaves its allocation; %s", what, bytes,
            address, near);
    return NULL;
}

// The next piece of `bytes`, of which `done` are done; 0: none is left, or the run was stopped.
static uint64_t next_piece(Gpu *gpu, uint64_t bytes, uint64_t done)
{
    uint64_t left = bytes - done;
    if (done && left && gpu->options.stop && *gpu->options.stop) {
        gpu->stop = (LaunchStop){.reason = STOP_ASKED};
        return 0;
    }
    return left < PIECE ? left : PIECE;
}

static bool finish(const char *what, uint64_t bytes, uint64_t done, HdError *err)
{
    return done == bytes || hd_fail(err, "interrupted in %s of %" PRIu64 " bytes", what, bytes);
}

bool gpu_write(Gpu *gpu, uint64_t address, const void *from, uint64_t bytes, HdError *err)
{
    uint8_t *to = host_range(gpu, address, bytes, "a copy", err);
    if (!to || !guest_take(&gpu->memory, address, bytes, err)) return false;
    uint64_t done = 0;
    for (uint64_t piece; (piece = next_piece(gpu, bytes, done)); done += piece) {
        memcpy(to + done, (const uint8_t *)from + done, piece);
        if (gpu->machine.path.copy_fills_l2)
            memory_side_warm(gpu->memory_side, address + done, piece);
    }
    return finish("a copy", bytes, done, err);
}

bool gpu_read(Gpu *gpu, void *to, uint64_t address, uint64_t bytes, HdError *err)
{
    const uint8_t *from = host_range(gpu, address, bytes, "a copy", err);
    if (!from) return false;
    uint64_t done = 0;
    for (uint64_t piece; (piece = next_piece(gpu, bytes, done)); done += piece)
        memcpy((uint8_t *)to + done, from + done, piece);
    return finish("a copy", bytes, done, err);
}

bool gpu_fill(Gpu *gpu, uint64_t address, int byte, uint64_t bytes, HdError *err)
{
    uint8_t *to = host_range(gpu, address, bytes, "a fill", err);
    if (!to || !guest_take(&gpu->memory, address, bytes, err)) return false;
    uint64_t done = 0;
    for (uint64_t piece; (piece = next_piece(gpu, bytes, done)); done += piece)
        memset(to + done, byte, piece);
    return finish("a fill", bytes, done, err);
}

bool gpu_copy(Gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes, HdError *err)
{
    uint8_t *target = host_range(gpu, to, bytes, "a copy", err);
    const uint8_t *source = target ? host_range(gpu, from, bytes, "a copy", err) : NULL;
    if (!source || !guest_take(&gpu->memory, to, bytes, err)) return false;
    bool backward = to > from; // the ranges may overlap: no piece overwrites a later one's source
    uint64_t done = 0;
    for (uint64_t piece; (piece = next_piece(gpu, bytes, done)); done += piece) {
        uint64_t at = backward ? bytes - done - piece : done;
        memmove(target + at, source + at, piece);
    }
    return finish("a copy", bytes, done, err);
}
