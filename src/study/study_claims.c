// Judges and prints claims.
#include "study/study_claims.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// As papers print values of this unit; of another unit with four digits.
static void show(char text[32], double value, const char *unit)
{
    static const char *const hundredths[] = {"ratio", "KB", "accesses/request", NULL};
    static const char *const whole[] = {"benchmarks", "bits", "bytes", "count", "edges/vertex",
                                        "iterations", "kilo-cycles", "lanes", "levels",
                                        "prefetches", "registers", "requests", "requests/access",
                                        "sets", "warps", NULL};
    if (unit && strncmp(unit, "percent", 7) == 0) number_format(text, 32, "%.1f", value);
    else if (unit && hd_is_among(unit, hundredths)) number_format(text, 32, "%.2f", value);
    else if (unit && hd_is_among(unit, whole)) number_format(text, 32, "%.0f", value);
    else number_format(text, 32, "%.4g", value);
}

static void judge(const StudyClaim *claim, ClaimResult *r)
{
    char *end;
    double published = number_read(claim->published, &end), shown = number_read(r->shown, &end);
    double effect = published - claim->neutral, ours = shown - claim->neutral;
    double near = claim->unit && strcmp(claim->unit, "ratio") != 0 ? 1 : 0.01;
    const char *kind = claim->statistic ? claim->statistic : "";
    if ((strcmp(kind, "above") == 0 && shown >= published) ||
        (strcmp(kind, "below") == 0 && shown <= published)) {
        r->right_sign = r->within = true;
    } else if (effect == 0) {
        r->right_sign = r->within = fabs(ours) < near;
    } else {
        r->right_sign = effect * (r->value - claim->neutral) > 0;
        r->within = r->right_sign && fabs(ours - effect) <= claim->tolerance * fabs(effect);
    }
}

static bool fail(const StudyClaim *claim, const char *found, HdError *err)
{
    const QueryPlace *place = &claim->sql.place;
    return hd_fail_at(err, place->name, place->line, place->column,
                      "claim %s: expected a row with a number, and perhaps that of all launches "
                      "and a text, found %s", claim->id, found);
}

static bool take_number(const Cell *cell, double *value)
{
    if (cell->kind == CELL_INTEGER) *value = (double)cell->integer;
    else if (cell->kind == CELL_REAL) *value = cell->real;
    return cell->kind == CELL_INTEGER || cell->kind == CELL_REAL;
}

bool study_measure(const StudyClaim *claim, Store *tables, ClaimResult *result, HdError *err)
{
    Rows rows;
    *result = (ClaimResult){0};
    if (!claim->sql.text) return true;
    bool ok = store_query(tables, claim->sql.text, &claim->sql.place, &rows, err);
    if (ok && (rows.columns > 3 || rows.count > 1))
        ok = fail(claim, "several rows or columns", err);
    const Cell *cells = ok && rows.count ? rows_cell(&rows, 0, 0) : NULL;
    if (cells && cells[0].kind == CELL_TEXT) ok = fail(claim, "a text", err);
    if (ok && cells && take_number(&cells[0], &result->value)) {
        result->measured = true;
        result->all_launches = result->value;
        if (rows.columns > 1) take_number(&cells[1], &result->all_launches);
        if (rows.columns > 2 && cells[2].kind == CELL_TEXT &&
            snprintf(result->inputs, sizeof result->inputs, "%s", cells[2].text) >=
                (int)sizeof result->inputs)
            ok = fail(claim, "a longer text than 511 characters", err);
        show(result->shown, result->value, claim->unit);
        show(result->shown_all, result->all_launches, claim->unit);
        judge(claim, result);
    }
    rows_free(&rows);
    return ok;
}

bool study_count_claims(const Study *study, Store *tables, ClaimCounts *counts, HdError *err)
{
    *counts = (ClaimCounts){.claims = study->claim_count};
    for (size_t i = 0; i < study->claim_count; i++) {
        ClaimResult r;
        if (!study_measure(&study->claims[i], tables, &r, err)) return false;
        bool counted = r.measured && !study->claims[i].cannot_fail;
        counts->comparable += counted;
        counts->right_sign += counted && r.right_sign;
        counts->within += counted && r.within;
    }
    return true;
}

static Cell text_cell(const char *text)
{
    return text && *text ? (Cell){.kind = CELL_TEXT, .text = text} : (Cell){.kind = CELL_NULL};
}

static const char *yes(bool flag) { return flag ? "yes" : "no"; }

static bool print_claim(const Study *study, const StudyClaim *c, const ClaimResult *r,
                        bool heading, FILE *out)
{
    static const char *names[] = {"id", "paper", "source", "metric", "mechanism", "workload",
                                  "unit", "published", "ours", "ours_all_launches", "inputs",
                                  "comparable", "sign_right", "within_30_percent", "reason"};
    bool counted = r->measured && !c->cannot_fail;
    const char *why = !r->measured ? c->sql.text ? "not measured yet" : c->reason
                      : !counted || !r->within ? c->reason
                                               : NULL;
    Cell cells[] = {text_cell(c->id), text_cell(study->paper_name), text_cell(c->source),
                    text_cell(c->metric), text_cell(c->mechanism), text_cell(c->work),
                    text_cell(c->unit), text_cell(c->published), text_cell(r->shown),
                    text_cell(r->shown_all), text_cell(r->inputs), text_cell(yes(counted)),
                    text_cell(counted ? yes(r->right_sign) : ""),
                    text_cell(counted ? yes(r->within) : ""), text_cell(why)};
    Rows rows = {.names = names, .cells = cells, .columns = sizeof cells / sizeof *cells,
                 .count = 1};
    if (heading) return rows_print(&rows, ROWS_CSV, out);
    rows_print_csv_rows(&rows, out);
    return true;
}

bool study_print_claims(const Study *study, Store *tables, bool heading, FILE *out, HdError *err)
{
    for (size_t i = 0; i < study->claim_count; i++) {
        ClaimResult r;
        if (!study_measure(&study->claims[i], tables, &r, err)) return false;
        if (!print_claim(study, &study->claims[i], &r, heading && i == 0, out))
            return hd_fail_memory(err, "printing claims");
    }
    return true;
}
