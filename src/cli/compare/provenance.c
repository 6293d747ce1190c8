// What the runs of a comparison are computed from.
#include "cli/compare/provenance.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/common/data_directories.h"
#include "gpu/machine.h"
#include "mechanisms/settings.h"
#include "report/input_files.h"
#include "report/launch_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char program[] = "/proc/self/exe";

// ---- files ----

static json_t *hash_of(const char *path, HdError *err)
{
    uint64_t hash;
    char text[HASH_TEXT];
    if (!file_hash(path, &hash, err)) return NULL;
    hash_text(hash, text);
    return json_string(text);
}

bool check_utf8(const char *text, HdError *err)
{
    return text_is_plain(text, "") ||
           hd_fail(err, "%s: expected UTF-8 without control characters, as results are written",
                   text);
}

// A key of JSON, which takes no other text than UTF-8. Shown as `heddle run` shows it.
static bool add_plain(json_t *to, const char *key, json_t *value)
{
    size_t size = 4 * strlen(key) + 1;
    char *plain = hd_new(size, 1);
    bool ok = plain && json_object_set(to, text_escape(plain, size, key, ""), value) == 0;
    free(plain);
    json_decref(value);
    return ok;
}

// Every run reads the file, so it must be readable more than once.
static bool add_file(json_t *files, const char *path, HdError *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return hd_fail(err, "%s: expected a regular file, which each run can read", path);
    json_t *hash = hash_of(path, err);
    return hash && (add_plain(files, path, hash) || hd_fail_memory(err, "comparing"));
}

// The machine file and its bases.
static bool add_machine(json_t *files, const RunOptions *o, HdError *unknown, HdError *err)
{
    Directories directories;
    machine_directories(&directories);
    Config *config = settings_new(&machine_schema, NULL, err);
    if (!config) return false;
    config_read(config, o->settings.simulation.machine, directories.paths,
                &(ConfigAssignments){.texts = o->settings.simulation.set}, unknown);
    size_t count;
    const char *const *paths = config_files(config, &count);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) ok = add_file(files, paths[i], err);
    config_free(config);
    return ok;
}

static bool add_files(json_t *files, const RunOptions *o, HdError *unknown, HdError *err)
{
    struct stat st;
    if (!add_machine(files, o, unknown, err)) return false;
    if (o->ptx && !add_file(files, o->ptx, err)) return false;
    for (const char *const *arg = o->args; arg && *arg; arg++) {
        const char *file = strstr(*arg, "=file:");
        if (file && !add_file(files, file + strlen("=file:"), err)) return false;
    }
    if (o->raw) return add_file(files, o->target, err);
    // A graph without a file is generated.
    return stat(o->graph, &st) != 0 || add_file(files, o->graph, err);
}

json_t *provenance_gather(const TextList *words, const RunOptions *options, HdError *unknown,
                          HdError *err)
{
    *unknown = (HdError){0};
    json_t *run = json_array(), *files = json_object(), *all = NULL;
    bool ok = (run && files) || hd_fail_memory(err, "comparing");
    for (size_t i = 0; ok && i < words->count; i++)
        ok = json_array_append_new(run, json_text(words->items[i])) == 0 ||
             hd_fail_memory(err, "comparing");
    json_t *heddle = ok && add_files(files, options, unknown, err) ? hash_of(program, err) : NULL;
    if (heddle) {
        all = json_pack("{ss sO sO sO}", "version", HEDDLE_VERSION, "program", heddle, "run", run,
                        "files", files);
        if (!all) hd_fail_memory(err, "comparing");
    }
    json_decref(heddle);
    json_decref(files);
    json_decref(run);
    return all;
}

bool provenance_hash(const json_t *provenance, char text[HASH_TEXT], HdError *err)
{
    char *all = json_dumps(provenance, JSON_COMPACT | JSON_SORT_KEYS);
    if (!all) return hd_fail_memory(err, "comparing");
    hash_text(hash_bytes(HASH_START, all, strlen(all)), text);
    free(all);
    return true;
}

json_t *provenance_of_objects(const char *mechanisms)
{
    json_t *objects = json_object();
    if (input_files_put_objects(objects, mechanisms)) return objects;
    json_decref(objects);
    return NULL;
}

// ---- differences ----

static bool files_differ(const json_t *before, const json_t *now, char *what, size_t size)
{
    const char *path;
    json_t *hash;
    json_object_foreach((json_t *)now, path, hash) {
        const json_t *old = json_object_get(before, path);
        if (!old || json_equal(old, hash)) continue;
        snprintf(what, size, "%s has changed", path);
        return true;
    }
    return !json_equal(before, now);
}

bool provenance_differs(const json_t *before, const json_t *now, char *what, size_t size)
{
    const json_t *files = json_object_get(now, "files");
    *what = 0;
    if (!files) return files_differ(before, now, what, size);
    if (!json_equal(json_object_get(before, "run"), json_object_get(now, "run"))) return true;
    if (files_differ(json_object_get(before, "files"), files, what, size)) return true;
    if (json_equal(json_object_get(before, "program"), json_object_get(now, "program")) &&
        json_equal(json_object_get(before, "version"), json_object_get(now, "version")))
        return false;
    snprintf(what, size, "heddle has changed");
    return true;
}
