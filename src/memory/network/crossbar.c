// The matching of an input-queued crossbar.
#include "memory/network/crossbar.h"
#include "base/memory.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

bool crossbar_init(Crossbar *crossbar, unsigned inputs, unsigned outputs)
{
    *crossbar = (Crossbar){.input_count = inputs, .words = (inputs + 63) / 64};
    crossbar->inputs = hd_new(inputs, sizeof *crossbar->inputs);
    crossbar->outputs = hd_new(outputs, sizeof *crossbar->outputs);
    crossbar->matched = hd_new(inputs, sizeof *crossbar->matched);
    crossbar->waiting = hd_new(crossbar->words, sizeof *crossbar->waiting);
    if (!crossbar->inputs || !crossbar->outputs || !crossbar->matched || !crossbar->waiting)
        return false;
    for (unsigned o = 0; o < outputs; o++) crossbar->outputs[o].chosen = NONE;
    return true;
}

void crossbar_free(Crossbar *crossbar)
{
    free(crossbar->inputs);
    free(crossbar->outputs);
    free(crossbar->matched);
    free(crossbar->waiting);
}

void crossbar_head(Crossbar *crossbar, unsigned input, CrossbarHead head)
{
    CrossbarInput *in = &crossbar->inputs[input];
    in->ready = head.ready > in->free ? head.ready : in->free;
    in->complete = head.complete;
    in->output = head.output;
    in->hold = head.hold;
    crossbar->waiting[input / 64] |= UINT64_C(1) << input % 64;
}

void crossbar_empty(Crossbar *crossbar, unsigned input)
{
    crossbar->waiting[input / 64] &= ~(UINT64_C(1) << input % 64);
}

void crossbar_close(Crossbar *crossbar, unsigned output)
{
    crossbar->outputs[output].closed = true;
}

void crossbar_open(Crossbar *crossbar, unsigned output, uint64_t step)
{
    CrossbarOutput *out = &crossbar->outputs[output];
    out->closed = false;
    if (out->free < step) out->free = step;
}

// Runs its statement for each input whose queue is not empty, in ascending order.
#define EACH_WAITING(crossbar, i)                                                                  \
    for (uint32_t w_ = 0; w_ < (crossbar)->words; w_++)                                            \
        for (uint64_t bits_ = (crossbar)->waiting[w_], i;                                          \
             bits_ && (i = w_ * 64 + (uint32_t)__builtin_ctzll(bits_), true); bits_ &= bits_ - 1)

uint64_t crossbar_next(const Crossbar *crossbar)
{
    uint64_t next = UINT64_MAX;
    EACH_WAITING(crossbar, i) {
        const CrossbarInput *in = &crossbar->inputs[i];
        const CrossbarOutput *out = &crossbar->outputs[in->output];
        if (out->closed) continue;
        uint64_t free = out->free;
        uint64_t at = in->ready > free ? in->ready : free;
        if (at < next) next = at;
    }
    return next;
}

// Distance of the input from the one with the highest priority.
static uint64_t distance(const Crossbar *crossbar, uint64_t input, uint64_t turn)
{
    return input >= turn ? input - turn : input + crossbar->input_count - turn;
}

unsigned crossbar_step(Crossbar *crossbar, uint64_t step)
{
    EACH_WAITING(crossbar, i) {
        const CrossbarInput *in = &crossbar->inputs[i];
        CrossbarOutput *out = &crossbar->outputs[in->output];
        if (in->ready > step || out->free > step || out->closed) continue;
        if (out->chosen == NONE ||
            distance(crossbar, i, out->turn) < distance(crossbar, out->chosen, out->turn))
            out->chosen = (uint32_t)i;
    }
    unsigned count = 0;
    EACH_WAITING(crossbar, i) {
        CrossbarInput *in = &crossbar->inputs[i];
        CrossbarOutput *out = &crossbar->outputs[in->output];
        if (out->chosen != i) continue;
        crossbar->matched[count++] = (uint32_t)i;
        in->free = step + in->hold;
        if (in->free < in->complete) in->free = in->complete;
        out->free = in->free;
        out->turn = i + 1 < crossbar->input_count ? (uint32_t)i + 1 : 0;
        out->chosen = NONE;
    }
    return count;
}
