// Opens a study with its data.
#include "cli/study/study_session.h"

#include "base/number.h"
#include "cli/common/data_directories.h"
#include "cli/study/study_catalogue.h"
#include "study/study_data.h"
#include "study/study_structures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_path(const char *name) { return strchr(name, '/') || strstr(name, ".yaml"); }

static bool find_file(const char *name, char path[DIRECTORY_TEXT], HdError *err)
{
    if (is_path(name)) {
        snprintf(path, DIRECTORY_TEXT, "%s", name);
        return true;
    }
    if (study_catalogue_find(name, path)) return true;
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    const char *near = hd_nearest(name, names, study_catalogue(names, &arena));
    hd_fail(err, "there is no study '%s': expected one that heddle study list shows, or the path "
                 "of a file%s%s%s", name, HD_DID_YOU_MEAN(near));
    hd_arena_free(&arena);
    return false;
}

static bool find_data(StudySession *session, const SessionOptions *o, HdError *err)
{
    char own[DIRECTORY_TEXT], scale[32] = "";
    const char *slash = strrchr(o->name, '/'), *read = own;
    char *end;
    Directories results;
    struct stat st;
    for (int digits = 1; o->scale != 1 && digits <= 17; digits++) {
        snprintf(scale, sizeof scale, "-%.*g", digits, o->scale);
        if (number_read(scale + 1, &end) == o->scale) break;
    }
    if (o->data) snprintf(own, sizeof own, "%s", o->data);
    else if (is_path(o->name) && o->scale == 1)
        snprintf(own, sizeof own, "%.*s", slash > o->name ? (int)(slash - o->name) : 1,
                 slash ? o->name : ".");
    else snprintf(own, sizeof own, "%s-data%s", session->study.name, scale);
    if (!o->data && !is_path(o->name) && o->scale == 1 && stat(own, &st) != 0) {
        results_directories(&results);
        if (results.paths[0]) read = results.paths[0];
    }
    session->data = strdup(read);
    session->own = strdup(own);
    return (session->data && session->own) || hd_fail_memory(err, "opening a study");
}

static bool make_options(Store *tables, bool rows, HdError *err)
{
    static const char *const columns[] = {"every"};
    Cell every = {.kind = CELL_INTEGER, .integer = rows};
    return tables_create(tables, "options", columns, 1, err) &&
           tables_insert(tables, "options", &every, 1, err);
}

// Whether an expression in the words of a run reads `scale`.
static bool reads_scale(const StudyText *words)
{
    bool reads = false;
    const char *at = words->text ? strchr(words->text, '{') : NULL;
    for (; at && !reads; at = strchr(at + 1, '{')) {
        const char *scale = strstr(at, "scale"), *end = strchr(at, '}');
        reads = scale && end && scale < end;
    }
    return reads;
}

static bool is_scaled(const Study *study)
{
    bool any = reads_scale(&study->run);
    for (size_t a = 0; a < study->axis_count; a++)
        for (size_t i = 0; i < study->axes[a].count; i++)
            any |= reads_scale(&study->axes[a].points[i].run);
    return any;
}

bool study_session_tables(const Study *study, const char *data, const SessionOptions *o,
                          Store **tables, StudyMatrix *matrix, HdError *err)
{
    size_t missing; // files; study_data_missing tells runs
    *matrix = (StudyMatrix){0};
    *tables = tables_open(o->store, err);
    return *tables && make_options(*tables, o->rows, err) && study_structures_make(*tables, err) &&
           study_matrix_make(matrix, study, *tables, o->scale, err) &&
           study_data_read(study, *tables, data, &missing, err);
}

bool study_session_open(StudySession *session, const SessionOptions *o, HdError *err)
{
    char path[DIRECTORY_TEXT];
    *session = (StudySession){0};
    if (!find_file(o->name, path, err) || !study_read(&session->study, path, err) ||
        !find_data(session, o, err))
        return false;
    if (o->scale != 1 && !is_scaled(&session->study))
        return hd_fail(err, "--scale has no effect on %s: expected a study with {scale} in words "
                            "of its runs", session->study.path);
    return study_session_tables(&session->study, session->data, o, &session->tables,
                                &session->matrix, err);
}

void study_session_close(StudySession *session)
{
    study_matrix_free(&session->matrix);
    store_close(session->tables);
    study_free(&session->study);
    free(session->data);
    free(session->own);
    *session = (StudySession){0};
}
