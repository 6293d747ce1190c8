// Hashes what runs are computed from.
#include "study/provenance.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "gpu/machine.h"
#include "mechanisms/settings.h"
#include "report/host_json.h"
#include "report/input_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The parts, in the order in which they are compared.
static const char files_key[] = "files", machine_key[] = "machine", objects_key[] = "objects",
                  sources_key[] = "sources";

// ---- files ----

// A key of JSON, which takes no other text than UTF-8. Shown as `heddle run` shows it. Takes the
// value.
static bool add_plain(json_t *to, const char *key, json_t *value, HdError *err)
{
    size_t size = 4 * strlen(key) + 1;
    char *plain = hd_new(size, 1);
    bool ok = plain && value && json_object_set(to, text_escape(plain, size, key, ""), value) == 0;
    free(plain);
    json_decref(value);
    return ok || hd_fail_memory(err, "looking at input files");
}

static json_t *hash_of(const char *path, HdError *err)
{
    uint64_t hash;
    char text[HASH_TEXT];
    if (!file_hash(path, &hash, err)) return NULL;
    hash_text(hash, text);
    return json_string(text);
}

// Adds a file under a name. Every run reads it, so it must be readable more than once.
static bool add_file(json_t *to, const char *name, const char *path, json_t *hashes, HdError *err)
{
    struct stat st;
    json_t *known = json_object_get(hashes, path);
    if (known) return add_plain(to, name, json_incref(known), err);
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return hd_fail(err, "%s: expected a regular file, which each run can read", path);
    json_t *hash = hash_of(path, err);
    if (!hash) return false;
    if (hashes && text_is_plain(path, "")) json_object_set(hashes, path, hash);
    return add_plain(to, name, hash, err);
}

// The path without a folder of machines.
static const char *machine_name(const char *path, const Directories *machines)
{
    for (size_t i = 0; machines && machines->paths[i]; i++) {
        size_t length = strlen(machines->paths[i]);
        if (strncmp(path, machines->paths[i], length) != 0 || path[length] != '/') continue;
        path += length + 1;
        while (strncmp(path, "./", 2) == 0) path += 2; // of a base beside it
        break;
    }
    return path;
}

static bool add_machine(json_t *to, const RunInputs *inputs, json_t *hashes, HdError *unknown,
                        HdError *err)
{
    static const char *const nowhere[] = {NULL};
    size_t count;
    bool ok = true;
    if (!inputs->machine) return true;
    Config *config = settings_new(&machine_schema, NULL, err);
    if (!config) return false;
    config_read(config, inputs->machine, inputs->machines ? inputs->machines->paths : nowhere,
                &(ConfigAssignments){.texts = inputs->set}, unknown);
    const char *const *paths = config_files(config, &count);
    for (size_t i = 0; ok && i < count; i++)
        ok = add_file(to, machine_name(paths[i], inputs->machines), paths[i], hashes, err);
    config_free(config);
    return ok;
}

static bool add_files(json_t *to, const RunInputs *inputs, json_t *hashes, HdError *err)
{
    static const char file[] = "=file:";
    struct stat st;
    if (inputs->kernels && !add_file(to, inputs->kernels, inputs->kernels, hashes, err))
        return false;
    for (const char *const *argument = inputs->arguments; argument && *argument; argument++) {
        const char *path = strstr(*argument, file);
        if (!path) continue;
        path += strlen(file);
        if (!add_file(to, path, path, hashes, err)) return false;
    }
    // A graph without a file is generated.
    return !inputs->graph || stat(inputs->graph, &st) != 0 ||
           add_file(to, inputs->graph, inputs->graph, hashes, err);
}

// ---- all parts ----

json_t *provenance_gather(const RunInputs *inputs, json_t *hashes, HdError *unknown, HdError *err)
{
    *unknown = (HdError){0};
    json_t *files = json_object(), *machine = json_object(), *all = NULL;
    bool ok = (files && machine) || hd_fail_memory(err, "looking at input files");
    ok = ok && add_machine(machine, inputs, hashes, unknown, err) &&
         add_files(files, inputs, hashes, err);
    if (ok) {
        all = json_pack("{sO sO ss}", files_key, files, machine_key, machine, sources_key,
                        sources_version());
        if (!all) hd_fail_memory(err, "looking at input files");
    }
    json_decref(files);
    json_decref(machine);
    return all;
}

json_t *provenance_of(const json_t *common, const char *mechanisms, HdError *err)
{
    json_t *all = json_copy((json_t *)common), *objects = json_object();
    bool ok = all && objects && input_files_put_objects(objects, mechanisms) &&
              json_object_set(all, objects_key, objects) == 0;
    json_decref(objects);
    if (ok) return all;
    json_decref(all);
    hd_fail_memory(err, "looking at input files");
    return NULL;
}

// ---- differences ----

// Finds the first file of `now` that `before` has with another content, or does not have.
static bool files_differ(const json_t *before, const json_t *now, char *what, size_t size)
{
    const char *path;
    json_t *hash;
    if (json_equal(before, now)) return false;
    snprintf(what, size, "the list of its input files has changed");
    json_object_foreach((json_t *)now, path, hash) {
        const json_t *old = json_object_get(before, path);
        if (json_equal(old, hash)) continue;
        snprintf(what, size, !old                    ? "%s was not read before"
                             : json_is_null(hash) ? "%s cannot be read"
                                                  : "%s has changed", path);
        if (old) break;
    }
    return true;
}

size_t provenance_distance(const json_t *before, const json_t *now)
{
    const char *key;
    json_t *value;
    size_t distance = 0;
    if (json_equal(before, now)) return 0;
    if (!json_is_object(before) || !json_is_object(now)) return 1;
    json_object_foreach((json_t *)now, key, value)
        distance += provenance_distance(json_object_get(before, key), value);
    json_object_foreach((json_t *)before, key, value)
        distance += !json_object_get(now, key);
    return distance;
}

bool provenance_differs(const json_t *before, const json_t *now, char *what, size_t size)
{
    static const char *const parts[] = {files_key, machine_key, objects_key};
    *what = 0;
    if (json_equal(before, now)) return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (files_differ(json_object_get(before, parts[i]), json_object_get(now, parts[i]), what,
                         size))
            return true;
    snprintf(what, size, "the simulator's sources have changed");
    return true;
}
