// Graphs: built, captured, launched repeatedly, changed.
#include "graph_calls.h"

// *to = *to * 10 + digit: shows the order of execution.
static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .entry digit(.param .u64 to, .param .u32 digit)\n"
    "{\n"
    "    .reg .b64 %p;\n"
    "    .reg .b32 %d, %x;\n"
    "    ld.param.u64 %p, [to];\n"
    "    ld.param.u32 %d, [digit];\n"
    "    ld.global.u32 %x, [%p];\n"
    "    mad.lo.u32 %x, %x, 10, %d;\n"
    "    st.global.u32 [%p], %x;\n"
    "    ret;\n"
    "}\n";
static const char digit;
static void *word;

static int start(void **state)
{
    (void)state;
    program_kernel(program_register(ptx), &digit, "digit");
    return cudaMalloc(&word, 4);
}

static void launch(CudaStream stream, uint32_t which)
{
    OK(cudaLaunchKernel(&digit, (CudaDim3){1, 1, 1}, (CudaDim3){1, 1, 1},
                        (void *[]){&word, &which}, 0, stream));
}

static uint32_t value(void)
{
    uint32_t got = 0;
    OK(cudaMemcpy(&got, word, 4, CUDA_DEVICE_TO_HOST));
    return got;
}

static void clear(void) { OK(cudaMemsetAsync(word, 0, 4, NULL)); }

static CudaKernelNode kernel(uint32_t *which, void *arguments[2])
{
    arguments[0] = &word;
    arguments[1] = which;
    return (CudaKernelNode){&digit, {1, 1, 1}, {1, 1, 1}, 0, arguments, NULL};
}

static GraphNode *add_digit(Graph *graph, GraphNode *after, uint32_t which)
{
    void *arguments[2];
    CudaKernelNode node = kernel(&which, arguments);
    GraphNode *made = NULL;
    OK(cudaGraphAddKernelNode(&made, graph, &after, after ? 1 : 0, &node));
    return made;
}

static void add_edge(Graph *graph, GraphNode *from, GraphNode *to)
{
    if (cudart_version < 13000)
        OK(cudaGraphAddDependencies(graph, &from, &to, 1, 0));
    else
        OK(cudaGraphAddDependencies(graph, &from, &to, 0, 1));
}

static void count(void *calls) { ++*(int *)calls; }

// Work that is captured runs at each launch of the graph, and not during the capture.
static void test_capture(void **state)
{
    (void)state;
    CudaStream a, b;
    CudaEvent fork, join;
    Graph *graph;
    GraphExec *exec;
    int status, calls = 0;
    uint32_t got = 99;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, 0));
    FAILS(cudaErrorIllegalState, cudaStreamEndCapture(a, &graph));
    clear();
    OK(cudaStreamBeginCapture(a, 0));
    FAILS(cudaErrorIllegalState, cudaStreamBeginCapture(a, 0));
    OK(cudaStreamIsCapturing(a, &status));
    assert_int_equal(status, 1);
    launch(a, 1);
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    launch(b, 2);
    launch(NULL, 7); // not captured
    OK(cudaEventRecord(join, b));
    OK(cudaStreamWaitEvent(a, join, 0));
    OK(cudaLaunchHostFunc(a, count, &calls));
    OK(cudaMemcpyAsync(&got, word, 4, CUDA_DEVICE_TO_HOST, a));
    OK(cudaMemsetAsync(word, 0, 4, a));
    FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(a));
    FAILS(cudaErrorCapturedEvent, cudaEventSynchronize(join));
    FAILS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(b, &graph));
    OK(cudaStreamEndCapture(a, &graph));
    OK(cudaStreamIsCapturing(b, &status));
    assert_int_equal(status, 0);
    assert_int_equal(value(), 7);
    assert_int_equal(got, 99);
    assert_int_equal(calls, 0);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, a));
    assert_int_equal(got, 712);
    assert_int_equal(value(), 0);
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(got, 12);
    assert_int_equal(calls, 2);
    OK(cudaGraphDestroy(graph)); // the executable graph stays valid
    OK(cudaGraphLaunch(exec, a));
    assert_int_equal(calls, 3);
    OK(cudaGraphExecDestroy(exec));
    FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, a));
    FAILS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
    // The stream is destroyed during its capture.
    OK(cudaStreamBeginCapture(a, 0));
    launch(a, 1);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
}

// Nodes run in topological order, for any order in which they were added.
static void test_order(void **state)
{
    (void)state;
    Graph *graph, *clone;
    GraphExec *exec;
    OK(cudaGraphCreate(&graph, 0));
    GraphNode *three = add_digit(graph, NULL, 3), *four = add_digit(graph, three, 4),
              *one = add_digit(graph, NULL, 1), *two = add_digit(graph, one, 2);
    add_edge(graph, two, three);
    GraphNode *nodes[5] = {(GraphNode *)1, NULL, NULL, NULL, (GraphNode *)1}, *to[5];
    size_t n = 0;
    OK(cudaGraphGetNodes(graph, NULL, &n));
    assert_int_equal(n, 4);
    n = 5;
    OK(cudaGraphGetNodes(graph, nodes, &n));
    assert_int_equal(n, 4);
    assert_ptr_equal(nodes[0], three);
    assert_null(nodes[4]);
    OK(cudaGraphGetRootNodes(graph, nodes, &n));
    assert_int_equal(n, 1);
    assert_ptr_equal(nodes[0], one);
    n = 5;
    OK(cudaGraphGetEdges(graph, nodes, to, cudart_version < 13000 ? &n : NULL, &n));
    assert_int_equal(n, 3);
    assert_ptr_equal(nodes[2], two);
    assert_ptr_equal(to[2], three);
    clear();
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphInstantiate(&exec, clone, 0));
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(value(), 1234);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroyNode(three)); // node 4 then depends on no node
    OK(cudaGraphInstantiate(&exec, graph, 0));
    clear();
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(value(), 412);
    add_edge(graph, two, four);
    add_edge(graph, four, one);
    GraphExec *round = NULL;
    FAILS(cudaErrorInvalidValue, cudaGraphInstantiate(&round, graph, 0));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
    FAILS(cudaErrorInvalidValue, cudaGraphNodeGetType(one, &(int){0}));
}

// A fill of elements, a copy, a child graph.
static void test_nodes(void **state)
{
    (void)state;
    enum { WIDTH = 3, HEIGHT = 2, PITCH = 16 };
    Graph *inner, *outer;
    GraphNode *fill, *copy, *child, *empty;
    GraphExec *exec;
    int type;
    uint16_t got[HEIGHT][PITCH / 2] = {{0}};
    void *rows;
    OK(cudaMalloc(&rows, sizeof got));
    OK(cudaMemcpy(rows, got, sizeof got, CUDA_HOST_TO_DEVICE));
    OK(cudaGraphCreate(&inner, 0));
    OK(cudaGraphCreate(&outer, 0));
    CudaFillNode how = {rows, PITCH, 0x1234, 2, WIDTH, HEIGHT};
    OK(cudaGraphAddMemsetNode(&fill, inner, NULL, 0, &how));
    OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, inner));
    OK(cudaGraphAddEmptyNode(&empty, outer, &child, 1));
    OK(cudaGraphAddMemcpyNode1D(&copy, outer, &empty, 1, got, rows, sizeof got,
                                CUDA_DEVICE_TO_HOST));
    OK(cudaGraphNodeGetType(child, &type));
    assert_int_equal(type, NODE_GRAPH);
    how.element = 3;
    FAILS(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&fill, inner, NULL, 0, &how));
    FAILS(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&child, outer, NULL, 0, outer));
    FAILS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&empty, outer, &fill, 1)); // not in it
    OK(cudaGraphDestroy(inner));
    OK(cudaGraphInstantiate(&exec, outer, 0));
    OK(cudaGraphLaunch(exec, NULL));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < PITCH / 2; x++)
            assert_int_equal(got[y][x], x < WIDTH ? 0x1234 : 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(outer));
    OK(cudaFree(rows));
}

static void test_changes(void **state)
{
    (void)state;
    Graph *graph, *other;
    GraphExec *exec;
    CudaKernelNode got;
    uint32_t which = 5;
    void *arguments[2];
    OK(cudaGraphCreate(&graph, 0));
    GraphNode *one = add_digit(graph, NULL, 1), *two = add_digit(graph, one, 2);
    OK(cudaGraphKernelNodeGetParams(two, &got));
    assert_ptr_equal(got.function, &digit);
    assert_int_equal(*(uint32_t *)got.arguments[1], 2);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    CudaKernelNode change = kernel(&which, arguments);
    OK(cudaGraphExecKernelNodeSetParams(exec, one, &change));
    clear();
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(value(), 52);
    OK(cudaGraphNodeSetEnabled(exec, one, 0));
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(value(), 522);
    OK(cudaGraphNodeSetEnabled(exec, one, 1));
    struct {
        int result;
        void *nodes[2];
    } seen = {9, {NULL, NULL}};
    OK(cudaGraphCreate(&other, 0));
    GraphNode *eight = add_digit(other, NULL, 8);
    FAILS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, &seen, NULL));
    assert_int_equal(seen.result, 2);
    add_digit(other, eight, 9);
    OK(cudaGraphExecUpdate(exec, other, &seen, NULL));
    assert_int_equal(seen.result, 0);
    clear();
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(value(), 89);
    OK(cudaGraphExecKernelNodeSetParams(exec, one, &change)); // the original node identifies it
    clear();
    OK(cudaGraphLaunch(exec, NULL));
    assert_int_equal(value(), 59);
    FAILS(cudaErrorNotSupported, cudaGraphDebugDotPrint());
    FAILS(cudaErrorNotSupported, cudaGetLastError());
    OK(cudaDeviceReset());
    FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, NULL));
    FAILS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}

// Time in us of a graph of `count` kernels in a row.
static double measured(unsigned count)
{
    CudaEvent begin, end;
    CudaStream stream;
    Graph *graph;
    GraphExec *exec;
    float milliseconds;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamBeginCapture(stream, 0));
    for (unsigned i = 0; i < count; i++) launch(stream, 1);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaGraphLaunch(exec, stream)); // fills the L2
    OK(cudaStreamSynchronize(stream));
    OK(cudaEventRecord(begin, stream));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaEventRecord(end, stream));
    OK(cudaEventElapsedTime(&milliseconds, begin, end));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    return milliseconds * 1e3;
}

// The host submits a graph once, in 1.83 us (volta-v100). Its kernels follow one another after
// 0.5 us.
static void test_time(void **state)
{
    (void)state;
    double kernel = measured(1) - 1.83, eleven = measured(11);
    assert_true(kernel > 0.1 && kernel < 1);
    double expected = 1.83 + 11 * kernel + 10 * 0.5;
    if (eleven < expected - 0.1 || eleven > expected + 0.1)
        fail_msg("%f us, not %f us", eleven, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capture),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_changes), // resets the device
    };
    return cmocka_run_group_tests_name("cudart graphs", tests, start, NULL);
}
