// Finds the line of each instruction and adds its counters to it.
#include "cli/results/annotate.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- files ----

static bool cut_rows(SourceFile *file, size_t size)
{
    size_t count = size && file->text[size - 1] != '\n';
    for (size_t i = 0; i < size; i++) count += file->text[i] == '\n';
    file->rows = hd_new(count, sizeof *file->rows);
    file->lines = hd_new(count, sizeof *file->lines);
    if (!file->rows || !file->lines) return false;
    file->count = count;
    char *rest = file->text;
    for (size_t i = 0; i < count; i++) {
        file->rows[i] = strsep(&rest, "\n");
        size_t length = strlen(file->rows[i]);
        if (length && file->rows[i][length - 1] == '\r') file->rows[i][length - 1] = 0;
        text_mask(file->rows[i], "\t"); // for the terminal
    }
    return true;
}

static bool add_file(Annotation *a, const char *path, HdError *err)
{
    size_t size, length = strlen(path);
    SourceFile empty = {.ptx = length >= 4 && strcmp(path + length - 4, ".ptx") == 0};
    if (!HD_PUSH(a->files, a->file_count, a->file_capacity, empty))
        return hd_fail_memory(err, "reading a source file");
    SourceFile *file = &a->files[a->file_count - 1];
    file->path = strdup(path);
    if (!file->path) return hd_fail_memory(err, "reading a source file");
    file->text = file_read_text(path, &size, err);
    if (!file->text) return false;
    if (memchr(file->text, 0, size))
        return hd_fail(err, "%s: expected text, but the file has a zero byte", path);
    return cut_rows(file, size) || hd_fail_memory(err, "reading a source file");
}

// How many names (of the file, of its folder, ...) two paths share at their ends.
static unsigned common_end(const char *a, const char *b)
{
    const char *x = a + strlen(a), *y = b + strlen(b);
    unsigned names = 0;
    while (x > a && y > b && x[-1] == y[-1]) {
        x--, y--;
        names += *x == '/';
    }
    bool whole_a = x == a || x[-1] == '/', whole_b = y == b || y[-1] == '/';
    return names + (whole_a && whole_b && *x != '/');
}

// ---- numbers of an instruction ----

// The schema, by which the result was checked, says that the count is there.
static uint64_t count_of(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static bool add_allocation(Line *line, const char *name, uint64_t cycles)
{
    for (size_t i = 0; i < line->allocation_count; i++) {
        if (strcmp(line->allocations[i].name, name) != 0) continue;
        line->allocations[i].cycles += cycles;
        return true;
    }
    AllocationWait wait = {name, cycles};
    return HD_PUSH(line->allocations, line->allocation_count, line->allocation_capacity, wait);
}

static bool read_waited(const json_t *pc, Line *line)
{
    static const struct {
        const char *key;
        CycleReason reason;
    } ends[] = {{"l1", REASON_L1},
                {"l2", REASON_L2},
                {"dram", REASON_DRAM},
                {"shared", REASON_SHARED},
                {"result", REASON_DEPENDENCY}};
    const char *allocation;
    json_t *by_end;
    json_object_foreach(json_object_get(pc, "waited"), allocation, by_end) {
        uint64_t all = 0;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            uint64_t cycles = count_of(by_end, ends[i].key);
            line->cycles[ends[i].reason] += cycles;
            all += cycles;
        }
        if (!add_allocation(line, allocation, all)) return false;
    }
    return true;
}

// false: out of memory.
static bool read_instruction(const json_t *pc, Line *line)
{
    static const struct {
        const char *key;
        CycleReason reason;
    } waits[] = {{"wait_ready", REASON_READY},
                 {"wait_dependency", REASON_DEPENDENCY},
                 {"wait_fetch", REASON_FETCH},
                 {"wait_barrier", REASON_BARRIER},
                 {"wait_end", REASON_END}};
    line->issued = count_of(pc, "issued");
    line->lanes = count_of(pc, "lanes");
    line->requests = count_of(pc, "requests");
    line->memory = line->requests ? line->issued : 0;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        line->cycles[waits[i].reason] += count_of(pc, waits[i].key);
    // Only with a mechanism that throttles warps, and with waves; otherwise 0.
    line->cycles[REASON_READY] += count_of(pc, "wait_throttled");
    line->cycles[REASON_TABLE] += count_of(pc, "wait_wave_table");
    return read_waited(pc, line);
}

// ---- lines ----

static bool line_add(Line *sum, const Line *part)
{
    for (int i = 0; i < REASONS; i++) sum->cycles[i] += part->cycles[i];
    sum->issued += part->issued;
    sum->lanes += part->lanes;
    sum->memory += part->memory;
    sum->requests += part->requests;
    for (size_t i = 0; i < part->allocation_count; i++) {
        const AllocationWait *wait = &part->allocations[i];
        if (!add_allocation(sum, wait->name, wait->cycles)) return false;
    }
    return true;
}

// "kernels/bfs.cu:20", or the instruction's line in the PTX.
typedef struct PlaceText {
    char file[PATH_MAX]; // "": not known
    uint64_t line, ptx_line;
    const char *text; // the instruction as written
} PlaceText;

// Does this line of PTX contain the instruction?
static bool has_instruction(const PlaceText *place, const char *row)
{
    size_t word = place->text ? strcspn(place->text, " \t\n;") : 0;
    if (!word) return true;
    for (const char *at = row; (at = strchr(at, place->text[0])); at++)
        if (strncmp(at, place->text, word) == 0) return true;
    return false;
}

// The line of one of the files that the place names; NULL: of none of them, or err is set.
static Line *find_line(const Annotation *a, const char *result, const PlaceText *place,
                       HdError *err)
{
    SourceFile *file = NULL;
    unsigned best = 0;
    for (size_t i = 0; i < a->file_count; i++) {
        unsigned common = a->files[i].ptx ? 1 : common_end(a->files[i].path, place->file);
        if (common <= best) continue;
        best = common;
        file = &a->files[i];
    }
    if (!file) return NULL;
    uint64_t line = file->ptx ? place->ptx_line : place->line;
    bool there = line >= 1 && line <= file->count;
    if (there && file->ptx) there = has_instruction(place, file->rows[line - 1]);
    if (there) return &file->lines[line - 1];
    hd_fail(err,
            "%s: %s has an instruction of line %llu, which the file does not have; is it the file "
            "that was run?",
            file->path, result, (unsigned long long)line);
    return NULL;
}

static bool add_instruction(Annotation *a, const char *result, const json_t *pc,
                            const Line *counts, HdError *err)
{
    const char *source = json_string_value(json_object_get(pc, "source"));
    const char *colon = source ? strrchr(source, ':') : NULL;
    PlaceText place = {.ptx_line = count_of(pc, "ptx_line"),
                       .line = colon ? strtoull(colon + 1, NULL, 10) : 0,
                       .text = json_string_value(json_object_get(pc, "text"))};
    if (colon && (size_t)(colon - source) < sizeof place.file)
        memcpy(place.file, source, (size_t)(colon - source));
    Line *line = find_line(a, result, &place, err);
    if (err->set) return false;
    return (line_add(line ? line : &a->rest, counts) && line_add(&a->all, counts)) ||
           hd_fail_memory(err, "adding up lines");
}

static bool add_instructions(Annotation *a, const json_t *pcs, const char *name, HdError *err)
{
    size_t i;
    const json_t *pc;
    json_array_foreach((json_t *)pcs, i, pc) {
        Line counts = {0};
        bool ok = (read_instruction(pc, &counts) || hd_fail_memory(err, "adding up lines")) &&
                  add_instruction(a, name, pc, &counts, err);
        free(counts.allocations);
        if (!ok) return false;
    }
    return true;
}

// ---- files ----

typedef struct Names {
    char **items;
    size_t count, capacity;
} Names;

// The files that the instructions name, each once, in order.
static bool named_files(const json_t *pcs, Names *names)
{
    size_t i;
    json_t *pc;
    json_array_foreach((json_t *)pcs, i, pc)
    {
        const char *source = json_string_value(json_object_get(pc, "source"));
        const char *colon = source ? strrchr(source, ':') : NULL;
        size_t length = colon ? (size_t)(colon - source) : 0, k = 0;
        if (!length) continue;
        while (k < names->count &&
               (strncmp(names->items[k], source, length) != 0 || names->items[k][length]))
            k++;
        if (k < names->count) continue;
        char *name = strndup(source, length);
        if (!name || !HD_PUSH(names->items, names->count, names->capacity, name)) {
            free(name);
            return false;
        }
    }
    return true;
}

static bool check_used(const Annotation *a, const Names *names, const char *result, HdError *err)
{
    for (size_t i = 0; i < a->file_count; i++) {
        const SourceFile *file = &a->files[i];
        bool used = file->ptx;
        for (size_t k = 0; k < names->count; k++)
            used |= common_end(file->path, names->items[k]) > 0;
        if (used) continue;
        if (!names->count)
            return hd_fail(err,
                           "%s: the instructions of %s name no source, only lines of PTX: "
                           "expected the PTX file",
                           file->path, result);
        return hd_fail(err, "%s: no instruction of %s is from this file; they are from %s%s",
                       file->path, result, names->items[0], names->count > 1 ? " and others" : "");
    }
    return true;
}

// Adds a source file. If it is not at that path, from the working directory, it is looked up in the
// folders.
static bool add_named(Annotation *a, const char *name, const char *const *folders, HdError *err)
{
    const char *slash = strrchr(name, '/');
    for (; folders && *folders && access(name, F_OK) != 0; folders++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", *folders, slash ? slash + 1 : name);
        if (length < (int)sizeof path && access(path, F_OK) == 0) return add_file(a, path, err);
    }
    return add_file(a, name, err);
}

static bool add_files(Annotation *a, const AnnotationRequest *r, const Names *names, HdError *err)
{
    if (!r->path_count && !names->count)
        return hd_fail(err,
                       "%s: its instructions name no source, only lines of PTX: expected the PTX "
                       "file",
                       r->result);
    for (size_t i = 0; i < r->path_count; i++)
        if (!add_named(a, r->paths[i], r->folders, err)) return false;
    HdError why = {0};
    for (size_t i = 0; i < (r->path_count ? 0 : names->count); i++)
        if (!add_named(a, names->items[i], r->folders, &why))
            return hd_fail(err, "%.1024s (%s names it; if it is elsewhere, give its path)",
                           why.text, r->result);
    return check_used(a, names, r->result, err);
}

bool annotate(Annotation *a, const AnnotationRequest *r, HdError *err)
{
    Names names = {0};
    *a = (Annotation){0};
    bool ok = named_files(r->pcs, &names) || hd_fail_memory(err, "listing source files");
    if (ok && !json_array_size(r->pcs))
        ok = hd_fail(err, "%s: has no instructions; was no launch timed?", r->result);
    ok = ok && add_files(a, r, &names, err) && add_instructions(a, r->pcs, r->result, err);
    for (size_t i = 0; i < names.count; i++) free(names.items[i]);
    free(names.items);
    return ok;
}

void annotation_free(Annotation *a)
{
    for (size_t i = 0; i < a->file_count; i++) {
        SourceFile *file = &a->files[i];
        for (size_t k = 0; k < file->count; k++) free(file->lines[k].allocations);
        free(file->path);
        free(file->text);
        free(file->rows);
        free(file->lines);
    }
    free(a->files);
    free(a->rest.allocations);
    free(a->all.allocations);
    *a = (Annotation){0};
}

uint64_t line_cycles(const Line *line)
{
    uint64_t sum = 0;
    for (int i = 0; i < REASONS; i++) sum += line->cycles[i];
    return sum;
}
