// Workloads that caches serve well (cache-friendly in khairy2015): answers derived by hand, sizes
// that fit no block, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Keys 0 to 14 and 16 to 20, whose records are three times their places. Of the queries 0 to 20 and
// 0, all but 15 are found: 3 * (0 + 1 + ... + 19) is 570. Nodes of two: 10 leaves, then 5, 3, 2, 1.
static void test_btree(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "btree",
                        .parameters = {"keys=20", "queries=22", "order=4", "seed=0"}},
                 (const CellAnswer[]){{"found", 21, 0}, {"sum", 570, 0}, {"levels", 5, 0}, {0}});
}

// Inputs 1 (the bias), 1, 2 and 3; weights and their last changes 0, 1/256, ..., 4/256 repeated, 17
// of each to an input; errors of the hidden units 1, 2, 3, 4, 0 repeated.
static void test_backprop(void **state)
{
    (void)state;
    static const double input[] = {1, 1, 2, 3};
    double sum = 0;
    for (int at = 0; at < 4 * 17; at++) {
        int hidden = at % 17;
        double x = 0;
        for (int i = 0; i < 4; i++) x += input[i] * ((i * 17 + hidden) % 5) / 256;
        double delta = hidden ? 0.5 * (hidden % 5) / ((1 + x) * (1 + x)) : 0;
        double before = at % 5 / 256.;
        sum += before + (hidden ? 0.3 * delta * input[at / 17] + 0.3 * before : 0);
    }
    static const uint32_t blocks[] = {16, 32, 48, 256, 1024};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        cell_answers((Cell){.workload = "backprop", .block = blocks[b],
                            .parameters = {"inputs=3", "seed=0"}},
                     (const CellAnswer[]){{"sum", sum, 1e-5}, {0}});
}

// With numbers of one sign every sum is so great that each neuron is at its limit.
static void test_neuralnet(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "neuralnet", .parameters = {"digits=1", "seed=0"}},
                 (const CellAnswer[]){{"sum", 10. * 1.7159f, 1e-12}, {"greatest", 1.7159f, 0},
                                      {0}});
}

// Philox4x32-10 makes 6627e8d5 e169c58d bc57ac4c 9b00dbd8 of counter 0 and key 0 (Random123's known
// answers): the points (0.399, 0.881) and (0.736, 0.606), both in the circle.
static void test_pi(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "pi", .parameters = {"points=2", "threads=1", "seed=0"}},
                 (const CellAnswer[]){{"inside", 2, 0}, {0}});
    cell_answers((Cell){.workload = "pi", .parameters = {"points=20000", "threads=2000"}},
                 (const CellAnswer[]){{"pi", 3.1416, 0.05}, {0}}); // four standard deviations
}

// xorwow makes 246875399, 3690007200, 1264581005, 3906711041 of Marsaglia's own words: the points
// (0.057, 0.859), (0.294, 0.910), (0.435, 0.578), (0.574, 0.373), and outside (0.851, 0.833). With
// more threads each has a part of its own.
static void test_pi_published(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "pi", .implementation = "published",
                        .parameters = {"points=5", "threads=1", "seed=0"}},
                 (const CellAnswer[]){{"inside", 4, 0}, {0}});
    cell_answers((Cell){.workload = "pi", .implementation = "published",
                        .parameters = {"points=6000", "threads=100"}},
                 (const CellAnswer[]){{"pi", 3.1416, 0.085}, {0}}); // four standard deviations
}

// Sizes that no block fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "btree", .block = 35, .parameters = {"keys=5000", "queries=99", "order=77"}},
        {.workload = "btree", .block = 1, .parameters = {"keys=99", "queries=9", "order=5"}},
        {.workload = "btree", .parameters = {"keys=1", "queries=1"}},
        {.workload = "backprop", .block = 112, .parameters = {"inputs=333"}},
        {.workload = "backprop", .block = 16, .parameters = {"inputs=5"}},
        {.workload = "backprop", .parameters = {"inputs=1"}},
        {.workload = "neuralnet", .block = 35, .parameters = {"digits=2"}},
        {.workload = "neuralnet", .block = 1, .parameters = {"digits=1"}},
        {.workload = "pi", .block = 35, .parameters = {"points=3333", "threads=99"}},
        {.workload = "pi", .block = 1, .parameters = {"points=7", "threads=9"}},
        {.workload = "pi", .implementation = "published", .block = 64,
         .parameters = {"points=333", "threads=99"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

// Blocks that are not whole rows of hidden units.
static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "backprop", .block = 40},
         "blocks of 40 threads are not whole rows of 16 hidden units: expected --block to be a "
         "multiple of 16 for this workload"},
        {{.workload = "pi", .implementation = "published", .block = 96},
         "blocks of 96 threads cannot be halved to one: expected --block to be a power of two for "
         "this implementation"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong, one way each: a child whose keys are too great; the record of a greater
// key; products that are sums; sums that take only the greatest part; sums of the first rows alone;
// another rate; windows that read a neuron twice; another power; coordinates that are not squared;
// coordinates that are halved.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "btree", .parameters = {"keys=5000", "queries=50", "order=16"},
          .replace = "setp.gt.s32", .with = "setp.lt.s32"}, "answer["},
        {{.workload = "btree", .parameters = {"keys=5000", "queries=50", "order=16"},
          .replace = "setp.ne.s32", .with = "setp.lt.s32"}, "answer["},
        {{.workload = "backprop", .parameters = {"inputs=300"},
          .replace = "\tmul.f32", .with = "\tadd.f32"}, "weight["},
        {{.workload = "backprop", .parameters = {"inputs=300"},
          .replace = "\tadd.f32", .with = "\tmax.f32"}, "weight["},
        {{.workload = "backprop", .block = 16, .parameters = {"inputs=300"},
          .replace = "setp.lt.u32", .with = "setp.gt.u32"}, "partial["},
        {{.workload = "backprop", .parameters = {"inputs=300"},
          .replace = "0f3E99999A", .with = "0f3E800000"}, "change["},
        {{.workload = "neuralnet", .parameters = {"digits=1"},
          .replace = "120, 0, 0, 0}", .with = "119, 0, 0, 0}"}, "neuron1["},
        {{.workload = "neuralnet", .parameters = {"digits=1"},
          .replace = "56, 0, 0, 0}", .with = "55, 0, 0, 0}"}, "neuron2["},
        {{.workload = "neuralnet", .parameters = {"digits=1"},
          .replace = "0f3FF6384F", .with = "0f3FF70000"}, "neuron1["},
        {{.workload = "pi", .parameters = {"points=1000", "threads=500"},
          .replace = "mul.rn.f32", .with = "add.rn.f32"}, "count[0] is "},
        {{.workload = "pi", .parameters = {"points=1000", "threads=500"},
          .replace = "0f33800000", .with = "0f33000000"}, "count[0] is 256: "},
    };
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_btree),
        cmocka_unit_test(test_backprop),
        cmocka_unit_test(test_neuralnet),
        cmocka_unit_test(test_pi),
        cmocka_unit_test(test_pi_published),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("friendly", tests, NULL, NULL);
}
