// The implementations `scalar` and `pannotia-scalar`: how many of their instructions are scalar,
// and answers with waves.
#include "cell.h"

#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Name {
    const char *workload, *implementation;
} Name;
static const Name names[] = {
    {"pagerank", "scalar"}, {"bfs", "scalar"}, {"bc", "scalar"}, {"colouring", "scalar"},
    {"pagerank", "pannotia-scalar"}, {"bc", "pannotia-scalar"}, {"colouring", "pannotia-scalar"}};
enum { NAMES = sizeof names / sizeof *names };

// Instructions of a kernel, and the scalar ones, with the distribution's clang 14.
typedef struct Kernel {
    const char *workload, *implementation, *name;
    unsigned scalar, all;
} Kernel;

static const Kernel kernels[] = {
    {"pagerank", "scalar", "pagerank_scalar", 25, 39},
    {"bfs", "scalar", "bfs_scalar", 37, 61},
    {"bc", "scalar", "bc_forward_scalar", 35, 63},
    {"bc", "scalar", "bc_backward_scalar", 46, 91},
    {"colouring", "scalar", "colouring_scalar", 51, 98},
    {"pagerank", "pannotia-scalar", "pagerank_push_cas_scalar", 25, 46},
    {"bc", "pannotia-scalar", "bc_forward_cas_scalar", 34, 68},
    {"bc", "pannotia-scalar", "bc_backward_push_scalar", 44, 78},
    {"colouring", "pannotia-scalar", "colouring_extremes_scalar", 53, 109},
};

// Another compiler may arrange a kernel in another way: a tenth fewer are enough.
static void test_scalar_instructions(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        HdError err = {0};
        const Workload *w = workload_find(kernels[k].workload, &err);
        const Implementation *i =
            w ? workload_implementation(w, kernels[k].implementation, &err) : NULL;
        PtxModule *m = i ? ptx_parse(i->ptx, i->ptx_name, &err) : NULL;
        const PtxFunction *f = m ? ptx_find_kernel(m, kernels[k].name, &err) : NULL;
        if (!f) fail_msg("%s", err.text);
        unsigned count = 0;
        for (uint32_t at = 0; at < f->op_count; at++) count += f->timing[at].scalar;
        if (count * kernels[k].all * 10 < f->op_count * kernels[k].scalar * 9)
            fail_msg("%s: %u of %u instructions are scalar, not %u of %u", kernels[k].name, count,
                     f->op_count, kernels[k].scalar, kernels[k].all);
        ptx_free(m);
    }
}

// Hubs, loops, repeated edges and vertices without edges; a long search.
static void test_waves(void **state)
{
    (void)state;
    static const char *const graphs[] = {"rmat:8,6", "grid:12x5"};
    static const char *const modes[] = {"scalar.mode=execute", "scalar.mode=waves"};
    HdError err = {0};
    const HdGraphOptions options = {.symmetrize = true};
    for (size_t g = 0; g < 2; g++) {
        HdGraph *graph = hd_graph_open(graphs[g], &options, &err);
        if (!graph) fail_msg("%s", err.text);
        for (size_t at = 0; at < 2 * NAMES; at++) {
            const Name *name = &names[at / 2];
            Cell cell = {.workload = name->workload, .implementation = name->implementation,
                         .graph = graph, .block = 96, .set = {NULL, modes[at % 2]}};
            cell_at_widths(cell);
            cell.set[0] = "core.width=8";
            cell.set[2] = "core.paired=true";
            WorkloadResult r = cell_verified(&cell);
            workload_result_free(&r);
        }
        hd_graph_free(graph);
    }
}

// Of a block that is not whole warps, a warp would lack the lanes for some edges.
static void test_block(void **state)
{
    (void)state;
    HdGraph *graph = cell_graph(3, (const HdEdge[]){{0, 1}, {1, 2}}, 2, true);
    for (size_t i = 0; i < NAMES; i++)
        cell_refused(&(Cell){.workload = names[i].workload, .graph = graph, .block = 100,
                             .implementation = names[i].implementation},
                     "blocks of 100 threads are not whole warps: expected --block to be a multiple "
                     "of 32");
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar_instructions),
        cmocka_unit_test(test_waves),
        cmocka_unit_test(test_block),
    };
    return cmocka_run_group_tests_name("scalar", tests, NULL, NULL);
}
