// Longest matches of reads with a reference: the host program.
#include "base/random.h"
#include "workloads/kernels.h"
#include "workloads/suffix_tree.h"

#include <string.h>

// Stream numbers of the draws (base/random.h).
enum { RANDOM_USER_REFERENCE = 0x52454652, RANDOM_USER_READS = 0x52454144 };

enum { REFERENCE, READS, LENGTH, SPREAD, LEAST, FOUND, ERRORS, SEED };
enum { MOST_LENGTH = 500 };

static const HdParameter parameters[] = {
    [REFERENCE] = {.name = "reference", .unit = "bases", .description = "length of the reference",
                   .value = 1400000, .min = 1, .max = 1 << 22, .kind = HD_WHOLE},
    [READS] = {.name = "reads", .description = "reads, one thread each", .value = 50000,
               .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [LENGTH] = {.name = "length", .unit = "bases",
                .description = "length of a read, or of the shortest", .value = 25, .min = 1,
                .max = MOST_LENGTH, .kind = HD_WHOLE},
    [SPREAD] = {.name = "spread", .unit = "bases",
                .description = "by which the longest read is longer", .value = 0, .min = 0,
                .max = MOST_LENGTH, .kind = HD_WHOLE},
    [LEAST] = {.name = "least", .unit = "bases",
               .description = "length of the shortest match that counts", .value = 20, .min = 1,
               .max = MOST_LENGTH, .kind = HD_WHOLE},
    [FOUND] = {.name = "found", .unit = "%",
               .description = "reads that are pieces of the reference; the others are random",
               .value = 25, .min = 0, .max = 100},
    [ERRORS] = {.name = "errors", .description = "replaced bases in 1,000 bases of such pieces",
                .value = 1, .min = 0, .max = 1000},
    [SEED] = WORKLOAD_SEED("of the bases drawn; 0: the reference is ACGT, and again, and every "
                           "second read runs backwards, for results known by hand"),
    {0},
};

// As in the kernel.
typedef struct Match {
    uint32_t node;
    int16_t on_edge;
} Match;

typedef struct Mummer {
    Program program;
    uint32_t bases, reads, shortest, spread, least;
    uint64_t seed;
    char *reference;       // ends with $
    char *text;            // the reads, each of which ends with a zero
    uint32_t *first, *length;
    uint64_t bytes, match_count; // of the text; of the places of a match
    SuffixTree tree;
    Match *match;
    // The check: the places of each word of `word` bases in the reference, as lists. Numbers are
    // higher by one, so that 0 is none.
    unsigned word;
    uint32_t *head, *next;
} Mummer;

static const char letters[] = "ACGT";

// ---- inputs ----

// Draw 0 is of a read's length, 1 and 2 of its origin, and two more are of each base.
static uint64_t draw(const Mummer *m, uint32_t read, uint64_t number)
{
    return random_draw(m->seed, RANDOM_USER_READS, read, number);
}

static void make_reference(Mummer *m)
{
    m->reference = program_scratch(&m->program, (uint64_t)m->bases + 1, 1);
    for (uint32_t i = 0; m->reference && i < m->bases; i++)
        m->reference[i] =
            letters[m->seed ? random_draw(m->seed, RANDOM_USER_REFERENCE, 0, i) >> 62 : i % 4];
    if (m->reference) m->reference[m->bases] = '$';
}

static void known_read(char *to, uint32_t length, uint32_t read)
{
    uint32_t step = read % 2 ? 3 : 1; // 3: backwards
    for (uint32_t i = 0; i < length; i++) to[i] = letters[(read / 2 + step * i) % 4];
}

static void draw_read(const Mummer *m, char *to, uint32_t length, uint32_t read)
{
    const double *values = m->program.input->parameters;
    bool found = length <= m->bases && random_unit(draw(m, read, 1)) * 100 < values[FOUND];
    uint64_t start = found ? draw(m, read, 2) % (m->bases - length + 1) : 0;
    for (uint32_t i = 0; i < length; i++) {
        uint64_t other = draw(m, read, 3 + 2 * i);
        bool error = random_unit(draw(m, read, 4 + 2 * i)) * 1000 < values[ERRORS];
        to[i] = letters[other >> 62];
        if (!found) continue;
        char base = m->reference[start + i];
        if (!error)
            to[i] = base;
        else if (to[i] == base)
            to[i] = base == 'A' ? 'C' : 'A';
    }
}

static void make_reads(Mummer *m)
{
    Program *program = &m->program;
    m->text = program_scratch(program, (uint64_t)m->reads * (m->shortest + m->spread + 1), 1);
    m->first = program_scratch(program, m->reads, sizeof *m->first);
    m->length = program_scratch(program, m->reads, sizeof *m->length);
    for (uint32_t r = 0; program->ok && r < m->reads; r++) {
        uint64_t more = (m->seed ? draw(m, r, 0) : r) % (m->spread + 1);
        m->first[r] = (uint32_t)m->bytes;
        m->length[r] = m->shortest + (uint32_t)more;
        if (m->seed)
            draw_read(m, &m->text[m->bytes], m->length[r], r);
        else
            known_read(&m->text[m->bytes], m->length[r], r);
        m->bytes += m->length[r] + 1; // with the zero that is there
        m->match_count += m->length[r] - m->least + 1;
    }
}

// ---- the check ----

static uint32_t word_at(const Mummer *m, const char *text)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < m->word; i++)
        word = word * 4 + (uint32_t)(strchr(letters, text[i]) - letters);
    return word;
}

// A match has at least `least` bases, and so its first word is in a list.
static void make_lists(Mummer *m)
{
    m->word = m->least < 10 ? m->least : 10;
    m->head = program_scratch(&m->program, 1u << 2 * m->word, sizeof *m->head);
    m->next = program_scratch(&m->program, m->bases, sizeof *m->next);
    for (uint32_t at = 0; m->program.ok && (uint64_t)at + m->word <= m->bases; at++) {
        uint32_t *head = &m->head[word_at(m, &m->reference[at])];
        m->next[at] = *head;
        *head = at + 1;
    }
}

// The length of the longest match of the text, up to a zero, with any place of the reference; 0 if
// that is less than `least`.
static uint32_t longest_match(const Mummer *m, const char *text)
{
    uint32_t longest = 0;
    for (uint32_t place = m->head[word_at(m, text)]; place; place = m->next[place - 1]) {
        const char *there = &m->reference[place - 1];
        uint32_t length = m->word;
        while (text[length] && text[length] == there[length]) length++; // never at $
        if (length > longest) longest = length;
    }
    return longest < m->least ? 0 : longest;
}

// The length of a match that a thread found, and its place in the reference. A match that is none,
// because the node or the edge is not there, has the length UINT32_MAX.
static uint32_t found_match(const Mummer *m, Match match, uint32_t *place)
{
    *place = 0;
    if (!match.node && !match.on_edge) return 0;
    if (!match.node || match.node > m->tree.count) return UINT32_MAX;
    SuffixNode node = m->tree.node[match.node];
    uint32_t edge = node.end - node.start, depth = m->tree.depth[match.node];
    if (match.on_edge < 0 || (uint32_t)match.on_edge > edge) return UINT32_MAX;
    uint32_t above = match.on_edge ? edge - (uint32_t)match.on_edge : 0; // bases before the end
    *place = node.end - depth;
    return depth - above;
}

static void check(Mummer *m)
{
    Program *program = &m->program;
    uint64_t matches = 0, matched = 0, most = 0, at = 0;
    make_lists(m);
    for (uint32_t r = 0; program->ok && r < m->reads; r++)
        for (uint32_t start = 0; start + m->least <= m->length[r]; start++, at++) {
            const char *text = &m->text[m->first[r] + start];
            uint32_t expected = longest_match(m, text), place;
            uint32_t length = found_match(m, m->match[at], &place);
            if (length != expected)
                program_mismatch(program, "match[%llu] has %d bases: expected %u for read %u from "
                                 "base %u", (unsigned long long)at, (int32_t)length, expected, r,
                                 start);
            else if (memcmp(text, &m->reference[place], length) != 0)
                program_mismatch(program, "match[%llu] is at place %u of the reference, which has "
                                 "other bases", (unsigned long long)at, place);
            matches += expected > 0;
            matched += expected;
            if (expected > most) most = expected;
        }
    program_answer(program, "matches", matches);
    program_answer(program, "matched", matched);
    program_answer(program, "longest", most);
    program_answer(program, "nodes", m->tree.count);
}

// ---- the run ----

static void launch(Mummer *m)
{
    Program *program = &m->program;
    uint64_t nodes = (uint64_t)m->tree.count + 1;
    HdAddress to_node = program_array(program, "node", m->tree.node, nodes * sizeof *m->tree.node);
    HdAddress to_children = program_array(program, "children", m->tree.children,
                                          nodes * sizeof *m->tree.children);
    HdAddress to_reference = program_array(program, "reference", m->reference,
                                           (uint64_t)m->bases + 1);
    HdAddress to_text = program_array(program, "text", m->text, m->bytes);
    HdAddress to_first = program_array(program, "first", m->first, m->reads * sizeof *m->first);
    HdAddress to_length = program_array(program, "length", m->length,
                                        m->reads * sizeof *m->length);
    uint64_t bytes = m->match_count * sizeof *m->match;
    HdAddress to_match = program_array(program, "match", NULL, bytes);
    m->match = program_scratch(program, m->match_count, sizeof *m->match);
    PROGRAM_LAUNCH(program, "mummer_match", m->reads, (WorkCounters){.active_vertices = m->reads},
                   hd_buffer(to_node), hd_buffer(to_children), hd_buffer(to_reference),
                   hd_buffer(to_text), hd_buffer(to_first), hd_buffer(to_length),
                   hd_buffer(to_match), hd_i32((int32_t)m->reads), hd_i32((int32_t)m->least));
    program_read(program, m->match, to_match, bytes);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Mummer m = {.program = program_begin(device, input, result, err),
                .bases = (uint32_t)input->parameters[REFERENCE],
                .reads = (uint32_t)input->parameters[READS],
                .shortest = (uint32_t)input->parameters[LENGTH],
                .spread = (uint32_t)input->parameters[SPREAD],
                .least = (uint32_t)input->parameters[LEAST],
                .seed = (uint64_t)input->parameters[SEED]};
    Program *program = &m.program;
    if (m.least > m.shortest)
        program_fail(program, "--param least=%u: expected at most the %u bases of a read", m.least,
                     m.shortest);
    make_reference(&m);
    make_reads(&m);
    if (program->ok) m.tree = suffix_tree(program, m.reference, m.bases + 1);
    if (program->ok) launch(&m);
    if (program->ok) check(&m);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", mummer, run,
        "MUMmerGPU 1.0 (Schatz et al., 2007), MUM of Bakhoda et al., ISPASS 2009 (MUM of "
        "yilmazer2020gw)",
        "one thread per read, which follows the reference's suffix tree and its links"),
    {0},
};

const Workload workload_mummer = {
    .name = "mummer",
    .doc = "longest matches of short reads with a reference, by its suffix tree",
    .answer = "matches; matched: sum of their lengths; longest; nodes: of the tree",
    .check = "each match, exactly, by the places of short pieces in the reference, without a tree",
    .small = "reads=500 reference=4096",
    .implementations = implementations,
    .parameters = parameters,
};
