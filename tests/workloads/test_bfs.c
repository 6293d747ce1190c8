// Tests of the host programs on a device whose kernels are C functions.
#include "host_device.h"
#include "workloads/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// 0 -> 1, 2; 1 -> 3; 2 -> 3; 3 -> 4; 5 -> 0: levels 0 1 1 2 3 -1 from vertex 0.
static HdGraph *small_graph(void)
{
    static const HdEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {5, 0}};
    HdGraph *graph = hd_graph_build("small", 6, edges, 6, NULL);
    assert_non_null(graph);
    return graph;
}

// Runs an implementation of a workload and checks only that it ended.
static WorkloadResult run(HdDevice *device, const char *workload, const char *implementation,
                          const HdGraph *graph)
{
    HdError err = {0};
    const Workload *w = workload_find(workload, &err);
    const Implementation *i = workload_implementation(w, implementation, &err);
    WorkloadInput input = {.graph = graph, .block = 4};
    static const char *const elements[] = {"elements=1000"};
    WorkloadResult result;
    assert_non_null(i);
    assert_true(workload_parameters(w, elements, graph ? 0 : 1, &input, &err));
    if (!workload_run(w, i, device, &input, &result, &err)) fail_msg("%s", err.text);
    return result;
}

static void assert_work(const WorkCounters *work, uint64_t active, uint64_t edges)
{
    assert_int_equal(work->active_vertices, active);
    assert_int_equal(work->edges, edges);
}

static void check_topology(const char *implementation, const char *arrays)
{
    HdGraph *graph = small_graph();
    HdDevice *device = host_device_open(32, FAULT_NONE);
    WorkloadResult r = run(device, "bfs", implementation, graph);
    assert_true(r.verified);
    assert_int_equal(workload_count(&r, "reached"), 5);
    assert_int_equal(workload_count(&r, "depth"), 3);
    assert_string_equal(host_device_arrays(device), arrays);
    // Levels 0..3, the last of which finds nothing new; expand and update each.
    assert_int_equal(r.launch_count, 8);
    assert_int_equal(hd_launch_count(device), 8);
    assert_work(&r.launches[0], 1, 2); // vertex 0
    assert_work(&r.launches[1], 2, 0); // 1 and 2 found
    assert_work(&r.launches[2], 2, 2);
    assert_work(&r.launches[3], 1, 0);
    assert_work(&r.launches[6], 1, 0); // vertex 4 has no edges
    assert_work(&r.launches[7], 0, 0);
    assert_int_equal(host_device_last(device)->grid[0], 2); // 6 vertices, blocks of 4
    workload_result_free(&r);
    hd_device_close(device);
    hd_graph_free(graph);
}

static void test_topology(void **state)
{
    (void)state;
    static const char words[] = "offsets,edges,level,again,frontier,visited,next,";
    check_topology("topology", words);
    check_topology("reference-topo", words);
    static const char bytes[] = "rows,edges,level,again,frontier,visited,next,";
    check_topology("hipc", bytes);
    check_topology("hipc-tagged", bytes);
}

static void check_warp(const char *implementation, unsigned width, uint32_t blocks)
{
    HdGraph *graph = small_graph();
    HdDevice *device = host_device_open(width, FAULT_NONE);
    WorkloadResult r = run(device, "bfs", implementation, graph);
    assert_true(r.verified);
    assert_int_equal(workload_count(&r, "reached"), 5);
    assert_string_equal(host_device_arrays(device), "offsets,edges,level,again,");
    assert_int_equal(r.launch_count, 4);
    assert_work(&r.launches[1], 2, 2);
    assert_int_equal(host_device_last(device)->grid[0], blocks);
    workload_result_free(&r);
    hd_device_close(device);
    hd_graph_free(graph);
}

static void test_warp(void **state)
{
    (void)state;
    check_warp("warp", 32, 8); // 1 chunk of up to 32 vertices: 32 lanes / 4 threads
    check_warp("warp", 8, 2);
    check_warp("reference-warp", 32, 48); // 6 vertices x 32 lanes / 4 threads
}

static void test_wrong_answers(void **state)
{
    (void)state;
    HdGraph *graph = small_graph();
    static const struct {
        HostFault fault;
        const char *mismatch;
    } faults[] = {
        {FAULT_LEVEL, "vertex 1 has level 2: expected 1"},
        {FAULT_LOST_EDGE, "vertex 2 has level -1: expected 1"},
    };
    for (size_t i = 0; i < 2; i++) {
        HdDevice *device = host_device_open(32, faults[i].fault);
        WorkloadResult r = run(device, "bfs", NULL, graph);
        assert_false(r.verified);
        assert_string_equal(r.mismatch, faults[i].mismatch);
        workload_result_free(&r);
        hd_device_close(device);
    }
    hd_graph_free(graph);
}

// The host must end if a kernel always requests another level.
static void test_endless(void **state)
{
    (void)state;
    HdGraph *graph = small_graph();
    HdDevice *device = host_device_open(32, FAULT_ENDLESS);
    WorkloadResult r = run(device, "bfs", NULL, graph);
    assert_int_equal(r.launch_count, 12); // as many levels as vertices
    workload_result_free(&r);
    hd_device_close(device);
    hd_graph_free(graph);
}

static void test_generated_graph(void **state)
{
    (void)state;
    HdGraph *graph = hd_graph_open("rmat:10,8,seed=3", NULL, NULL);
    assert_non_null(graph);
    static const char *const names[] = {"topology", "warp", "reference-topo", "reference-warp",
                                        "hipc", "hipc-tagged", "hipc-warp"};
    uint64_t reached = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        HdDevice *device = host_device_open(32, FAULT_NONE);
        WorkloadResult r = run(device, "bfs", names[i], graph);
        assert_true(r.verified);
        assert_true(workload_count(&r, "reached") > 100);
        if (i) assert_int_equal(workload_count(&r, "reached"), reached);
        reached = workload_count(&r, "reached");
        workload_result_free(&r);
        hd_device_close(device);
    }
    hd_graph_free(graph);
}

static void test_stream(void **state)
{
    (void)state;
    HdDevice *device = host_device_open(32, FAULT_NONE);
    WorkloadResult r = run(device, "stream", NULL, NULL);
    assert_true(r.verified);
    assert_int_equal(workload_count(&r, "copied"), 1000);
    assert_string_equal(host_device_arrays(device), "in,out,");
    workload_result_free(&r);
    hd_device_close(device);
    device = host_device_open(32, FAULT_LOST_EDGE);
    r = run(device, "stream", NULL, NULL);
    assert_false(r.verified);
    assert_string_equal(r.mismatch, "element 77 is 0x00000000: expected 0x3f80004d");
    workload_result_free(&r);
    hd_device_close(device);
}

static void test_bad_input(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraph *graph = small_graph();
    HdDevice *device = host_device_open(32, FAULT_NONE);
    const Workload *w = workload_find("bfs", &err);
    WorkloadInput input = {.graph = graph, .source = 6, .block = 256};
    WorkloadResult r;
    assert_false(workload_run(w, w->implementations, device, &input, &r, &err));
    assert_string_equal(err.text, "source 6 is not a vertex of graph small: expected 0 to 5");
    assert_null(workload_find("bsf", &err));
    assert_non_null(strstr(err.text, "there is no workload 'bsf': expected one of bfs, "));
    assert_null(workload_implementation(w, "wrap", &err));
    assert_non_null(strstr(err.text, "did you mean 'warp'?"));
    hd_device_close(device);
    hd_graph_free(graph);
}

// Indices of threads have 31 bits, including idle threads of the last block.
static void test_most_threads(void **state)
{
    (void)state;
    HdError err = {0};
    HdDevice *device = host_device_open(32, FAULT_NONE);
    for (uint32_t block = 1000; block <= 1024; block += 24) {
        WorkloadResult result = {0};
        Program program = program_begin(device, &(WorkloadInput){.block = block}, &result, &err);
        PROGRAM_LAUNCH(&program, "no_kernel", INT32_MAX, (WorkCounters){0}, hd_i32(0));
        assert_false(program_end(&program));
        // 2^21 blocks of 1,024 have indices 0 to 2^31 - 1: only the kernel is missing.
        assert_int_equal(strcmp(err.text, "kernel no_kernel needs 2147483647 threads: expected "
                                          "at most 2^31") == 0, block == 1000);
        workload_result_free(&result);
    }
    hd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_topology),        cmocka_unit_test(test_warp),
        cmocka_unit_test(test_wrong_answers),   cmocka_unit_test(test_endless),
        cmocka_unit_test(test_generated_graph), cmocka_unit_test(test_stream),
        cmocka_unit_test(test_bad_input),       cmocka_unit_test(test_most_threads),
    };
    return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
