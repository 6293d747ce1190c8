// Prints tables and the page of a study.
#include "study/study_print.h"

#include <stdlib.h>
#include <string.h>

// ---- tables ----

static bool check_align(const StudyTable *table, const Rows *rows, HdError *err)
{
    return !table->align || strlen(table->align) == rows->columns ||
           hd_fail_at(err, table->sql.place.name, table->sql.place.line, table->sql.place.column,
                      "table %s: align: expected %zu letters, one for each column, found '%s'",
                      table->name, rows->columns, table->align);
}

bool study_print_table(const StudyTable *table, Store *tables, FILE *out, HdError *err)
{
    Rows rows;
    bool ok = store_query(tables, table->sql.text, &table->sql.place, &rows, err) &&
              check_align(table, &rows, err);
    if (ok && !rows.count) fputs("Not run yet.\n", out);
    else if (ok)
        ok = rows_print_markdown(&rows, table->align, out) ||
             hd_fail_memory(err, "printing a table");
    rows_free(&rows);
    return ok;
}

// ---- the page ----

// The name in a line "{{what NAME}}", at most `size` characters. false: the line is another one.
static bool is_place(const char *line, size_t length, const char *what, char *name, size_t size)
{
    size_t front = strlen("{{") + strlen(what) + 1;
    if (length < front + strlen("x}}") || strncmp(line, "{{", 2) != 0 ||
        strncmp(line + 2, what, strlen(what)) != 0 || line[front - 1] != ' ' ||
        strncmp(line + length - 2, "}}", 2) != 0)
        return false;
    snprintf(name, size, "%.*s", (int)(length - front - 2), line + front);
    return true;
}

enum { MOST_NAMES = 256 };

static bool fail_named(const char *what, const char *name, const char *const *names, int count,
                       const QueryPlace *place, HdError *err)
{
    char all[512];
    hd_list_names(all, sizeof all, names, count);
    return hd_fail_at(err, place->name, place->line, place->column,
                      "there is no %s '%s': expected one of %s", what, name, count ? all : "none");
}

static bool print_named_table(const Study *study, Store *tables, const char *name,
                              const QueryPlace *place, FILE *out, HdError *err)
{
    const char *names[MOST_NAMES] = {0};
    int count = 0;
    for (size_t i = 0; i < study->table_count; i++) {
        if (strcmp(study->tables[i].name, name) == 0)
            return study_print_table(&study->tables[i], tables, out, err);
        if (count < MOST_NAMES) names[count++] = study->tables[i].name;
    }
    return fail_named("table", name, names, count, place, err);
}

// A figure without rows is not drawn, so there is no file to link.
static bool print_figure(const Study *study, Store *tables, const StudyFigure *figure,
                         const char *folder, FILE *out, HdError *err)
{
    Rows rows;
    bool ok = store_query(tables, figure->sql.text, &figure->sql.place, &rows, err);
    if (ok && rows.count)
        fprintf(out, "![%s](%s/%s-%s.svg)\n", figure->title, folder, study->name, figure->name);
    else if (ok)
        fprintf(out, "%s: not run yet.\n", figure->title);
    rows_free(&rows);
    return ok;
}

static bool print_named_figure(const Study *study, Store *tables, const char *name,
                               const char *folder, const QueryPlace *place, FILE *out, HdError *err)
{
    const char *names[MOST_NAMES] = {0};
    int count = 0;
    for (size_t i = 0; i < study->figure_count; i++) {
        if (strcmp(study->figures[i].name, name) == 0)
            return print_figure(study, tables, &study->figures[i], folder, out, err);
        if (count < MOST_NAMES) names[count++] = study->figures[i].name;
    }
    return fail_named("figure", name, names, count, place, err);
}

bool study_print_page(const Study *study, Store *tables, const char *figure_folder, FILE *out,
                      HdError *err)
{
    char name[128];
    const char *at = study->page.text;
    QueryPlace place = study->page.place;
    if (!at) return hd_fail(err, "%s: the study has no page", study->path);
    for (bool ok = true; *at; place.line++) {
        size_t length = strcspn(at, "\n");
        if (is_place(at, length, "table", name, sizeof name)) {
            ok = print_named_table(study, tables, name, &place, out, err);
        } else if (is_place(at, length, "figure", name, sizeof name)) {
            ok = print_named_figure(study, tables, name, figure_folder, &place, out, err);
        } else if (memmem(at, length, "{{table ", 8) || memmem(at, length, "{{figure ", 9)) {
            ok = hd_fail_at(err, place.name, place.line, place.column,
                            "expected {{table NAME}} or {{figure NAME}} in a line of its own");
        } else {
            fprintf(out, "%.*s\n", (int)length, at);
        }
        if (!ok) return false;
        at += length + (at[length] == '\n');
    }
    return true;
}
