// Reads a result, and checks the parts that all readers rely on.
#include "cli/results/result_file.h"

#include "base/file.h"
#include "report/host_json.h"

#include <stdlib.h>

json_t *result_file_read(const char *path, const json_t **result, const json_t **kernels,
                         HdError *err)
{
    size_t size;
    char *text = file_read_text(path, &size, err);
    if (!text) return NULL;
    json_error_t why;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!root) {
        hd_fail_at(err, path, why.line, why.column, "expected JSON: %s", why.text);
        return NULL;
    }
    *result = json_object_get(root, "result");
    *kernels = json_object_get(*result, "kernels");
    json_int_t schema = json_integer_value(json_object_get(root, "schema"));
    size_t i;
    json_t *launch;
    bool has_launches = json_is_array(*kernels);
    json_array_foreach((json_t *)*kernels, i, launch) has_launches &= json_is_object(launch);
    if (has_launches && schema == RESULT_SCHEMA) return root;
    json_decref(root);
    if (has_launches)
        hd_fail(err,
                "%s: has result schema %d, in which counters have other names: expected %d; run "
                "it again (docs/using.md lists the names)",
                path, schema ? (int)schema : 1, RESULT_SCHEMA);
    else
        hd_fail(err,
                "%s: expected a result of heddle run --out, with its launches (result.kernels)",
                path);
    return NULL;
}
