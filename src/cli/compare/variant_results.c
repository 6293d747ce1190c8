// The folder of a comparison: compare.json records what its results were computed from.
//
// A result is reused only if nothing that it was computed from has changed. compare.json holds from
// the start what all variants share; a folder that differs there is refused. The shared objects of
// a variant are added when it runs; a variant whose shared objects differ is run again.
#include "cli/compare/variant_results.h"

#include "base/file.h"
#include "cli/compare/provenance.h"
#include "cli/results/result_file.h"
#include "stats/stats.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char objects_key[] = "shared objects"; // in compare.json: by variant

bool variant_path(const Variants *variants, const char *name, const char *ending,
               char path[PATH_TEXT], HdError *err)
{
    int folder = snprintf(path, PATH_TEXT, "%s/", variants->folder);
    if (folder >= PATH_TEXT / 2) return hd_fail(err, "--keep: the folder's name is too long");
    int length = folder + snprintf(path + folder, PATH_TEXT - (size_t)folder, "%s.%s", name,
                                   ending);
    if (length >= PATH_TEXT || length - folder > NAME_MAX)
        return hd_fail(err, "%s: too long for the name of a file", name);
    for (char *c = path + folder; *c; c++)
        if (*c == '/') *c = '%';
    return true;
}

// ---- the whole folder ----

bool variants_open(Variants *variants, HdError *err)
{
    char path[PATH_TEXT], changed[PATH_TEXT + 64];
    if (mkdir(variants->folder, 0777) && errno != EEXIST)
        return hd_fail(err, "%s: the folder cannot be made: %s", variants->folder, strerror(errno));
    bool file;
    if (!variant_path(variants, "compare", "json", path, err) || !file_is_there(path, &file, err))
        return false;
    if (!file) return stats_write_json(path, variants->provenance, err);
    json_t *there = json_read_file(path, err), *objects = json_object_get(there, objects_key);
    bool ok = there && ((json_is_object(there) && (!objects || json_is_object(objects))) ||
                        hd_fail(err, "%s: expected a file of heddle compare", path));
    if (ok && provenance_differs(there, variants->provenance, changed, sizeof changed))
        ok = hd_fail(err, "the folder %s holds results of another command%s%s%s: expected another "
                          "folder, or no --keep, which uses a new folder for each command",
                     variants->folder, *changed ? " (" : "", changed, *changed ? ")" : "");
    if (ok && objects && json_object_set(variants->provenance, objects_key, objects))
        ok = hd_fail_memory(err, "comparing");
    json_decref(there);
    return ok;
}

// ---- results ----

bool variant_result_load(const Variants *variants, Variant *variant, HdError *err)
{
    char path[PATH_TEXT];
    const json_t *result, *kernels;
    if (!variant_path(variants, variant->mechanisms, "json", path, err)) return false;
    json_t *file = result_file_read(path, &result, &kernels, err);
    if (!file) return false;
    bool partial = !json_is_null(json_object_get(result, "partial")),
         wrong = json_is_false(json_object_get(result, "verified"));
    if (partial || wrong) {
        json_decref(file);
        return hd_fail(err, partial ? "%s: the run was ended early" : "%s: the answer is wrong",
                       path);
    }
    variant->file = file;
    variant->state = VARIANT_DONE;
    return true;
}

bool variant_result_reuse(const Variants *variants, Variant *variant, HdError *err)
{
    char path[PATH_TEXT], changed[PATH_TEXT + 64];
    bool file;
    if (!variant_path(variants, variant->mechanisms, "json", path, err) ||
        !file_is_there(path, &file, err))
        return false;
    if (!file) return true;
    json_t *now = provenance_of_objects(variant->mechanisms), *none = json_object();
    const json_t *before = json_object_get(json_object_get(variants->provenance, objects_key),
                                           variant->mechanisms);
    HdError why = {0};
    bool ok = (now && none) || hd_fail_memory(err, "comparing");
    if (ok && provenance_differs(before ? before : none, now, changed, sizeof changed))
        fprintf(stderr, "heddle: note: %s%s%s is run again\n", changed, *changed ? ": " : "",
                variant->mechanisms);
    else if (ok && !variant_result_load(variants, variant, &why))
        fprintf(stderr, "heddle: note: %s: %s is run again\n", why.text, variant->mechanisms);
    else if (ok)
        variant_messages_remove(variants, variant); // left by a comparison that was killed
    json_decref(now);
    json_decref(none);
    return ok;
}

bool variant_result_begin(Variants *variants, const Variant *variant, HdError *err)
{
    char path[PATH_TEXT];
    variant_result_remove(variants, variant);
    json_t *now = provenance_of_objects(variant->mechanisms);
    if (!now) return hd_fail_memory(err, "comparing");
    bool none = json_object_size(now) == 0;
    if (!none && !json_object_get(variants->provenance, objects_key))
        json_object_set_new(variants->provenance, objects_key, json_object());
    json_t *all = json_object_get(variants->provenance, objects_key);
    bool ok = none || json_object_set(all, variant->mechanisms, now) == 0 ||
              hd_fail_memory(err, "comparing");
    json_decref(now);
    return ok && (none || (variant_path(variants, "compare", "json", path, err) &&
                           stats_write_json(path, variants->provenance, err)));
}

void variant_result_remove(const Variants *variants, const Variant *variant)
{
    char path[PATH_TEXT];
    if (variant_path(variants, variant->mechanisms, "json", path, NULL)) unlink(path);
}

void variant_messages_remove(const Variants *variants, const Variant *variant)
{
    char path[PATH_TEXT];
    if (variant_path(variants, variant->mechanisms, "err", path, NULL)) unlink(path);
}
