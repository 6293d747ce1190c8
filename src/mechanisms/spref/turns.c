// Counts the turns that the lanes of a warp have left in a loop.
#include "turns.h"

unsigned count_of(const TurnCounts *counts, unsigned lane)
{
    return (lane < 16 ? counts->low >> 4 * lane : counts->high >> 4 * (lane - 16)) & 15;
}

void set_count(TurnCounts *counts, unsigned lane, unsigned count)
{
    uint64_t *half = lane < 16 ? &counts->low : &counts->high;
    unsigned shift = 4 * (lane % 16);
    *half = (*half & ~(UINT64_C(15) << shift)) | (uint64_t)count << shift;
}

unsigned turns_left(const HdInstruction *test, const HdLoop *loop, int64_t step, int64_t index,
                    int64_t bound)
{
    static const uint8_t inverse[] = {[HD_EQ] = HD_NE, [HD_NE] = HD_EQ, [HD_LT] = HD_GE,
                                      [HD_LE] = HD_GT, [HD_GT] = HD_LE, [HD_GE] = HD_LT};
    static const uint8_t swapped[] = {[HD_EQ] = HD_EQ, [HD_NE] = HD_NE, [HD_LT] = HD_GT,
                                      [HD_LE] = HD_GE, [HD_GT] = HD_LT, [HD_GE] = HD_LE};
    unsigned compare = test->compare;
    if (loop->index == 1) compare = swapped[compare];
    if (!loop->continues) compare = inverse[compare];
    if (compare == HD_EQ) return index == bound;
    bool down = compare == HD_GT || compare == HD_GE || (compare == HD_NE && step < 0);
    int64_t left, each = down ? -step : step;
    if (__builtin_sub_overflow(down ? index : bound, down ? bound : index, &left) ||
        left == INT64_MAX)
        return MAX_COUNT;
    if (compare == HD_LE || compare == HD_GE) left++;
    if (compare == HD_NE && (left < 0 || left % each)) return MAX_COUNT;
    if (left <= 0) return 0;
    if (each < 0) return MAX_COUNT;
    int64_t turns = left / each + (left % each != 0);
    return turns < MAX_COUNT ? (unsigned)turns : MAX_COUNT;
}

int64_t test_value(const HdInstruction *test, unsigned source, int64_t value)
{
    if (test->source[source].bytes == 8) return value;
    return test->is_signed ? (int32_t)value : (int64_t)(uint32_t)value;
}
