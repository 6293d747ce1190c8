// Graphs: built node by node, captured from two streams, with changed arguments, updated, nested,
// and with memory nodes. Each launch continues with the values of the launch before.
#include "check.h"

enum { COUNT = 1000 };

__global__ void step(float *values, float factor, float added)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) values[i] = values[i] * factor + added;
}

__global__ void sum_up(const float *values, double *sum)
{
    for (unsigned i = threadIdx.x; i < COUNT; i += blockDim.x) atomicAdd(sum, (double)values[i]);
}

static void count_call(void *data)
{
    ++*(int *)data;
}

struct Work {
    Buffer<float> values;
    Buffer<double> sum;
    double *answer;
    int calls;
    Work() : values(COUNT), sum(1), answer(0), calls(0)
    {
        CUDA(cudaMallocHost(&answer, sizeof *answer));
    }
    ~Work() { cudaFreeHost(answer); }
};

static cudaKernelNodeParams step_of(void **arguments)
{
    cudaKernelNodeParams p = {};
    p.func = (void *)step;
    p.gridDim = dim3(blocks_for(COUNT, 128));
    p.blockDim = dim3(128);
    p.kernelParams = arguments;
    return p;
}

// (step, fill) -> sum_up -> copy -> count_call
static cudaGraph_t by_hand(Work &work, cudaGraphNode_t *stepping, void **arguments)
{
    cudaGraph_t graph;
    cudaGraphNode_t first[2], summing, copying, calling;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaKernelNodeParams kernel = step_of(arguments);
    CUDA(cudaGraphAddKernelNode(&first[0], graph, NULL, 0, &kernel));
    cudaMemsetParams fill = {};
    fill.dst = work.sum.device;
    fill.elementSize = 4;
    fill.width = 2;
    fill.height = 1;
    CUDA(cudaGraphAddMemsetNode(&first[1], graph, NULL, 0, &fill));
    void *sums[] = {&work.values.device, &work.sum.device};
    kernel.func = (void *)sum_up;
    kernel.gridDim = dim3(1);
    kernel.kernelParams = sums;
    CUDA(cudaGraphAddKernelNode(&summing, graph, first, 2, &kernel));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(work.sum.device, sizeof(double), 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(work.answer, sizeof(double), 1, 1);
    copy.extent = make_cudaExtent(sizeof(double), 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaGraphAddMemcpyNode(&copying, graph, &summing, 1, &copy));
    cudaHostNodeParams call = {count_call, &work.calls};
    CUDA(cudaGraphAddHostNode(&calling, graph, &copying, 1, &call));
    *stepping = first[0];
    return graph;
}

static cudaGraph_t captured(Work &work, cudaStream_t stream, float factor)
{
    cudaStream_t beside;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    CUDA(cudaStreamCreate(&beside));
    CUDA(cudaEventCreate(&fork));
    CUDA(cudaEventCreate(&join));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaEventRecord(fork, stream));
    CUDA(cudaStreamWaitEvent(beside, fork));
    CUDA(cudaMemsetAsync(work.sum, 0, sizeof(double), beside));
    CUDA(cudaEventRecord(join, beside));
    step<<<blocks_for(COUNT, 128), 128, 0, stream>>>(work.values, factor, 0);
    CUDA(cudaStreamWaitEvent(stream, join));
    sum_up<<<1, 128, 0, stream>>>(work.values, work.sum);
    CUDA(cudaMemcpyAsync(work.answer, work.sum, sizeof(double), cudaMemcpyDeviceToHost, stream));
    CUDA(cudaLaunchHostFunc(stream, count_call, &work.calls));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaStreamDestroy(beside));
    return graph;
}

static int launched(Work &work, cudaGraphExec_t exec, cudaStream_t stream, double wanted)
{
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    if (*work.answer == wanted) return 0;
    printf("the sum is %g, not %g\n", *work.answer, wanted);
    return 1;
}

// Memory nodes of a capture. The graph runs twice, with the same result.
static int captured_memory(Work &work, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *values;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaMallocAsync(&values, COUNT * sizeof *values, stream));
    CUDA(cudaMemsetAsync(values, 0, COUNT * sizeof *values, stream));
    step<<<blocks_for(COUNT, 128), 128, 0, stream>>>(values, 1, 2);
    CUDA(cudaMemsetAsync(work.sum, 0, sizeof(double), stream));
    sum_up<<<1, 128, 0, stream>>>(values, work.sum);
    CUDA(cudaFreeAsync(values, stream));
    CUDA(cudaMemcpyAsync(work.answer, work.sum, sizeof(double), cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&exec, graph));
    int wrong = launched(work, exec, stream, 2 * COUNT);
    wrong += launched(work, exec, stream, 2 * COUNT);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    return wrong;
}

// Adds 4,096 bytes of memory and a memset of its ints to `value`.
static void add_memory(cudaGraph_t graph, int value, void **made, cudaGraphNode_t *filled)
{
    cudaGraphNode_t node;
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 4096;
    CUDA(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &memory));
    cudaMemsetParams fill = {};
    fill.dst = *made = memory.dptr;
    fill.value = value;
    fill.elementSize = 4;
    fill.width = 1024;
    fill.height = 1;
    CUDA(cudaGraphAddMemsetNode(filled, graph, &node, 1, &fill));
}

// Memory that the graph frees.
static int own_memory(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t filled, given_back;
    cudaGraphNodeType type;
    void *memory;
    CUDA(cudaGraphCreate(&graph, 0));
    add_memory(graph, 0, &memory, &filled);
    CUDA(cudaGraphAddMemFreeNode(&given_back, graph, &filled, 1, memory));
    CUDA(cudaGraphNodeGetType(given_back, &type));
    CUDA(cudaGraphInstantiate(&exec, graph));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    return type != cudaGraphNodeTypeMemFree;
}

// Memory that the program frees: each launch allocates it again.
static int lent_memory(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t filled;
    void *memory;
    int wrong = 0;
    CUDA(cudaGraphCreate(&graph, 0));
    add_memory(graph, 7, &memory, &filled);
    CUDA(cudaGraphInstantiate(&exec, graph));
    for (int i = 0; i < 2; i++) {
        int found[2];
        CUDA(cudaGraphLaunch(exec, stream));
        CUDA(cudaMemcpyAsync(found, memory, sizeof found, cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
        wrong += found[0] != 7 || found[1] != 7;
        if (i == 0) CUDA(cudaFree(memory));
        else CUDA(cudaFreeAsync(memory, stream));
    }
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    return wrong;
}

int main()
{
    Work work;
    cudaStream_t stream;
    cudaGraphNode_t stepping, nested;
    cudaGraphExec_t exec;
    int wrong = 0;
    CUDA(cudaStreamCreate(&stream));
    float factor = 2, added = 1;
    void *arguments[] = {&work.values.device, &factor, &added};
    cudaGraph_t graph = by_hand(work, &stepping, arguments), outer, twice;
    size_t nodes = 0, edges = 0;
    CUDA(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
    CUDA(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    wrong += launched(work, exec, stream, 1 * COUNT);
    wrong += launched(work, exec, stream, 3 * COUNT);
    added = 4; // changes `exec` only, not the graph
    cudaKernelNodeParams other = step_of(arguments);
    CUDA(cudaGraphExecKernelNodeSetParams(exec, stepping, &other));
    wrong += launched(work, exec, stream, 10 * COUNT);
    CUDA(cudaGraphExecDestroy(exec));

    // An update by a graph of the same form; by one of another form it fails.
    twice = captured(work, stream, 2);
    CUDA(cudaGraphInstantiate(&exec, twice));
    wrong += launched(work, exec, stream, 20 * COUNT);
    cudaGraphExecUpdateResultInfo result;
    outer = captured(work, stream, 5);
    CUDA(cudaGraphExecUpdate(exec, outer, &result));
    wrong += result.result != cudaGraphExecUpdateSuccess;
    wrong += launched(work, exec, stream, 100 * COUNT);
    wrong += cudaGraphExecUpdate(exec, graph, &result) != cudaErrorGraphExecUpdateFailure;
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(outer));

    // The first graph as a child graph: 2 * 100 + 1.
    CUDA(cudaGraphCreate(&outer, 0));
    CUDA(cudaGraphAddChildGraphNode(&nested, outer, NULL, 0, graph));
    CUDA(cudaGraphInstantiateWithFlags(&exec, outer, 0));
    wrong += launched(work, exec, stream, 201 * COUNT);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(outer));
    CUDA(cudaGraphDestroy(twice));
    CUDA(cudaGraphDestroy(graph));
    wrong += captured_memory(work, stream) + own_memory(stream) + lent_memory(stream);
    wrong += nodes != 5 || edges != 4 || work.calls != 6;
    return verdict(!wrong, "%zu nodes, %zu edges, %d calls", nodes, edges, work.calls);
}
