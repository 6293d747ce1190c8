// Opens a study with its data.
#include "cli/study/study_session.h"

#include "cli/common/data_directories.h"
#include "study/study_data.h"
#include "study/study_structures.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STUDIES = 256 };

static bool is_path(const char *name) { return strchr(name, '/') || strstr(name, ".yaml"); }

// The studies that are there, for a message. Texts are owned by the arena.
static int list_names(const Directories *directories, const char *names[MOST_STUDIES],
                      HdArena *arena)
{
    int count = 0;
    for (const char *const *path = directories->paths; *path; path++) {
        DIR *folder = opendir(*path);
        const struct dirent *entry;
        while (folder && (entry = readdir(folder)) && count < MOST_STUDIES) {
            size_t length = strlen(entry->d_name);
            if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
            names[count] = hd_arena_text(arena, entry->d_name, length - 5);
            count += names[count] != NULL;
        }
        if (folder) closedir(folder);
    }
    return count;
}

// The study's file, and the folder of its data without --data.
static bool find(const char *name, char path[DIRECTORY_TEXT], char data[DIRECTORY_TEXT],
                 HdError *err)
{
    Directories studies, results;
    if (is_path(name)) {
        const char *slash = strrchr(name, '/');
        snprintf(path, DIRECTORY_TEXT, "%s", name);
        snprintf(data, DIRECTORY_TEXT, "%.*s", slash ? (int)(slash - name) : 1,
                 slash ? name : ".");
        return true;
    }
    study_directories(&studies);
    results_directories(&results);
    snprintf(data, DIRECTORY_TEXT, "%s", results.paths[0] ? results.paths[0] : ".");
    for (const char *const *folder = studies.paths; *folder; folder++)
        if (snprintf(path, DIRECTORY_TEXT, "%s/%s.yaml", *folder, name) < DIRECTORY_TEXT &&
            access(path, R_OK) == 0)
            return true;
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    const char *near = hd_nearest(name, names, list_names(&studies, names, &arena));
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
