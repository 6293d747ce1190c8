// Opens a study with its data.
#include "cli/study/study_session.h"

#include "cli/common/data_directories.h"
#include "cli/study/study_catalogue.h"
#include "study/study_data.h"
#include "study/study_structures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_path(const char *name) { return strchr(name, '/') || strstr(name, ".yaml"); }

// The study's file, and the folder of its data without --data.
static bool find(const char *name, char path[DIRECTORY_TEXT], char data[DIRECTORY_TEXT],
                 HdError *err)
{
    Directories results;
    if (is_path(name)) {
        const char *slash = strrchr(name, '/');
        snprintf(path, DIRECTORY_TEXT, "%s", name);
        snprintf(data, DIRECTORY_TEXT, "%.*s", slash ? (int)(slash - name) : 1,
                 slash ? name : ".");
        return true;
    }
    results_directories(&results);
    snprintf(data, DIRECTORY_TEXT, "%s", results.paths[0] ? results.paths[0] : ".");
    if (study_catalogue_find(name, path)) return true;
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    const char *near = hd_nearest(name, names, study_catalogue(names, &arena));
    hd_fail(err, "there is no study '%s': expected one that heddle study list shows, or the path "
                 "of a file%s%s%s", name, HD_DID_YOU_MEAN(near));
    hd_arena_free(&arena);
    return false;
}

static bool make_options(StudySession *session, bool rows, HdError *err)
{
    static const char *const columns[] = {"every"};
    Cell every = {.kind = CELL_INTEGER, .integer = rows};
    return tables_create(session->tables, "options", columns, 1, err) &&
           tables_insert(session->tables, "options", &every, 1, err);
}

bool study_session_open(StudySession *session, const SessionOptions *o, HdError *err)
{
    char path[DIRECTORY_TEXT], data[DIRECTORY_TEXT];
    *session = (StudySession){0};
    if (!find(o->name, path, data, err)) return false;
    session->data = strdup(o->data ? o->data : data);
    if (!session->data) return hd_fail_memory(err, "opening a study");
    if (!study_read(&session->study, path, err)) return false;
    session->tables = tables_open(o->store, err);
    return session->tables && make_options(session, o->rows, err) &&
           study_structures_make(session->tables, err) &&
           study_matrix_make(&session->matrix, &session->study, session->tables, o->scale, err) &&
           study_data_read(&session->study, session->tables, session->data, &session->missing,
                           err);
}

void study_session_close(StudySession *session)
{
    study_matrix_free(&session->matrix);
    store_close(session->tables);
    study_free(&session->study);
    free(session->data);
    *session = (StudySession){0};
}
