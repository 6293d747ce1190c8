// Checks a study on tables without rows.
#include "cli/study/study_check.h"

#include "cli/study/study_figures.h"
#include "cli/study/study_session.h"
#include "study/study_data.h"
#include "study/study_print.h"

#include <stdio.h>
#include <stdlib.h>

static bool check_sql(const StudyText *sql, Store *tables, HdError *err)
{
    return !sql->text || store_check(tables, sql->text, &sql->place, err);
}

static bool check_figure(const StudyFigure *figure, const StudyMatrix *matrix, Store *tables,
                         HdError *err)
{
    size_t *runs = NULL, count;
    bool ok = study_figure_check(figure, err) &&
              study_matrix_select(matrix, tables, &figure->needs, &runs, &count, err) &&
              check_sql(&figure->sql, tables, err);
    free(runs);
    return ok;
}

static bool check_page(const Study *study, Store *tables, HdError *err)
{
    FILE *out = study->page.text ? fopen("/dev/null", "w") : NULL;
    bool ok = !out || study_print_page(study, tables, "figures", out, err);
    if (out) fclose(out);
    return ok;
}

bool study_check(const Study *study, double scale, HdError *err)
{
    Store *tables = NULL;
    StudyMatrix matrix;
    bool ok = study_session_tables(study, NULL, &(SessionOptions){.scale = scale}, &tables,
                                   &matrix, err) &&
              study_data_check(study, &matrix, tables, err) &&
              study_data_views(study, tables, err);
    for (size_t i = 0; ok && i < study->table_count; i++)
        ok = check_sql(&study->tables[i].sql, tables, err);
    for (size_t i = 0; ok && i < study->figure_count; i++)
        ok = check_figure(&study->figures[i], &matrix, tables, err);
    for (size_t i = 0; ok && i < study->claim_count; i++)
        ok = check_sql(&study->claims[i].sql, tables, err);
    ok = ok && check_page(study, tables, err);
    study_matrix_free(&matrix);
    store_close(tables);
    return ok;
}
