// Reads a study file.
#include "study/study.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "study/study_points.h"
#include "study/study_yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADD(list, ...)                                                                             \
    (HD_PUSH(study->list##s, study->list##_count, study->list##_capacity, __VA_ARGS__) ||          \
     hd_fail_memory(file->err, "reading a study"))

enum { MOST_TEXT = 4 << 20 }; // bytes of a study

// ---- lists ----

// A name that is a file of its folder, and none that programs look for.
static bool is_file_name(const char *name)
{
    bool good = text_is_alphanumeric(*name);
    for (const char *c = name; *c; c++) good &= text_is_alphanumeric(*c) || strchr("-_.", *c);
    return good;
}

// Names of tables and views in SQL differ.
static bool check_table(const YamlFile *file, const yaml_node_t *node, const Study *study,
                        const char *name)
{
    static const char *const ours[] = {"points", "run", "launch", "point", "options", "structures",
                                       "combinations", NULL};
    bool taken = false;
    for (size_t i = 0; ours[i]; i++) taken |= text_same_name(ours[i], name);
    for (size_t i = 0; i < study->record_count; i++)
        taken |= text_same_name(study->records[i].name, name);
    for (size_t i = 0; i < study->view_count; i++)
        taken |= text_same_name(study->views[i].name, name);
    bool good = *name != 0;
    for (const char *c = name; *c; c++) good &= text_is_alphanumeric(*c) || *c == '_';
    if (!good)
        return yaml_fail(file, node, "'%s': expected a name of letters, digits and _", name);
    return !taken || yaml_fail(file, node, "'%s' is the name of another table of the study: "
                               "expected a new one", name);
}

static bool read_record(YamlFile *file, yaml_node_t *node, void *values)
{
    static const Key keys[] = {
        {"name", KEY_TEXT, offsetof(StudyRecord, name), true, 0},
        {"file", KEY_TEXT, offsetof(StudyRecord, file), true, 0},
        {"key", KEY_PLACED, offsetof(StudyRecord, key), false, 0},
        {"where", KEY_PLACED, offsetof(StudyRecord, where), false, 0},
        {"sql", KEY_PLACED, offsetof(StudyRecord, sql), false, 0},
        {"degrees", KEY_FLAG, offsetof(StudyRecord, degrees), false, 0},
        {0}};
    Study *study = values;
    StudyRecord record = {0};
    if (!yaml_read_keys(file, node, keys, "a record", NULL, &record)) return false;
    if (!record.sql.text == !record.degrees)
        return yaml_fail(file, node, "record %s: expected `sql` or `degrees`, and not both",
                         record.name);
    if (record.degrees && !record.key.text)
        return yaml_fail(file, node, "record %s: expected a `key` that tells the graphs apart",
                         record.name);
    size_t length = strlen(record.file);
    if (!is_file_name(record.file) || length <= 4 ||
        strcmp(record.file + length - 4, ".csv") != 0)
        return yaml_fail(file, node, "file: expected a name without a folder, of letters, digits, "
                         "- and _, that ends with .csv");
    for (size_t i = 0; i < study->record_count; i++)
        if (strcmp(study->records[i].file, record.file) == 0)
            return yaml_fail(file, node, "file: another record has '%s'", record.file);
    return check_table(file, node, study, record.name) && ADD(record, record);
}

static bool read_view(YamlFile *file, yaml_node_t *node, void *values)
{
    static const Key keys[] = {{"name", KEY_TEXT, offsetof(StudyView, name), true, 0},
                               {"sql", KEY_PLACED, offsetof(StudyView, sql), true, 0},
                               {0}};
    Study *study = values;
    StudyView view = {0};
    return yaml_read_keys(file, node, keys, "a view", NULL, &view) &&
           check_table(file, node, study, view.name) && ADD(view, view);
}

static bool read_table(YamlFile *file, yaml_node_t *node, void *values)
{
    static const Key keys[] = {
        {"name", KEY_TEXT, offsetof(StudyTable, name), true, 0},
        {"align", KEY_TEXT, offsetof(StudyTable, align), false, 0},
        {"only_rows", KEY_FLAG, offsetof(StudyTable, only_rows), false, 0},
        {"only_page", KEY_FLAG, offsetof(StudyTable, only_page), false, 0},
        {"sql", KEY_PLACED, offsetof(StudyTable, sql), true, 0},
        {0}};
    Study *study = values;
    StudyTable table = {0};
    if (!yaml_read_keys(file, node, keys, "a table", NULL, &table)) return false;
    if (table.align && strspn(table.align, "lr") != strlen(table.align))
        return yaml_fail(file, node, "align: expected l or r for each column, such as lrr");
    for (size_t i = 0; i < study->table_count; i++)
        if (strcmp(study->tables[i].name, table.name) == 0)
            return yaml_fail(file, node, "there are two tables '%s'", table.name);
    return ADD(table, table);
}

static bool read_figure(YamlFile *file, yaml_node_t *node, void *values)
{
    static const Key keys[] = {
        {"name", KEY_TEXT, offsetof(StudyFigure, name), true, 0},
        {"title", KEY_TEXT, offsetof(StudyFigure, title), true, 0},
        {"kind", KEY_TEXT, offsetof(StudyFigure, kind), true, 0},
        {"x", KEY_TEXT, offsetof(StudyFigure, x), false, 0},
        {"y", KEY_TEXT, offsetof(StudyFigure, y), true, 0},
        {"note", KEY_TEXT, offsetof(StudyFigure, note), false, 0},
        {"log_x", KEY_FLAG, offsetof(StudyFigure, log_x), false, 0},
        {"log_y", KEY_FLAG, offsetof(StudyFigure, log_y), false, 0},
        {"wide", KEY_FLAG, offsetof(StudyFigure, wide), false, 0},
        {"own_limits", KEY_FLAG, offsetof(StudyFigure, own_limits), false, 0},
        {"y_min", KEY_NUMBER, offsetof(StudyFigure, y_min), false, 0},
        {"y_max", KEY_NUMBER, offsetof(StudyFigure, y_max), false, 0},
        {"line", KEY_NUMBER, offsetof(StudyFigure, line), false, offsetof(StudyFigure, has_line)},
        {"needs", KEY_PLACED, offsetof(StudyFigure, needs), false, 0},
        {"sql", KEY_PLACED, offsetof(StudyFigure, sql), true, 0},
        {0}};
    Study *study = values;
    StudyFigure figure = {.place = {.name = file->path, .line = (int)node->start_mark.line + 1,
                                    .column = (int)node->start_mark.column + 1}};
    if (!yaml_read_keys(file, node, keys, "a figure", NULL, &figure)) return false;
    if (!is_file_name(figure.name))
        return yaml_fail(file, node, "name: expected letters, digits, - and _, as of a file");
    for (size_t i = 0; i < study->figure_count; i++)
        if (strcmp(study->figures[i].name, figure.name) == 0)
            return yaml_fail(file, node, "there are two figures '%s'", figure.name);
    return ADD(figure, figure);
}

static bool read_claim(YamlFile *file, yaml_node_t *node, void *values)
{
    static const Key keys[] = {
        {"id", KEY_TEXT, offsetof(StudyClaim, id), true, 0},
        {"source", KEY_TEXT, offsetof(StudyClaim, source), true, 0},
        {"metric", KEY_TEXT, offsetof(StudyClaim, metric), true, 0},
        {"mechanism", KEY_TEXT, offsetof(StudyClaim, mechanism), false, 0},
        {"work", KEY_TEXT, offsetof(StudyClaim, work), false, 0},
        {"unit", KEY_TEXT, offsetof(StudyClaim, unit), false, 0},
        {"statistic", KEY_TEXT, offsetof(StudyClaim, statistic), false, 0},
        {"published", KEY_TEXT, offsetof(StudyClaim, published), true, 0},
        {"neutral", KEY_NUMBER, offsetof(StudyClaim, neutral), false, 0},
        {"tolerance", KEY_NUMBER, offsetof(StudyClaim, tolerance), false, 0},
        {"cannot_fail", KEY_FLAG, offsetof(StudyClaim, cannot_fail), false, 0},
        {"reason", KEY_TEXT, offsetof(StudyClaim, reason), false, 0},
        {"sql", KEY_PLACED, offsetof(StudyClaim, sql), false, 0},
        {0}};
    static const char *const statistics[] = {"value", "amean", "gmean", "hmean", "max", "min",
                                             "above", "below", NULL};
    Study *study = values;
    StudyClaim claim = {.tolerance = 0.3};
    if (!yaml_read_keys(file, node, keys, "a claim", NULL, &claim)) return false;
    char *end;
    number_read(claim.published, &end);
    if (end == claim.published || *end || !isfinite(number_read(claim.published, &end)))
        return yaml_fail(file, node, "published: expected a number, not '%s'", claim.published);
    if (!isfinite(claim.neutral)) return yaml_fail(file, node, "neutral: expected a number");
    if (!(claim.tolerance >= 0) || !isfinite(claim.tolerance))
        return yaml_fail(file, node, "tolerance: expected a number of at least 0");
    if (claim.statistic && !hd_is_among(claim.statistic, statistics))
        return yaml_fail(file, node, "statistic: '%s': expected value, amean, gmean, hmean, max, "
                         "min, above or below", claim.statistic);
    for (size_t i = 0; i < study->claim_count; i++)
        if (strcmp(study->claims[i].id, claim.id) == 0)
            return yaml_fail(file, node, "there are two claims '%s'", claim.id);
    return ADD(claim, claim);
}

// ---- the file ----

// "folder/khairy2015.yaml" to "khairy2015".
static bool set_name(YamlFile *file, Study *study)
{
    const char *slash = strrchr(file->path, '/'), *base = slash ? slash + 1 : file->path;
    const char *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    study->path = hd_arena_text(file->arena, file->path, strlen(file->path));
    study->name = hd_arena_text(file->arena, base, length);
    if (!study->name || !study->path) return hd_fail_memory(file->err, "reading a study");
    file->path = study->path;
    return true;
}

static bool read_root(YamlFile *file, Study *study)
{
    static const Key keys[] = {{"title", KEY_TEXT, offsetof(Study, title), true, 0},
                               {"paper", KEY_TEXT, offsetof(Study, paper), false, 0},
                               {"claims_of", KEY_TEXT, offsetof(Study, paper_name), false, 0},
                               {"run", KEY_PLACED, offsetof(Study, run), false, 0},
                               {"axes", KEY_LIST, 0, true, 0},
                               {"records", KEY_LIST, 0, false, 0},
                               {"views", KEY_LIST, 0, false, 0},
                               {"tables", KEY_LIST, 0, false, 0},
                               {"figures", KEY_LIST, 0, false, 0},
                               {"claims", KEY_LIST, 0, false, 0},
                               {"page", KEY_PLACED, offsetof(Study, page), false, 0},
                               {0}};
    yaml_node_t *root = yaml_document_get_root_node(&file->document);
    if (!root) return hd_fail_at(file->err, file->path, 1, 1, "expected a study, found nothing");
    study->paper_name = study->name;
    return yaml_read_keys(file, root, keys, "a study", NULL, study) &&
           study_read_axes(file, yaml_member(file, root, "axes"), study) &&
           yaml_read_list(file, yaml_member(file, root, "records"), read_record, "records",
                          study) &&
           yaml_read_list(file, yaml_member(file, root, "views"), read_view, "views", study) &&
           yaml_read_list(file, yaml_member(file, root, "tables"), read_table, "tables", study) &&
           yaml_read_list(file, yaml_member(file, root, "figures"), read_figure, "figures",
                          study) &&
           yaml_read_list(file, yaml_member(file, root, "claims"), read_claim, "claims", study);
}

// libyaml takes time by the square of the depth, so lists and keys in braces are bounded before it
// reads them. Quoted texts and comments count as well.
static bool check_depth(const char *path, const char *text, size_t size, HdError *err)
{
    enum { MOST_DEPTH = 1000 };
    int depth = 0, line = 1;
    for (size_t i = 0; i < size && depth <= MOST_DEPTH; i++) {
        line += text[i] == '\n';
        if (text[i] == '[' || text[i] == '{') depth++;
        else if ((text[i] == ']' || text[i] == '}') && depth) depth--;
    }
    return depth <= MOST_DEPTH ||
           hd_fail_at(err, path, line, 1, "expected at most %d open [ and {", MOST_DEPTH);
}

static bool fail_yaml(const YamlFile *file, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) return hd_fail_memory(file->err, "reading a study");
    return hd_fail_at(file->err, file->path, (int)parser->problem_mark.line + 1,
                      (int)parser->problem_mark.column + 1, "%s",
                      parser->problem ? parser->problem : "no YAML");
}

bool study_read_text(Study *study, const char *path, const char *text, size_t size, HdError *err)
{
    *study = (Study){0};
    yaml_parser_t parser;
    YamlFile file = {.path = path, .text = text, .size = size, .arena = &study->arena,
                     .err = err};
    if (!set_name(&file, study) || !check_depth(path, text, size, err)) return false;
    if (!yaml_parser_initialize(&parser)) return hd_fail_memory(err, "reading a study");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool ok = yaml_parser_load(&parser, &file.document) || fail_yaml(&file, &parser);
    if (ok) {
        ok = read_root(&file, study);
        yaml_document_delete(&file.document);
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool study_read(Study *study, const char *path, HdError *err)
{
    size_t size;
    *study = (Study){0};
    bool there, ok = file_is_there(path, &there, err);
    char *text = ok ? file_read_most(path, MOST_TEXT, &size, err) : NULL;
    ok = text && study_read_text(study, path, text, size, err);
    free(text);
    return ok;
}

void study_free(Study *study)
{
    for (size_t a = 0; a < study->axis_count; a++) {
        for (size_t i = 0; i < study->axes[a].count; i++) free(study->axes[a].points[i].columns);
        free(study->axes[a].points);
    }
    free(study->axes);
    free(study->records);
    free(study->views);
    free(study->tables);
    free(study->figures);
    free(study->claims);
    hd_arena_free(&study->arena);
    *study = (Study){0};
}
