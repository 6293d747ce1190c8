// Locks for which lanes of one warp wait. Requires independent thread scheduling (from Volta on):
// the lane that holds the lock must progress while others wait.
#include "check.h"

enum { THREADS = 64, BLOCKS = 4, ACCOUNTS = 8, ROUNDS = 2 };

struct Account {
    int lock;
    int money;
    int visits;
};

__device__ void enter(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}
__device__ void leave(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

// Moves money between two accounts. Locks both in the order of their numbers.
__global__ void move(Account *accounts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < ROUNDS; round++) {
        int from = (i * 5 + round) % ACCOUNTS, to = (i * 3 + 1 + round) % ACCOUNTS;
        if (from == to) to = (to + 1) % ACCOUNTS;
        int first = min(from, to), second = max(from, to);
        enter(&accounts[first].lock);
        enter(&accounts[second].lock);
        volatile Account *a = &accounts[from], *b = &accounts[to];
        a->money = a->money - i;
        b->money = b->money + i;
        a->visits = a->visits + 1;
        b->visits = b->visits + 1;
        leave(&accounts[second].lock);
        leave(&accounts[first].lock);
    }
}

int main()
{
    std::vector<Account> accounts(ACCOUNTS), wanted(ACCOUNTS);
    for (Account &a : wanted) a.money = a.visits = a.lock = 0;
    for (int i = 0; i < THREADS * BLOCKS; i++)
        for (int round = 0; round < ROUNDS; round++) {
            int from = (i * 5 + round) % ACCOUNTS, to = (i * 3 + 1 + round) % ACCOUNTS;
            if (from == to) to = (to + 1) % ACCOUNTS;
            wanted[from].money -= i, wanted[to].money += i;
            wanted[from].visits++, wanted[to].visits++;
        }
    Buffer<Account> data(ACCOUNTS);
    move<<<BLOCKS, THREADS>>>(data);
    LAUNCHED();
    accounts = data.get();
    int wrong = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        wrong += accounts[i].money != wanted[i].money || accounts[i].visits != wanted[i].visits ||
                 accounts[i].lock != 0;
    return verdict(!wrong, "%d accounts, %d wrong", ACCOUNTS, wrong);
}
