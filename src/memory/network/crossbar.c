// The matching of an input-queued crossbar.
#include "memory/network/crossbar.h"
#include "base/memory.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

bool crossbar_init(Crossbar *crossbar, unsigned inputs, unsigned outputs)
{
    *crossbar = (Crossbar){
        .input_count = inputs, .output_count = outputs, .words = (inputs + 63) / 64};
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
    in->leaves = in->ready;
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

// The first step in which the input's head can leave; UINT64_MAX: its output is closed.
static inline uint64_t leaves_at(const Crossbar *crossbar, uint64_t input)
{
    const CrossbarInput *in = &crossbar->inputs[input];
    const CrossbarOutput *out = &crossbar->outputs[in->output];
    if (out->closed) return UINT64_MAX;
    return in->ready > out->free ? in->ready : out->free;
}

uint64_t crossbar_next(const Crossbar *crossbar)
{
    uint64_t next = UINT64_MAX;
    EACH_WAITING(crossbar, i) {
        uint64_t at = leaves_at(crossbar, i);
        if (at < next) next = at;
    }
    return next;
}

// Distance of the input from the one with the highest priority.
static uint64_t distance(const Crossbar *crossbar, uint64_t input, uint64_t turn)
{
    return input >= turn ? input - turn : input + crossbar->input_count - turn;
}

// Proposes the input's head to its output, which keeps the first one in its turn.
static inline void propose(Crossbar *crossbar, uint64_t input)
{
    CrossbarOutput *out = &crossbar->outputs[crossbar->inputs[input].output];
    if (out->chosen == NONE ||
        distance(crossbar, input, out->turn) < distance(crossbar, out->chosen, out->turn))
        out->chosen = (uint32_t)input;
}

static uint32_t turn_behind(const Crossbar *crossbar, uint64_t input)
{
    return input + 1 < crossbar->input_count ? (uint32_t)input + 1 : 0;
}

bool crossbar_step_in_turn(Crossbar *crossbar, uint64_t step, CrossbarPass *pass, void *context)
{
    EACH_WAITING(crossbar, i)
        if (leaves_at(crossbar, i) <= step) propose(crossbar, i);
    bool ok = true;
    for (uint32_t o = 0; o < crossbar->output_count; o++) {
        CrossbarOutput *out = &crossbar->outputs[o];
        uint32_t i = out->chosen;
        if (i == NONE) continue;
        CrossbarInput *in = &crossbar->inputs[i];
        out->free = step + in->hold;
        out->turn = turn_behind(crossbar, i);
        out->chosen = NONE;
        in->free = step;
        ok = pass(context, i, step) && ok;
        if (!crossbar_has_head(crossbar, i)) continue;
        if (in->output > o) {
            if (leaves_at(crossbar, i) <= step) propose(crossbar, i);
        } else if (in->ready == step) {
            in->ready++;
        }
    }
    return ok;
}

unsigned crossbar_step(Crossbar *crossbar, uint64_t before, uint64_t *step)
{
    if (!before) return 0;
    uint64_t soonest = before - 1;
    uint32_t *matched = crossbar->matched;
    unsigned proposed = 0, count = 0;
    EACH_WAITING(crossbar, i) {
        CrossbarInput *in = &crossbar->inputs[i];
        if (in->leaves > soonest) continue;
        uint64_t at = leaves_at(crossbar, i);
        if (at > soonest) {
            if (at != UINT64_MAX) in->leaves = at;
            continue;
        }
        if (at < soonest) proposed = 0;
        soonest = at;
        matched[proposed++] = (uint32_t)i;
    }
    *step = soonest;
    for (unsigned k = 0; k < proposed; k++) propose(crossbar, matched[k]);
    for (unsigned k = 0; k < proposed; k++) {
        uint32_t i = matched[k];
        CrossbarInput *in = &crossbar->inputs[i];
        CrossbarOutput *out = &crossbar->outputs[in->output];
        if (out->chosen != i) continue;
        matched[count++] = i;
        in->free = soonest + in->hold;
        if (in->free < in->complete) in->free = in->complete;
        out->free = in->free;
        out->turn = turn_behind(crossbar, i);
        out->chosen = NONE;
    }
    return count;
}
