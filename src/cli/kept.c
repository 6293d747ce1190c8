// The folder of a comparison: compare.json says what the results in it are made from.
//
// A result is taken again only where nothing that it was made from has changed. What all variants
// share is in compare.json from the start, and a folder in which it differs is refused; the shared
// objects of a variant are added as it is run, and where they differ that one is run again.
#include "cli/kept.h"

#include "cli/made_from.h"
#include "cli/result_file.h"
#include "stats/stats.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char objects_key[] = "shared objects"; // in compare.json: by variant

bool kept_path(const Variants *variants, const char *name, const char *ending,
               char path[PATH_TEXT], HdError *err)
{
    int folder = snprintf(path, PATH_TEXT, "%s/", variants->folder);
    if (folder >= PATH_TEXT / 2) return hd_fail(err, "--keep: too long for a folder's name");
    int length = folder + snprintf(path + folder, PATH_TEXT - (size_t)folder, "%s.%s", name,
                                   ending);
    if (length >= PATH_TEXT || length - folder > NAME_MAX)
        return hd_fail(err, "%s: too long for a file's name", name);
    for (char *c = path + folder; *c; c++)
        if (*c == '/') *c = '%';
    return true;
}

// ---- the whole folder ----

static bool refuse_folder(const Variants *variants, const char *changed, HdError *err)
{
    return hd_fail(err, "the folder %s holds runs of something else%s%s%s; choose another with "
                        "--keep FOLDER (default " KEEP_FOLDER "), or remove it",
                   variants->folder, *changed ? " (" : "", changed, *changed ? ")" : "");
}

// Takes over what compare.json says, `there`, if it is of the same.
static bool take_over(Variants *variants, const json_t *there, HdError *err)
{
    char changed[PATH_TEXT + 64];
    if (made_from_differs(there, variants->made_from, changed, sizeof changed))
        return refuse_folder(variants, changed, err);
    json_t *objects = json_object_get(there, objects_key);
    return !objects || json_object_set(variants->made_from, objects_key, objects) == 0 ||
           hd_fail_memory(err, "comparing");
}

bool variants_open(Variants *variants, HdError *err)
{
    char path[PATH_TEXT];
    if (mkdir(variants->folder, 0777) && errno != EEXIST)
        return hd_fail(err, "--keep %s: %s", variants->folder, strerror(errno));
    if (!kept_path(variants, "compare", "json", path, err)) return false;
    if (access(path, F_OK)) return stats_write_json(path, variants->made_from, err);
    json_t *there = json_load_file(path, 0, NULL);
    bool ok = there ? take_over(variants, there, err) : hd_fail(err, "%s is no JSON", path);
    json_decref(there);
    return ok;
}

// ---- results ----

bool kept_take(const Variants *variants, Variant *variant, HdError *err)
{
    char path[PATH_TEXT];
    const json_t *result, *kernels;
    if (!kept_path(variants, variant->mechanisms, "json", path, err)) return false;
    json_t *file = result_file_read(path, &result, &kernels, err);
    if (!file) return false;
    bool whole = json_is_null(json_object_get(result, "partial")),
         wrong = json_is_false(json_object_get(result, "verified"));
    if (whole && !wrong) {
        variant->file = file;
        variant->state = VARIANT_DONE;
        return true;
    }
    json_decref(file);
    return hd_fail(err, whole ? "%s: the answer is wrong" : "%s is of a run that was ended early",
                   path);
}

bool kept_resume(const Variants *variants, Variant *variant, HdError *err)
{
    char path[PATH_TEXT], changed[PATH_TEXT + 64];
    if (!kept_path(variants, variant->mechanisms, "json", path, err)) return false;
    if (access(path, F_OK)) return true;
    json_t *now = made_from_objects(variant->mechanisms), *none = json_object();
    const json_t *before = json_object_get(json_object_get(variants->made_from, objects_key),
                                           variant->mechanisms);
    bool ok = (now && none) || hd_fail_memory(err, "comparing");
    if (ok && made_from_differs(before ? before : none, now, changed, sizeof changed))
        fprintf(stderr, "heddle: note: %s%s%s is run again\n", changed, *changed ? ": " : "",
                variant->mechanisms);
    else if (ok)
        kept_take(variants, variant, NULL);
    json_decref(now);
    json_decref(none);
    return ok;
}

bool kept_begin(Variants *variants, const Variant *variant, HdError *err)
{
    char path[PATH_TEXT];
    kept_drop(variants, variant);
    json_t *now = made_from_objects(variant->mechanisms);
    if (!now) return hd_fail_memory(err, "comparing");
    bool none = json_object_size(now) == 0;
    if (!none && !json_object_get(variants->made_from, objects_key))
        json_object_set_new(variants->made_from, objects_key, json_object());
    json_t *all = json_object_get(variants->made_from, objects_key);
    bool ok = none || json_object_set(all, variant->mechanisms, now) == 0 ||
              hd_fail_memory(err, "comparing");
    json_decref(now);
    return ok && (none || (kept_path(variants, "compare", "json", path, err) &&
                           stats_write_json(path, variants->made_from, err)));
}

void kept_drop(const Variants *variants, const Variant *variant)
{
    char path[PATH_TEXT];
    if (kept_path(variants, variant->mechanisms, "json", path, NULL)) unlink(path);
}
