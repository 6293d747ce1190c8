// Reads the measurements to which the choice of a search is fitted.
#include "base/number.h"
#include "graph/text_scanner.h"
#include "workloads/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "kind;graph;vertices;edges;diameter;topology;warp;data";

// Skips the separator before the next field.
static bool skip_separator(Scanner *s, const char *wanted)
{
    if (scan_at_line_end(s) || *s->p != s->separator) return scan_fail_expected(s, wanted);
    s->p++;
    scan_blanks(s);
    return true;
}

// Reads a non-empty field; *length excludes trailing blanks.
static bool read_text(Scanner *s, const char *wanted, const char **text, size_t *length)
{
    scan_blanks(s);
    const char *end = s->p;
    while (!scan_is_line_end(s, end) && *end != s->separator) end++;
    const char *last = end;
    while (last > s->p && scan_is_blank(last[-1])) last--;
    if (last == s->p) {
        scan_fail_expected(s, wanted);
        return false; // explicit, so that the compiler sees that *text is set on success
    }
    *text = s->p;
    *length = (size_t)(last - s->p);
    s->p = end;
    return true;
}

static bool read_count(Scanner *s, const char *wanted, uint64_t *count)
{
    if (!skip_separator(s, wanted)) return false;
    Scanner start = *s;
    if (!scan_unsigned(s, wanted, count)) return false;
    return *count > 0 || scan_fail_expected(&start, wanted);
}

static bool read_time(Scanner *s, AdviseChoice choice, double *time)
{
    static const char *const wanted[ADVISE_CHOICES] = {
        "the time of topology (a number above 0)", "the time of warp (a number above 0)",
        "the time of data (a number above 0)"};
    if (!skip_separator(s, wanted[choice])) return false;
    char *end;
    bool starts = scan_is_digit(*s->p) || *s->p == '.'; // reject "inf" and the next line
    *time = starts ? number_read(s->p, &end) : 0;
    if (!starts || !scan_is_field_end(s, end) || !isfinite(*time) || *time <= 0)
        return scan_fail_expected(s, wanted[choice]);
    s->p = end;
    return true;
}

static bool read_names(Scanner *s, AdviseTable *table, AdviseRow *row)
{
    const char *kind, *graph;
    size_t length;
    Scanner start = *s;
    if (!read_text(s, "the kind of graph", &kind, &length)) return false;
    if (length >= sizeof row->kind)
        return scan_fail(&start, "the kind of graph is too long: expected at most %d letters",
                         ADVISE_KIND_TEXT - 1);
    memcpy(row->kind, kind, length);
    if (!skip_separator(s, "the graph")) return false;
    start = *s;
    if (!read_text(s, "the graph", &graph, &length)) return false;
    row->graph = hd_arena_text(&table->texts, graph, length);
    if (!row->graph) return hd_fail_memory(s->err, "reading measurements");
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->rows[i].graph, row->graph) == 0)
            return scan_fail(&start, "the graph %s is given twice", row->graph);
    return true;
}

static bool read_row(Scanner *s, AdviseTable *table)
{
    AdviseRow row = {0};
    uint64_t diameter;
    if (!read_names(s, table, &row) ||
        !read_count(s, "the number of vertices (from 1)", &row.vertices) ||
        !read_count(s, "the number of edges (from 1)", &row.edges) ||
        !read_count(s, "the diameter (from 1)", &diameter))
        return false;
    for (int i = 0; i < ADVISE_CHOICES; i++)
        if (!read_time(s, (AdviseChoice)i, &row.time[i])) return false;
    if (!scan_line_end(s, header)) return false;
    row.degree = (double)row.edges / (double)row.vertices;
    row.diameter = (double)diameter;
    for (int i = 1; i < ADVISE_CHOICES; i++)
        if (row.time[i] < row.time[row.best]) row.best = (AdviseChoice)i;
    for (int i = 0; i < ADVISE_CHOICES; i++)
        row.loss[i] = llround(1e9 * (log(row.time[i]) - log(row.time[row.best])));
    return HD_PUSH(table->rows, table->count, table->capacity, row) ||
           hd_fail_memory(s->err, "reading measurements");
}

static bool read_rows(Scanner *s, AdviseTable *table)
{
    size_t length = strlen(header);
    bool found = scan_line(s, "#");
    if (s->source->failed) return false;
    if (!found || (size_t)(s->end - s->p) < length ||
        memcmp(s->p, header, length) != 0 || !scan_is_line_end(s, s->p + length))
        return hd_fail_at(s->err, s->file, (int)s->line, 0,
                          "expected '%s' as the first line that is not a comment", header);
    s->p += length;
    while (scan_line(s, "#"))
        if (!read_row(s, table)) return false;
    if (s->source->failed) return false;
    return table->count > 0 ||
           hd_fail_at(s->err, s->file, 0, 0, "no measurements: expected lines after '%s'", header);
}

AdviseTable *advise_read(const char *path, HdError *err)
{
    Input *in = input_open(path, err);
    if (!in) return NULL;
    GraphBuild build = {.memory = budget_of_host(path, err), .err = err};
    AdviseTable *table = hd_new(1, sizeof *table);
    bool ok = table || hd_fail_memory(err, "reading measurements");
    if (ok) {
        ScanSource source;
        Scanner scan = scan_start(&source, in, &build, SCAN_LONGEST);
        scan.separator = ';';
        ok = read_rows(&scan, table);
        scan_free(&scan);
    }
    input_close(in);
    if (ok) return table;
    advise_free(table);
    return NULL;
}

void advise_free(AdviseTable *table)
{
    if (!table) return;
    hd_arena_free(&table->texts);
    free(table->rows);
    free(table);
}
