// The folder of a comparison: compare.json records what its results were computed from.
//
// A result is reused only if nothing that it was computed from has changed. compare.json holds from
// the start what all variants share; a folder that differs there is refused. The shared objects of
// a variant are added when it runs; a variant whose shared objects differ is run again.
//
// Several comparisons may use a folder at a time. Who runs a variant holds a lock on the file of
// its messages (NAME.err), which ends with the process however that ends. Under the lock it looks
// for a result again, which another comparison may have completed; only then is a stale one
// removed. So a complete result is never removed, and no variant runs twice.
#include "cli/compare/variant_results.h"

#include "base/file.h"
#include "base/temporary.h"
#include "cli/compare/provenance.h"
#include "cli/compare/variant_identity.h"
#include "cli/results/result_file.h"
#include "stats/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char record_name[] = "compare";        // of compare.json; no mechanism has this name
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

// ---- compare.json ----

// Locks the folder: one process at a time reads compare.json and writes it anew. Returns a
// descriptor to close. A file system without locks has one comparison in a folder at a time.
static int lock_folder(const Variants *variants)
{
    int fd = open(variants->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) {}
    return fd;
}

static void unlock_folder(int fd)
{
    if (fd >= 0) close(fd);
}

// Takes what compare.json says of shared objects.
static bool take_objects(Variants *variants, const json_t *there, const char *path, HdError *err)
{
    json_t *objects = json_object_get(there, objects_key);
    if (!json_is_object(there) || (objects && !json_is_object(objects)))
        return hd_fail(err, "%s: expected a file of heddle compare", path);
    return !objects || json_object_set(variants->provenance, objects_key, objects) == 0 ||
           hd_fail_memory(err, "comparing");
}

// Reads compare.json, or writes it if there is none.
static bool open_locked(Variants *variants, const char *path, HdError *err)
{
    char changed[PATH_TEXT + 64];
    bool file;
    if (!file_is_there(path, &file, err)) return false;
    if (!file) return stats_write_json(path, variants->provenance, err);
    json_t *there = json_read_file(path, err);
    bool ok = there && take_objects(variants, there, path, err);
    if (ok && provenance_differs(there, variants->provenance, changed, sizeof changed))
        ok = hd_fail(err, "the folder %s holds results of another command%s%s%s: expected another "
                          "folder, or no --keep, which uses a new folder for each command",
                     variants->folder, *changed ? " (" : "", changed, *changed ? ")" : "");
    json_decref(there);
    return ok;
}

bool variants_open(Variants *variants, HdError *err)
{
    char path[PATH_TEXT];
    if (mkdir(variants->folder, 0777) && errno != EEXIST)
        return hd_fail(err, "%s: the folder cannot be made: %s", variants->folder, strerror(errno));
    if (!variant_path(variants, record_name, "json", path, err)) return false;
    int lock = lock_folder(variants);
    bool ok = open_locked(variants, path, err);
    unlock_folder(lock);
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
    bool fit = partial ? hd_fail(err, "%s: the run was ended early", path)
               : wrong ? hd_fail(err, "%s: the answer is wrong", path)
                       : variant_result_is_of(variant->mechanisms, result, path, err);
    if (!fit) {
        json_decref(file);
        return false;
    }
    variant->file = file;
    variant->state = VARIANT_DONE;
    return true;
}

bool variant_result_look(const Variants *variants, Variant *variant, VariantLook *look,
                         HdError *err)
{
    char path[PATH_TEXT];
    *look = (VariantLook){0};
    if (!variant_path(variants, variant->mechanisms, "json", path, err) ||
        !file_is_there(path, &look->stale, err))
        return false;
    if (!look->stale) return true;
    json_t *now = provenance_of_objects(variant->mechanisms), *none = json_object();
    const json_t *before = json_object_get(json_object_get(variants->provenance, objects_key),
                                           variant->mechanisms);
    HdError why = {0};
    bool ok = (now && none) || hd_fail_memory(err, "comparing");
    if (ok && !provenance_differs(before ? before : none, now, look->why, sizeof look->why)) {
        look->stale = !variant_result_load(variants, variant, &why);
        if (look->stale) snprintf(look->why, sizeof look->why, "%s", why.text);
    }
    json_decref(now);
    json_decref(none);
    return ok;
}

bool variant_result_exists(const Variants *variants, const Variant *variant)
{
    char path[PATH_TEXT];
    return strcmp(variant->mechanisms, record_name) != 0 &&
           variant_path(variants, variant->mechanisms, "json", path, NULL) &&
           access(path, F_OK) == 0;
}

// Records the shared objects that the variant will run with, beside those that other comparisons
// have recorded since.
static bool record_objects(Variants *variants, const Variant *variant, json_t *now, HdError *err)
{
    char path[PATH_TEXT];
    if (!json_object_get(variants->provenance, objects_key))
        json_object_set_new(variants->provenance, objects_key, json_object());
    json_t *all = json_object_get(variants->provenance, objects_key);
    return (json_object_set(all, variant->mechanisms, now) == 0 ||
            hd_fail_memory(err, "comparing")) &&
           variant_path(variants, record_name, "json", path, err) &&
           stats_write_json(path, variants->provenance, err);
}

// For a variant that is locked: takes its result, or removes a stale one.
static bool look_again(Variants *variants, Variant *variant, HdError *err)
{
    VariantLook look;
    json_t *now = provenance_of_objects(variant->mechanisms);
    if (!now) return hd_fail_memory(err, "comparing");
    bool objects = json_object_size(now), ok = true;
    int lock = objects ? lock_folder(variants) : -1;
    if (objects) {
        char path[PATH_TEXT];
        json_t *there = variant_path(variants, record_name, "json", path, err)
                            ? json_read_file(path, err) : NULL;
        ok = there && take_objects(variants, there, path, err);
        json_decref(there);
    }
    ok = ok && variant_result_look(variants, variant, &look, err);
    if (ok && variant->state != VARIANT_DONE) {
        if (look.stale)
            fprintf(stderr, "heddle: note: %s%s%s is run again\n", look.why,
                    *look.why ? ": " : "", variant->mechanisms);
        variant_result_remove(variants, variant);
        ok = !objects || record_objects(variants, variant, now, err);
    }
    unlock_folder(lock);
    json_decref(now);
    return ok;
}

bool variant_result_claim(Variants *variants, Variant *variant, bool *claimed, HdError *err)
{
    char path[PATH_TEXT];
    if (!variant_path(variants, variant->mechanisms, "err", path, err)) return false;
    int fd = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0) return hd_fail(err, "%s: cannot be written: %s", path, strerror(errno));
    *claimed = temporary_lock(fd);
    if (!*claimed) {
        close(fd);
        return true;
    }
    variant->lock = fd;
    bool ok = look_again(variants, variant, err);
    *claimed = ok && variant->state != VARIANT_DONE;
    if (!*claimed) variant_result_release(variants, variant);
    return ok;
}

void variant_result_release(const Variants *variants, Variant *variant)
{
    char path[PATH_TEXT];
    if (variant->lock < 0) return;
    // The messages are of use only if the run failed.
    if (variant->state != VARIANT_FAILED &&
        variant_path(variants, variant->mechanisms, "err", path, NULL))
        unlink(path);
    close(variant->lock);
    variant->lock = -1;
}

void variant_result_tidy(const Variants *variants, const Variant *variant)
{
    char path[PATH_TEXT];
    if (!variant_path(variants, variant->mechanisms, "err", path, NULL)) return;
    int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (temporary_lock(fd)) unlink(path);
    close(fd);
}

void variant_result_remove(const Variants *variants, const Variant *variant)
{
    char path[PATH_TEXT];
    if (variant_path(variants, variant->mechanisms, "json", path, NULL)) unlink(path);
}
