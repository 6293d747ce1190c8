// Makes the runs of a study.
#include "study/study_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 1000000, EXPRESSION = 4096, NO_RUN = -1 };

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "planning a study"); }

// ---- conditions and expressions ----

// Whether no parenthesis of the text closes one in front of it. Quoted texts, and comments, which
// may hold any, are passed over.
static bool is_one_expression(const char *text, const QueryPlace *place, HdError *err)
{
    int depth = 0;
    for (const char *at = text; *at && depth >= 0; at++) {
        if (strchr("'\"`[", *at)) {
            const char *end = strchr(at + 1, *at == '[' ? ']' : *at);
            if (!end) break;
            at = end;
        } else if (strncmp(at, "--", 2) == 0) {
            at += strcspn(at, "\n");
            if (!*at) depth = -1;
            if (!*at) break;
        } else if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            if (!end) break;
            at = end + 1;
        } else {
            depth += (*at == '(') - (*at == ')');
        }
    }
    return depth == 0 ||
           hd_fail_at(err, place->name, place->line, place->column,
                      "expected one expression of SQL, with its own parentheses, that ends with no "
                      "comment");
}

// Asks `SELECT what FROM points WHERE` of a text of the study: `before` and `after` stand around
// it in the SQL.
static bool ask(Store *tables, const char *before, const StudyText *text, const char *after,
                Rows *rows, HdError *err)
{
    char *sql;
    QueryPlace place = text->place;
    *rows = (Rows){0};
    // By itself the text must be one expression, which closes no parenthesis of ours and ends with
    // no comment.
    if (asprintf(&sql, "SELECT (%s) FROM points", text->text) < 0) return out_of_memory(err);
    place.column -= (int)strlen("SELECT (");
    bool ok = is_one_expression(text->text, &text->place, err) &&
              store_check(tables, sql, &place, err);
    free(sql);
    if (!ok) return false;
    if (asprintf(&sql, "%s%s%s", before, text->text, after) < 0) return out_of_memory(err);
    place.column = text->place.column - (int)strlen(before);
    ok = store_query(tables, sql, &place, rows, err);
    free(sql);
    return ok;
}

bool study_matrix_select(const StudyMatrix *matrix, Store *tables, const StudyText *condition,
                         size_t **runs, size_t *count, HdError *err)
{
    static const StudyText all = {"1", {.name = "points", .line = 1, .column = 1}};
    Rows rows;
    *count = 0;
    *runs = hd_new(matrix->count, sizeof **runs);
    if (!*runs) return out_of_memory(err);
    bool ok = ask(tables, "SELECT rowid FROM points WHERE (",
                  condition->text ? condition : &all, ") ORDER BY rowid", &rows, err);
    for (size_t i = 0; ok && i < rows.count; i++) {
        int64_t row = rows_cell(&rows, i, 0)->integer;
        ok = (row >= 1 && (uint64_t)row <= matrix->count && *count < matrix->count) ||
             hd_fail(err, "expected rows of the table points");
        if (ok) (*runs)[(*count)++] = (size_t)row - 1;
    }
    rows_free(&rows);
    return ok;
}

// ---- the table of points ----

typedef struct Columns {
    const char **names; // of axes, of their baselines, of points; then `scale`
    size_t count, capacity;
    HdArena arena; // owns names that are made
} Columns;

static size_t find(const Columns *columns, const char *name)
{
    size_t i = 0;
    while (i < columns->count && strcmp(columns->names[i], name) != 0) i++;
    return i;
}

static bool add(Columns *columns, const char *name, HdError *err)
{
    return find(columns, name) < columns->count ||
           HD_PUSH(columns->names, columns->count, columns->capacity, name) || out_of_memory(err);
}

// The column with the names of an axis' baselines.
static size_t baseline_column(const Columns *columns, const StudyAxis *axis)
{
    size_t i = 0, length = strlen(axis->name);
    while (strncmp(columns->names[i], axis->name, length) != 0 ||
           strcmp(columns->names[i] + length, "_baseline") != 0)
        i++;
    return i;
}

static bool list_columns(Columns *columns, const Study *study, HdError *err)
{
    bool ok = true;
    for (size_t a = 0; ok && a < study->axis_count; a++)
        ok = add(columns, study->axes[a].name, err);
    for (size_t a = 0; ok && a < study->axis_count; a++) {
        if (!study->axes[a].has_baseline) continue;
        size_t size = strlen(study->axes[a].name) + sizeof "_baseline";
        char *name = hd_arena_new(&columns->arena, size);
        if (name) snprintf(name, size, "%s_baseline", study->axes[a].name);
        ok = name ? add(columns, name, err) : out_of_memory(err);
    }
    size_t own = columns->count; // of points: behind those
    for (size_t a = 0; ok && a < study->axis_count; a++)
        for (size_t i = 0; ok && i < study->axes[a].count; i++)
            for (size_t c = 0; ok && c < study->axes[a].points[i].column_count; c++) {
                const char *name = study->axes[a].points[i].columns[c].name;
                ok = find(columns, name) >= own
                         ? add(columns, name, err)
                         : hd_fail(err, "%s: the axis %s has a column '%s', which is the name of "
                                        "an axis", study->path, study->axes[a].name, name);
            }
    return ok && add(columns, "scale", err);
}

static void set_cells(Cell *cells, const Columns *columns, const Study *study,
                      const size_t *points, double scale)
{
    memset(cells, 0, columns->count * sizeof *cells);
    for (size_t a = 0; a < study->axis_count; a++) {
        const StudyPoint *point = &study->axes[a].points[points[a]];
        cells[a] = (Cell){.kind = CELL_TEXT, .text = point->name};
        if (study->axes[a].has_baseline)
            cells[baseline_column(columns, &study->axes[a])] = (Cell){
                .kind = CELL_TEXT, .text = point->baseline ? point->baseline : point->name};
        for (size_t c = 0; c < point->column_count; c++)
            cells[find(columns, point->columns[c].name)] = point->columns[c].value;
    }
    cells[find(columns, "scale")] = (Cell){.kind = CELL_REAL, .real = scale};
}

// Moves on to the next combination. false: that was the last one.
static bool next(const Study *study, size_t *points)
{
    for (size_t a = study->axis_count; a--;) {
        if (++points[a] < study->axes[a].count) return true;
        points[a] = 0;
    }
    return false;
}

// All combinations. Returns how many there are; 0 and err: too many, or an error.
static bool insert_all(Store *tables, const Columns *columns, const Study *study, double scale,
                       HdError *err)
{
    size_t count = 1;
    for (size_t a = 0; a < study->axis_count; a++)
        if ((count *= study->axes[a].count) > MOST_RUNS)
            return hd_fail(err, "%s: expected at most %d combinations of points", study->path,
                           MOST_RUNS);
    size_t *points = hd_new(study->axis_count, sizeof *points);
    Cell *cells = hd_new(columns->count, sizeof *cells);
    bool ok = (points && cells) || out_of_memory(err);
    if (ok)
        do {
            set_cells(cells, columns, study, points, scale);
            ok = tables_insert(tables, "combinations", cells, columns->count, err);
        } while (ok && next(study, points));
    free(points);
    free(cells);
    return ok;
}

// Sets run_of of the combinations that a point's `when` excludes to NO_RUN.
static bool exclude(Store *tables, const StudyAxis *axis, const StudyPoint *point, size_t *run_of,
                    size_t combinations, HdError *err)
{
    static const char before[] = "SELECT rowid, (";
    Rows rows;
    if (!point->when.text) return true;
    // Quotes of the name are doubled.
    size_t size = 2 * strlen(point->name) + strlen(axis->name) + 64, at;
    char *after = hd_new(size, 1);
    if (!after) return out_of_memory(err);
    at = (size_t)snprintf(after, size, ") IS TRUE FROM combinations WHERE \"%s\" = '", axis->name);
    for (const char *c = point->name; *c; c++) {
        if (*c == '\'') after[at++] = '\'';
        after[at++] = *c;
    }
    after[at] = '\'';
    bool ok = ask(tables, before, &point->when, after, &rows, err);
    for (size_t i = 0; ok && i < rows.count; i++) {
        int64_t row = rows_cell(&rows, i, 0)->integer;
        if (row < 1 || (uint64_t)row > combinations) continue;
        if (!rows_cell(&rows, i, 1)->integer) run_of[row - 1] = (size_t)NO_RUN;
    }
    rows_free(&rows);
    free(after);
    return ok;
}

// ---- words ----

// Replaces {SQL} in a text of the study for the run `index`.
static char *expand(Store *tables, const StudyText *text, size_t index, HdError *err)
{
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    bool ok = out || out_of_memory(err);
    QueryPlace place = text->place;
    for (const char *at = text->text; ok && *at; at++, place.column++) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        if (*at == '\n') {
            place.column = place.indent;
            place.line++;
        }
        if (!end) {
            fputc(*at, out);
            continue;
        }
        char expression[EXPRESSION], after[64];
        Rows rows;
        if (end - at > EXPRESSION) {
            ok = hd_fail_at(err, place.name, place.line, place.column,
                            "expected at most %d characters in {}", EXPRESSION);
            break;
        }
        snprintf(expression, sizeof expression, "%.*s", (int)(end - at - 1), at + 1);
        snprintf(after, sizeof after, ") FROM points WHERE rowid = %zu", index + 1);
        StudyText one = {expression, {.name = place.name, .line = place.line,
                                      .column = place.column + 1}};
        ok = ask(tables, "SELECT (", &one, after, &rows, err);
        if (ok && (rows.count != 1 || rows.columns != 1))
            ok = hd_fail_at(err, place.name, place.line, place.column,
                            "{%s}: expected one value", expression);
        if (ok) {
            const Cell *cell = rows_cell(&rows, 0, 0);
            if (cell->kind == CELL_TEXT) fputs(cell->text, out);
            else if (cell->kind == CELL_INTEGER) fprintf(out, "%lld", (long long)cell->integer);
            else if (cell->kind == CELL_REAL) fprintf(out, "%.10g", cell->real);
            else ok = hd_fail_at(err, place.name, place.line, place.column,
                                 "{%s} has no value", expression);
        }
        rows_free(&rows);
        place.column += (int)(end - at);
        at = end;
    }
    if (out) fclose(out);
    if (ok) return result;
    free(result);
    return NULL;
}

// Characters of the word, with its quotes.
static size_t word_length(const char *text)
{
    const char *at = text;
    char quote = 0;
    for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"') quote = quote ? 0 : *at;
    }
    return (size_t)(at - text);
}

// Adds the words of a text: what is between blanks, or in single or double quotes.
static bool add_words(StudyRun *run, const char *text, HdArena *arena, HdError *err)
{
    size_t capacity = run->word_count ? run->word_count + 1 : 0;
    for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        char quote = 0, *word = hd_arena_text(arena, at, word_length(at)), *to = word;
        if (!word) return out_of_memory(err);
        for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
            if (quote ? *at == quote : *at == '\'' || *at == '"') quote = quote ? 0 : *at;
            else *to++ = *at;
        }
        *to = 0;
        if (!hd_reserve(&run->words, run->word_count + 1, &capacity, sizeof *run->words))
            return out_of_memory(err);
        run->words[run->word_count++] = word;
        run->words[run->word_count] = NULL;
    }
    return true;
}

static bool make_words(StudyRun *run, const Study *study, Store *tables, size_t index,
                       HdArena *arena, HdError *err)
{
    bool ok = true;
    for (size_t a = 0; ok && a <= study->axis_count; a++) {
        const StudyText *text =
            a ? &study->axes[a - 1].points[run->points[a - 1]].run : &study->run;
        if (!text->text) continue;
        char *expanded = expand(tables, text, index, err);
        ok = expanded && add_words(run, expanded, arena, err);
        free(expanded);
    }
    return ok && (run->word_count ||
                  hd_fail(err, "%s: the run %s has no words: expected a workload in `run`",
                          study->path, run->name));
}

// ---- runs ----

static bool name_run(StudyRun *run, const Study *study, HdArena *arena, HdError *err)
{
    size_t size = 1;
    for (size_t a = 0; a < study->axis_count; a++)
        size += strlen(study->axes[a].points[run->points[a]].name) + 1;
    char *name = hd_arena_new(arena, size);
    if (!name) return out_of_memory(err);
    for (size_t a = 0; a < study->axis_count; a++) {
        if (a) strcat(name, ".");
        strcat(name, study->axes[a].points[run->points[a]].name);
    }
    run->name = name;
    return true;
}

// The number of the combination of these points.
static size_t combination(const Study *study, const size_t *points)
{
    size_t number = 0;
    for (size_t a = 0; a < study->axis_count; a++)
        number = number * study->axes[a].count + points[a];
    return number;
}

// Sets the runs that one is relative to: those with the baselines of one or several of its axes in
// place of its own points. run_of: by combination. `points` has room for one of each axis.
static bool set_run_baselines(StudyMatrix *matrix, StudyRun *run, const Study *study,
                              const size_t *run_of, size_t *points, HdError *err)
{
    enum { MOST_AXES = 8 };
    size_t axes[MOST_AXES], baselines[MOST_AXES], count = 0;
    for (size_t a = 0; a < study->axis_count; a++) {
        const StudyAxis *axis = &study->axes[a];
        const char *baseline = axis->points[run->points[a]].baseline;
        if (!baseline) continue;
        if (count == MOST_AXES)
            return hd_fail(err, "%s: expected at most %d axes with baselines", study->path,
                           MOST_AXES);
        axes[count] = a;
        for (baselines[count] = 0; strcmp(axis->points[baselines[count]].name, baseline) != 0;)
            baselines[count]++;
        count++;
    }
    size_t subsets = ((size_t)1 << count) - 1;
    if (!subsets) return true;
    run->baselines = hd_arena_new(&matrix->arena, subsets * sizeof *run->baselines);
    if (!run->baselines) return out_of_memory(err);
    for (size_t subset = 1; subset <= subsets; subset++) {
        memcpy(points, run->points, study->axis_count * sizeof *points);
        for (size_t i = 0; i < count; i++)
            if (subset >> i & 1) points[axes[i]] = baselines[i];
        size_t other = run_of[combination(study, points)];
        if (other != (size_t)NO_RUN) run->baselines[run->baseline_count++] = other;
    }
    return true;
}

static bool set_baselines(StudyMatrix *matrix, const Study *study, const size_t *run_of,
                          HdError *err)
{
    size_t *points = hd_new(study->axis_count, sizeof *points);
    bool ok = points || out_of_memory(err);
    for (size_t i = 0; ok && i < matrix->count; i++)
        ok = set_run_baselines(matrix, &matrix->runs[i], study, run_of, points, err);
    free(points);
    return ok;
}

// Makes the table `points` and the runs of the combinations that no `when` excludes, whose run_of
// is not NO_RUN; sets run_of of the others.
static bool take_runs(StudyMatrix *matrix, const Study *study, Store *tables,
                      const Columns *columns, size_t *run_of, double scale, HdError *err)
{
    size_t *points = hd_arena_new(&matrix->arena, study->axis_count * sizeof *points);
    Cell *cells = hd_new(columns->count, sizeof *cells);
    bool ok = (points && cells) || out_of_memory(err);
    size_t number = 0;
    do {
        if (!ok || run_of[number++] == (size_t)NO_RUN) continue;
        run_of[number - 1] = matrix->count;
        StudyRun run = {.points = hd_arena_new(&matrix->arena,
                                               study->axis_count * sizeof *run.points)};
        if (run.points) memcpy(run.points, points, study->axis_count * sizeof *points);
        set_cells(cells, columns, study, points, scale);
        ok = (run.points || out_of_memory(err)) && name_run(&run, study, &matrix->arena, err) &&
             tables_insert(tables, "points", cells, columns->count, err) &&
             (HD_PUSH(matrix->runs, matrix->count, matrix->capacity, run) || out_of_memory(err));
    } while (ok && next(study, points));
    free(cells);
    for (size_t i = 0; ok && i < matrix->count; i++)
        ok = make_words(&matrix->runs[i], study, tables, i, &matrix->arena, err);
    return ok && set_baselines(matrix, study, run_of, err);
}

bool study_matrix_make(StudyMatrix *matrix, const Study *study, Store *tables, double scale,
                       HdError *err)
{
    Columns columns = {0};
    size_t count = 1;
    *matrix = (StudyMatrix){0};
    bool ok = list_columns(&columns, study, err) && tables_begin(tables, err);
    if (ok) {
        ok = tables_create(tables, "combinations", columns.names, columns.count, err) &&
             tables_create(tables, "points", columns.names, columns.count, err) &&
             insert_all(tables, &columns, study, scale, err);
        for (size_t a = 0; a < study->axis_count; a++) count *= study->axes[a].count;
        size_t *run_of = ok ? hd_new(count, sizeof *run_of) : NULL;
        ok = ok && (run_of || out_of_memory(err));
        for (size_t a = 0; ok && a < study->axis_count; a++)
            for (size_t i = 0; ok && i < study->axes[a].count; i++)
                ok = exclude(tables, &study->axes[a], &study->axes[a].points[i], run_of, count,
                             err);
        ok = ok && take_runs(matrix, study, tables, &columns, run_of, scale, err);
        free(run_of);
        ok = tables_end(tables, ok ? err : NULL) && ok;
    }
    free(columns.names);
    hd_arena_free(&columns.arena);
    return ok;
}

void study_matrix_free(StudyMatrix *matrix)
{
    for (size_t i = 0; i < matrix->count; i++) free(matrix->runs[i].words);
    free(matrix->runs);
    hd_arena_free(&matrix->arena);
    *matrix = (StudyMatrix){0};
}
