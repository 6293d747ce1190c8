// A work queue in global memory: warps that stay take tasks, which add tasks, and poll for more
// until none is left. A task n > 1 adds n - 1 and n - 2, so that as many tasks 1 end as a Fibonacci
// number says.
// work_queue [N]
#include "check.h"

enum { THREADS = 128, BLOCKS = 16, NOTHING = -1 };

struct Queue {
    int *tasks;       // NOTHING: not put there yet
    unsigned *taken;  // tasks that a warp has taken, or waits for
    unsigned *put;    // tasks that have a place
    int *unfinished;
    unsigned *ones;   // the result
};

__device__ void put(Queue queue, int task)
{
    unsigned at = atomicAdd(queue.put, 1u);
    __threadfence();
    *(volatile int *)&queue.tasks[at] = task;
}

__device__ void run(Queue queue, int task)
{
    if (task < 2) {
        atomicAdd(queue.ones, (unsigned)task);
    } else {
        atomicAdd(queue.unfinished, 2);
        put(queue, task - 1);
        put(queue, task - 2);
    }
    __threadfence();
    atomicSub(queue.unfinished, 1);
}

// One lane of each warp works.
__global__ void work(Queue queue)
{
    if (threadIdx.x % warpSize) return;
    for (;;) {
        unsigned at = atomicAdd(queue.taken, 1u);
        int task;
        while ((task = *(volatile int *)&queue.tasks[at]) == NOTHING)
            if (*(volatile int *)queue.unfinished == 0) return;
        run(queue, task);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 12;
    std::vector<unsigned> fibonacci(n + 2, 1), tasks(n + 2, 1); // tasks: that n makes, with itself
    fibonacci[0] = 0;
    for (int i = 2; i <= n; i++) {
        fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2];
        tasks[i] = tasks[i - 1] + tasks[i - 2] + 1;
    }
    std::vector<int> places(tasks[n] + BLOCKS * THREADS, NOTHING);
    places[0] = n;
    Buffer<int> queue(places), unfinished(std::vector<int>(1, 1));
    Buffer<unsigned> taken(1), put(std::vector<unsigned>(1, 1)), ones(1);
    work<<<BLOCKS, THREADS>>>(Queue{queue, taken, put, unfinished, ones});
    LAUNCHED();
    unsigned got = ones.get()[0], made = put.get()[0];
    return verdict(got == fibonacci[n] && made == tasks[n], "%u ones of %u tasks, wanted %u of %u",
                   got, made, fibonacci[n], tasks[n]);
}
