// An inverted index of the links in a text: the host program. Each record is read twice: the first
// pass counts its links, prefix sums turn the counts into places, and the second pass writes there.
#include "base/bits.h"
#include "workloads/html.h"
#include "workloads/kernels.h"

#include <string.h>

enum { RECORDS, BYTES, SEED };

static const HdParameter parameters[] = {
    [RECORDS] = {.name = "records", .description = "records of the text, a thread each",
                 .value = 16384, .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [BYTES] = {.name = "bytes", .unit = "B",
               .description = "mean length of a record; each has from half to one and a half of it",
               .value = 128, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the text drawn; 0: the same text in each record, for results known "
                           "by hand"),
    {0},
};

// Counts of each record, or where it begins in the index.
typedef struct Places {
    int32_t *links, *bytes;
} Places;

// The index: the links with a zero after each, and for each link its first byte and its record.
typedef struct Index {
    char *link;
    int32_t *at, *record;
    int32_t links, bytes;
} Index;

typedef struct InvIndex {
    Program program;
    HtmlText html;
    HdAddress to_text, to_start, to_links, to_bytes, to_totals;
} InvIndex;

// ---- the reference ----

// The first link of the record from `at` on, and its length; NULL if there is none. An unfinished
// link is none.
static const char *find_link(const char *at, const char *end, size_t *length)
{
    static const char before[] = "<a href=\"";
    const char *link = memmem(at, (size_t)(end - at), before, sizeof before - 1);
    if (!link) return NULL;
    link += sizeof before - 1;
    const char *quote = memchr(link, '"', (size_t)(end - link));
    if (!quote) return NULL;
    *length = (size_t)(quote - link);
    return link;
}

// Makes the index of the text, and the places of the records in it.
static Index reference(InvIndex *v, Places places)
{
    const HtmlText *html = &v->html;
    uint64_t most = (uint64_t)html->start[html->records]; // a link is longer in the text
    Index index = {.link = program_scratch(&v->program, most, 1),
                   .at = program_scratch(&v->program, most, sizeof *index.at),
                   .record = program_scratch(&v->program, most, sizeof *index.record)};
    for (uint32_t r = 0; v->program.ok && r < html->records; r++) {
        const char *at = &html->text[html->start[r]], *end = &html->text[html->start[r + 1]];
        size_t length = 0;
        places.links[r] = index.links;
        places.bytes[r] = index.bytes;
        for (; (at = find_link(at, end, &length)) != NULL; at += length + 1) {
            index.at[index.links] = index.bytes;
            index.record[index.links++] = (int32_t)r;
            memcpy(&index.link[index.bytes], at, length);
            index.bytes += (int32_t)length + 1;
        }
    }
    return index;
}

// ---- the device ----

// The number of totals, of blocks and of those of all levels above them, that sum `count` words.
static uint64_t totals_of(const Program *program, uint32_t count)
{
    uint64_t totals = 0;
    do {
        count = (uint32_t)divide_up(count, program->input->block);
        totals += count;
    } while (count > 1);
    return totals;
}

// Replaces `count` words by their exclusive prefix sums. Totals of blocks are summed in the same
// way, until one block has all of them.
static void scan(InvIndex *v, HdAddress words, uint32_t count)
{
    Program *program = &v->program;
    HdAddress levels[32] = {words}, totals = v->to_totals; // a level has at most half the words of
    uint32_t counts[32] = {count}, level = 0;              // the one before
    do {
        uint32_t blocks = (uint32_t)divide_up(counts[level], program->input->block);
        PROGRAM_LAUNCH(program, "invindex_scan", counts[level],
                       (WorkCounters){.active_vertices = counts[level]}, hd_buffer(levels[level]),
                       hd_buffer(totals), hd_i32((int32_t)counts[level]));
        levels[++level] = totals;
        counts[level] = blocks;
        totals += blocks * sizeof(int32_t);
    } while (program->ok && counts[level] > 1);
    while (program->ok && --level)
        PROGRAM_LAUNCH(program, "invindex_shift", counts[level - 1],
                       (WorkCounters){.active_vertices = counts[level - 1]},
                       hd_buffer(levels[level - 1]), hd_buffer(levels[level]),
                       hd_i32((int32_t)counts[level - 1]));
}

// Counts, and places. Returns whether they are as expected: only then is there room for the links.
static bool count_links(InvIndex *v, Places expected)
{
    Program *program = &v->program;
    uint32_t records = v->html.records;
    PROGRAM_LAUNCH(program, "invindex_count", records, (WorkCounters){.active_vertices = records},
                   hd_buffer(v->to_text), hd_buffer(v->to_start), hd_buffer(v->to_links),
                   hd_buffer(v->to_bytes), hd_i32((int32_t)records));
    scan(v, v->to_links, records);
    scan(v, v->to_bytes, records);
    int32_t *got = program_scratch(program, records, sizeof *got);
    if (program_read(program, got, v->to_links, records * sizeof *got))
        program_check_words(program, "links", got, expected.links, records);
    if (program_read(program, got, v->to_bytes, records * sizeof *got))
        program_check_words(program, "bytes", got, expected.bytes, records);
    return program->ok && program->result->verified;
}

static void write_links(InvIndex *v, const Index *expected)
{
    Program *program = &v->program;
    uint32_t records = v->html.records;
    uint64_t links = (uint64_t)expected->links, bytes = (uint64_t)expected->bytes;
    HdAddress to_link = program_array(program, "link", NULL, bytes);
    HdAddress to_at = program_words(program, "link_at", links, 0);
    HdAddress to_record = program_words(program, "link_record", links, 0);
    PROGRAM_LAUNCH(program, "invindex_write", records, (WorkCounters){.active_vertices = records},
                   hd_buffer(v->to_text), hd_buffer(v->to_start), hd_buffer(v->to_links),
                   hd_buffer(v->to_bytes), hd_buffer(to_link), hd_buffer(to_at),
                   hd_buffer(to_record), hd_i32((int32_t)records));
    char *link = program_scratch(program, bytes, 1);
    int32_t *words = program_scratch(program, links, sizeof *words);
    if (program_read(program, words, to_at, links * sizeof *words))
        program_check_words(program, "link_at", words, expected->at, links);
    if (program_read(program, words, to_record, links * sizeof *words))
        program_check_words(program, "link_record", words, expected->record, links);
    if (!program_read(program, link, to_link, bytes)) return;
    for (uint64_t i = 0; i < bytes; i++)
        if (link[i] != expected->link[i])
            program_mismatch(program, "link[%llu] is %d: expected %d", (unsigned long long)i,
                             link[i], expected->link[i]);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    InvIndex v = {.program = program_begin(device, input, result, err)};
    Program *program = &v.program;
    uint32_t records = (uint32_t)input->parameters[RECORDS];
    uint64_t words = (uint64_t)records * sizeof(int32_t);
    if (input->block < 2)
        program_fail(program, "a block of 1 thread has nothing to add up: expected --block to be 2 "
                              "or more for this workload");
    v.html = html_text(program, (uint64_t)input->parameters[SEED], records,
                       (uint32_t)input->parameters[BYTES]);
    uint64_t length = program->ok ? (uint64_t)v.html.start[records] : 0;
    v.to_text = program_array(program, "text", v.html.text, length);
    v.to_start = program_array(program, "start", v.html.start, words + sizeof(int32_t));
    v.to_links = program_array(program, "links", NULL, words);
    v.to_bytes = program_array(program, "bytes", NULL, words);
    v.to_totals = program_words(program, "totals",
                                program->ok ? totals_of(program, records) : 0, 0);
    Places places = {program_scratch(program, records, sizeof(int32_t)),
                     program_scratch(program, records, sizeof(int32_t))};
    Index expected = {0};
    if (program->ok) expected = reference(&v, places);
    if (count_links(&v, places)) write_links(&v, &expected);
    program_answer(program, "text", length);
    program_answer(program, "links", (uint64_t)expected.links);
    program_answer(program, "link_bytes", (uint64_t)expected.bytes);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", invindex, run,
        "Mars (He et al., PACT 2008), InvertedIndex (IIX of khairy2015)",
        "one thread per record, which counts its links, and then writes them"),
    {0},
};

const Workload workload_invindex = {
    .name = "invindex",
    .doc = "inverted index: the links in the records of a text, each with its record",
    .answer = "text: bytes; links; link_bytes: their bytes in the index",
    .check = "each entry, exactly, with a search on the CPU",
    .small = "records=256",
    .implementations = implementations,
    .parameters = parameters,
};
