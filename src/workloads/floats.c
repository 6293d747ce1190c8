// Arrays of floats, drawn and checked.
#include "workloads/floats.h"

#include "base/random.h"

// Stream number of these draws (base/random.h).
enum { RANDOM_USER_FLOATS = 0x464c4f54 };

float *floats_draw(Program *program, uint64_t seed, uint32_t which, uint64_t count)
{
    float *values = program_scratch(program, count, sizeof *values);
    for (uint64_t i = 0; values && i < count; i++) {
        uint64_t bits = random_draw(seed, RANDOM_USER_FLOATS, which, i);
        values[i] = seed ? (float)(bits >> 40) * 0x1p-23f - 1 : (float)(i % 5);
    }
    return values;
}

float *floats_array(Program *program, uint64_t seed, uint32_t which, const char *name,
                    uint64_t count, HdAddress *array)
{
    float *values = floats_draw(program, seed, which, count);
    *array = program_array(program, name, values, count * sizeof *values);
    return values;
}

void floats_scale(float *values, uint64_t count, float scale, float offset)
{
    for (uint64_t i = 0; values && i < count; i++) values[i] = values[i] * scale + offset;
}

uint64_t floats_cells(Program *program, const char *name, uint32_t rows, uint32_t columns)
{
    uint64_t cells = (uint64_t)rows * columns;
    if (cells <= INT32_MAX) return cells;
    program_fail(program, "%s has %u by %u numbers: expected at most %d, because kernels' "
                          "indices have 31 bits", name, rows, columns, INT32_MAX);
    return 0;
}

void floats_check(Program *program, const char *name, uint64_t index, float got, FloatSum expected,
                  double count)
{
    bounded_check(program, name, index, got, float_sum_bounded(expected, count));
}

void floats_answer(Program *program, const float *values, uint64_t count)
{
    if (!program->ok || !count) return;
    double sum = 0;
    uint64_t greatest = 0;
    for (uint64_t i = 0; i < count; i++) {
        sum += values[i];
        if (values[i] > values[greatest]) greatest = i;
    }
    program_answer_real(program, "sum", sum);
    program_answer_real(program, "greatest", values[greatest]);
    program_answer(program, "greatest_at", greatest);
}
