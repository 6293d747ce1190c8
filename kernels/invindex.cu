// An inverted index of the links in a text, after Mars (He et al., PACT 2008). khairy2015 uses it
// as a thrashing workload, because each thread returns to its own cache line for every character.
#include "block.cuh"

// How far a thread's record matches <a href="...">: the number of characters of PATTERN that were
// just read, and the first character of the link if all were.
struct Match {
    int characters, first;
};

enum { PATTERN = 9 }; // characters of <a href="

// Reads the character at `at`. Returns the length of the link that ends before it, or -1.
HEDDLE_INLINE int match(Match *m, char read, int at)
{
    if (m->characters == PATTERN) {
        if (read != '"') return -1;
        m->characters = 0;
        return at - m->first;
    }
    // The first eight characters of the pattern, the first one lowest.
    const unsigned long long pattern = 0x3d6665726820613cull;
    char wanted = m->characters < 8 ? (char)(pattern >> 8 * m->characters) : '"';
    // Only the first character of the pattern can start it anew.
    m->characters = read == wanted ? m->characters + 1 : read == '<';
    m->first = at + 1;
    return -1;
}

// ---- counting: one thread per record ----
// A record's characters lie from its `start` to the next record's. `bytes` counts a link's
// characters and a zero.
__global__ void invindex_count(const char *__restrict__ text, const int *__restrict__ start,
                               int *__restrict__ links, int *__restrict__ bytes, int records)
{
    int record = thread_index();
    if (record >= records) return;
    Match m = {0, 0};
    int of_links = 0, of_bytes = 0, end = start[record + 1];
    for (int at = start[record]; at < end; at++) {
        int length = match(&m, text[at], at);
        if (length >= 0) {
            of_links++;
            of_bytes += length + 1;
        }
    }
    links[record] = of_links;
    bytes[record] = of_bytes;
}

// ---- places: an exclusive prefix sum ----
// First within each block, in place, with the block's total in `totals`. These are summed likewise;
// then each block adds its own.
__global__ void invindex_scan(int *__restrict__ values, int *__restrict__ totals, int count)
{
    __shared__ int sums[MOST_THREADS];
    int i = thread_index(), total;
    int before = block_scan(sums, i < count ? values[i] : 0, &total);
    if (i < count) values[i] = before;
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void invindex_shift(int *__restrict__ values, const int *__restrict__ totals, int count)
{
    int i = thread_index();
    if (i < count) values[i] += totals[blockIdx.x];
}

// ---- writing: one thread per record, which reads it again ----
// Entry n of the index is the link at byte link_at[n] of `link`, and the record that has it.
__global__ void invindex_write(const char *__restrict__ text, const int *__restrict__ start,
                               const int *__restrict__ links, const int *__restrict__ bytes,
                               char *__restrict__ link, int *__restrict__ link_at,
                               int *__restrict__ link_record, int records)
{
    int record = thread_index();
    if (record >= records) return;
    Match m = {0, 0};
    int entry = links[record], to = bytes[record], end = start[record + 1];
    for (int at = start[record]; at < end; at++) {
        int length = match(&m, text[at], at);
        if (length < 0) continue;
        link_at[entry] = to;
        link_record[entry] = record;
        entry++;
        for (int i = 0; i < length; i++) link[to++] = text[m.first + i];
        link[to++] = 0;
    }
}
