// Reads a result, and checks the parts that all readers rely on.
#include "cli/results/result_file.h"

#include "base/file.h"
#include "report/host_json.h"

#include <stdlib.h>

static bool is_list_of_objects(const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)list, i, one)
        if (!json_is_object(one)) return false;
    return json_is_array(list);
}

json_t *result_file_read(const char *path, const json_t **result, const json_t **kernels,
                         HdError *err)
{
    size_t size;
    char *text = file_read(path, &size, err);
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
    bool has_launches = is_list_of_objects(*kernels);
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
