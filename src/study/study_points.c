// Reads the axes of a study file and their points.
#include "study/study_points.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 10000, LONGEST = 4096 };

static bool out_of_memory(const YamlFile *file)
{
    return hd_fail_memory(file->err, "reading a study");
}

// A name that is a column in SQL without quotes.
static bool check_name(const YamlFile *file, const yaml_node_t *node, const char *name)
{
    bool good = text_is_letter(*name) || *name == '_';
    for (const char *c = name; *c; c++) good &= text_is_alphanumeric(*c) || *c == '_';
    static const char *const ours[] = {"rowid", "oid", "_rowid_", "scale"};
    size_t length = strlen(name), ending = strlen("_baseline");
    bool taken = length > ending && text_same_letters(name + length - ending, "_baseline", ending);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        taken |= text_same_name(name, ours[i]);
    if (good && taken)
        return yaml_fail(file, node, "'%s' is a name that studies have already: expected another",
                         name);
    return good || yaml_fail(file, node, "'%s': expected a name of letters, digits and _", name);
}

static bool add_column(YamlFile *file, StudyPoint *point, const char *name, Cell value)
{
    return HD_PUSH(point->columns, point->column_count, point->column_capacity,
                   (StudyColumn){name, value}) ||
           out_of_memory(file);
}

static bool read_column(YamlFile *file, yaml_node_t *key, yaml_node_t *value, void *values)
{
    const char *name = yaml_text(file, key);
    Cell cell;
    return name && check_name(file, key, name) && yaml_cell(file, value, &cell) &&
           add_column(file, values, name, cell);
}

// ---- for ----

// One name of `for` and its values.
typedef struct Loop {
    const char *name;
    Cell *values;
    size_t count, capacity;
} Loop;

enum { MOST_LOOPS = 8 };

typedef struct Loops {
    Loop items[MOST_LOOPS];
    unsigned count;
} Loops;

// "A..B", of at most nine digits each.
static bool read_range(const char *text, long long *first, long long *last)
{
    char *end;
    if (strlen(text) > 2 * 10 + 2 || strspn(text, "-.0123456789") != strlen(text)) return false;
    *first = strtoll(text, &end, 10);
    if (end == text || strncmp(end, "..", 2) != 0) return false;
    const char *second = end + 2;
    *last = strtoll(second, &end, 10);
    return end != second && !*end;
}

static bool add_value(YamlFile *file, yaml_node_t *node, void *values)
{
    Loop *loop = values;
    Cell cell;
    long long first, last;
    if (!yaml_cell(file, node, &cell)) return false;
    if (loop->count >= MOST_POINTS)
        return yaml_fail(file, node, "expected at most %d values", MOST_POINTS);
    if (cell.kind == CELL_TEXT && read_range(cell.text, &first, &last)) {
        if (last < first || last - first >= MOST_POINTS)
            return yaml_fail(file, node, "'%s': expected a range A..B, with A at most B, of at "
                             "most %d numbers", cell.text, MOST_POINTS);
        for (long long i = first; i <= last; i++)
            if (!HD_PUSH(loop->values, loop->count, loop->capacity,
                         (Cell){.kind = CELL_INTEGER, .integer = i}))
                return out_of_memory(file);
        return true;
    }
    if (cell.kind == CELL_TEXT && strstr(cell.text, ".."))
        return yaml_fail(file, node, "'%s': expected a range A..B of whole numbers", cell.text);
    return HD_PUSH(loop->values, loop->count, loop->capacity, cell) || out_of_memory(file);
}

static bool read_loop(YamlFile *file, yaml_node_t *key, yaml_node_t *value, void *values)
{
    Loops *loops = values;
    const char *name = yaml_text(file, key);
    if (!name || !check_name(file, key, name)) return false;
    if (loops->count == MOST_LOOPS)
        return yaml_fail(file, key, "expected at most %d names in `for`", MOST_LOOPS);
    Loop *loop = &loops->items[loops->count++];
    *loop = (Loop){.name = name};
    return yaml_read_list(file, value, add_value, "values", loop) &&
           (loop->count || yaml_fail(file, value, "expected at least one value"));
}

static void write_cell(FILE *out, const Cell *cell)
{
    if (cell->kind == CELL_TEXT) fputs(cell->text, out);
    else if (cell->kind == CELL_INTEGER) fprintf(out, "%lld", (long long)cell->integer);
    else if (cell->kind == CELL_REAL) fprintf(out, "%g", cell->real);
}

// The column whose name is in the braces at `text`; NULL: none.
static const StudyColumn *named_column(const StudyPoint *point, const char *text)
{
    size_t length = *text == '{' ? strcspn(text, "}") : 0;
    for (size_t i = 0; length && i < point->column_count; i++)
        if (strlen(point->columns[i].name) == length - 1 &&
            strncmp(point->columns[i].name, text + 1, length - 1) == 0)
            return &point->columns[i];
    return NULL;
}

// The text with each {NAME} replaced by the value of this column of the point. NULL and the file's
// error: it is too long.
static const char *replace(YamlFile *file, const yaml_node_t *node, const char *text,
                           const StudyPoint *point)
{
    char *made = NULL;
    size_t size;
    FILE *out = open_memstream(&made, &size);
    while (out && *text) {
        const StudyColumn *column = named_column(point, text);
        if (!column) {
            fputc(*text++, out);
            continue;
        }
        write_cell(out, &column->value);
        text = strchr(text, '}') + 1;
    }
    bool ok = (out && fclose(out) == 0) || out_of_memory(file);
    const char *kept = NULL;
    if (ok && size > LONGEST)
        yaml_fail(file, node, "expected at most %d bytes in a text with {NAME}", LONGEST);
    else if (ok && !(kept = hd_arena_text(file->arena, made, size))) out_of_memory(file);
    free(made);
    return kept;
}

// Replaces {NAME} in columns that are texts; one that is {NAME} alone has its value, perhaps a
// number.
static bool replace_columns(YamlFile *file, const yaml_node_t *node, StudyPoint *point,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Cell *value = &point->columns[i].value;
        if (value->kind != CELL_TEXT || !strchr(value->text, '{')) continue;
        const StudyColumn *whole = named_column(point, value->text);
        if (whole && strlen(whole->name) + 2 == strlen(value->text)) *value = whole->value;
        else if (!(value->text = replace(file, node, value->text, point))) return false;
    }
    return true;
}

// ---- points ----

// loops: it is one of several that `for` makes.
static bool add_point(YamlFile *file, const yaml_node_t *node, bool loops, StudyAxis *axis,
                      StudyPoint *point)
{
    if (!*point->name) return yaml_fail(file, node, "expected a name of the point");
    for (size_t i = 0; i < axis->count; i++)
        if (strcmp(axis->points[i].name, point->name) == 0)
            return yaml_fail(file, node, "there are two points '%s' of the axis %s%s", point->name,
                             axis->name, loops ? ": expected {NAME} of each name in `for` in the "
                                                 "point's name, and each value once" : "");
    if (axis->count == MOST_POINTS)
        return yaml_fail(file, node, "expected at most %d points of an axis", MOST_POINTS);
    return HD_PUSH(axis->points, axis->count, axis->capacity, *point) || out_of_memory(file);
}

// Adds the points of all combinations of the loops' values.
static bool add_points(YamlFile *file, const yaml_node_t *node, const Loops *loops,
                       StudyAxis *axis, const StudyPoint *pattern)
{
    size_t count = 1;
    for (unsigned i = 0; i < loops->count; i++) {
        count *= loops->items[i].count;
        if (count > MOST_POINTS)
            return yaml_fail(file, node, "expected at most %d points of an axis", MOST_POINTS);
    }
    for (size_t n = 0; n < count; n++) {
        StudyPoint point = *pattern;
        size_t rest = n;
        point.columns = NULL;
        point.column_count = point.column_capacity = 0;
        bool ok = true;
        for (size_t i = 0; ok && i < pattern->column_count; i++)
            ok = add_column(file, &point, pattern->columns[i].name, pattern->columns[i].value);
        for (unsigned i = loops->count; ok && i--;) {
            const Loop *loop = &loops->items[i];
            ok = add_column(file, &point, loop->name, loop->values[rest % loop->count]);
            rest /= loop->count;
        }
        ok = ok && replace_columns(file, node, &point, pattern->column_count) &&
             (point.name = replace(file, node, pattern->name, &point));
        if (ok && strchr(point.name, '{'))
            ok = yaml_fail(file, node, "'%.200s': expected {NAME} of a name in `for`", point.name);
        if (!ok || !add_point(file, node, count > 1, axis, &point)) {
            free(point.columns);
            return false;
        }
    }
    return true;
}

static bool read_point(YamlFile *file, yaml_node_t *node, void *values)
{
    static const Key keys[] = {{"name", KEY_TEXT, offsetof(StudyPoint, name), true, 0},
                               {"run", KEY_PLACED, offsetof(StudyPoint, run), false, 0},
                               {"when", KEY_PLACED, offsetof(StudyPoint, when), false, 0},
                               {"baseline", KEY_TEXT, offsetof(StudyPoint, baseline), false, 0},
                               {"for", KEY_LIST, 0, false, 0},
                               {0}};
    StudyAxis *axis = values;
    StudyPoint point = {0};
    Loops loops = {.count = 0};
    static const Key none[] = {{0}};
    bool ok = yaml_read_keys(file, node, keys, "a point", read_column, &point);
    yaml_node_t *loop = ok ? yaml_member(file, node, "for") : NULL;
    ok = ok && (!loop || yaml_read_keys(file, loop, none, "for", read_loop, &loops)) &&
         add_points(file, node, &loops, axis, &point);
    for (unsigned i = 0; i < loops.count; i++) free(loops.items[i].values);
    free(point.columns);
    return ok;
}

// ---- axes ----

// Points without a baseline of their own have the axis' one, which has none.
static bool set_baselines(YamlFile *file, yaml_node_t *node, StudyAxis *axis, const char *baseline)
{
    for (size_t i = 0; i < axis->count; i++) {
        StudyPoint *point = &axis->points[i];
        if (!point->baseline) point->baseline = baseline;
        if (!point->baseline) continue;
        axis->has_baseline = true;
        if (strcmp(point->baseline, point->name) == 0) {
            point->baseline = NULL;
            continue;
        }
        size_t k = 0;
        while (k < axis->count && strcmp(axis->points[k].name, point->baseline) != 0) k++;
        if (k == axis->count)
            return yaml_fail(file, node, "the axis %s has no point '%s', the baseline of '%s'",
                             axis->name, point->baseline, point->name);
    }
    return true;
}

static bool read_axis(YamlFile *file, yaml_node_t *key, yaml_node_t *value, void *values)
{
    Study *study = values;
    struct { const char *baseline; } given = {0};
    static const Key keys[] = {{"baseline", KEY_TEXT, 0, false, 0},
                               {"points", KEY_LIST, 0, true, 0},
                               {0}};
    const char *name = yaml_text(file, key);
    if (!name || !check_name(file, key, name)) return false;
    if (!HD_PUSH(study->axes, study->axis_count, study->axis_capacity,
                 (StudyAxis){.name = name}))
        return out_of_memory(file);
    StudyAxis *axis = &study->axes[study->axis_count - 1];
    bool mapping = value->type == YAML_MAPPING_NODE;
    if (mapping && !yaml_read_keys(file, value, keys, "an axis", NULL, &given)) return false;
    yaml_node_t *list = mapping ? yaml_member(file, value, "points") : value;
    return yaml_read_list(file, list, read_point, "points", axis) &&
           (axis->count || yaml_fail(file, value, "expected at least one point")) &&
           set_baselines(file, value, axis, given.baseline);
}

bool study_read_axes(YamlFile *file, yaml_node_t *axes, Study *study)
{
    static const Key none[] = {{0}};
    return yaml_read_keys(file, axes, none, "axes", read_axis, study) &&
           (study->axis_count || yaml_fail(file, axes, "expected at least one axis"));
}
