// A hash table with linear probing: batches of insertions, searches and deletions, each a launch.
// linear_probing [KEYS [BATCHES]]
#include "check.h"

enum { THREADS = 128 };
enum : unsigned { EMPTY = 0xffffffffu, GONE = 0xfffffffeu };

struct Slot {
    unsigned key, value;
};

__device__ unsigned hash(unsigned key, unsigned mask)
{
    key = (key ^ key >> 16) * 0x85ebca6bu;
    return (key ^ key >> 13) & mask;
}

__global__ void insert(Slot *table, unsigned mask, const unsigned *keys, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (unsigned at = hash(keys[i], mask);; at = (at + 1) & mask) {
        unsigned before = atomicCAS(&table[at].key, EMPTY, keys[i]);
        if (before != EMPTY && before != keys[i]) continue;
        table[at].value = 3 * keys[i];
        return;
    }
}

__global__ void find(const Slot *table, unsigned mask, const unsigned *keys, unsigned *values,
                     unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned at = hash(keys[i], mask);
    while (table[at].key != keys[i] && table[at].key != EMPTY) at = (at + 1) & mask;
    values[i] = table[at].key == keys[i] ? table[at].value : 0;
}

__global__ void erase(Slot *table, unsigned mask, const unsigned *keys, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned at = hash(keys[i], mask);
    while (table[at].key != keys[i] && table[at].key != EMPTY) at = (at + 1) & mask;
    if (table[at].key == keys[i]) table[at].key = GONE;
}

// Even keys are inserted, odd ones are not there.
int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? atoi(argv[1]) : 2000, batches = argc > 2 ? atoi(argv[2]) : 8;
    unsigned slots = 1, part = count / batches, blocks = blocks_for(part, THREADS), wrong = 0;
    while (slots < count * 3 / 2) slots *= 2;
    std::vector<unsigned> keys(count), asked(count);
    for (unsigned i = 0; i < count; i++) keys[i] = i * 2654435761u & ~1u & 0x7fffffffu;
    for (unsigned i = 0; i < count; i++) asked[i] = keys[i] | (i % 8 == 0);
    Buffer<Slot> table(std::vector<Slot>(slots, Slot{EMPTY, 0}));
    Buffer<unsigned> all(keys), questions(asked), answers(count);
    for (unsigned b = 0; b < batches; b++)
        insert<<<blocks, THREADS>>>(table, slots - 1, all + b * part, part);
    for (unsigned b = 0; b < batches; b += 2)
        erase<<<blocks, THREADS>>>(table, slots - 1, all + b * part, part);
    for (unsigned b = 0; b < batches; b++)
        find<<<blocks, THREADS>>>(table, slots - 1, questions + b * part, answers + b * part,
                                  part);
    LAUNCHED();
    std::vector<unsigned> found = answers.get();
    for (unsigned i = 0; i < part * batches; i++)
        wrong += found[i] != (i / part % 2 && i % 8 ? 3 * keys[i] : 0);
    return verdict(!wrong, "%u keys in %u slots, %u wrong", part * batches, slots, wrong);
}
