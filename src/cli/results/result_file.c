// Reads a result, and checks it by the schema and its hashes, so that its readers need no checks of
// their own.
#include "cli/results/result_file.h"

#include "base/file.h"
#include "cli/results/schema.h"
#include "report/host_json.h"
#include "report/result_hash.h"

#include <stdio.h>
#include <stdlib.h>

extern const char result_schema[]; // docs/result.schema.json

// Fails where values are nested so deep that a reader of JSON, which calls itself for each level,
// would take much stack. No file of Heddle is half as deep.
static bool check_depth(const char *path, const char *text, size_t size, HdError *err)
{
    enum { MAX_DEPTH = 32 };
    int line = 1, depth = 0;
    bool quoted = false;
    for (const char *c = text, *start = text; c < text + size; c++) {
        if (quoted && *c == '\\') c++;
        else if (*c == '"') quoted = !quoted;
        else if (!quoted && (*c == '{' || *c == '[') && ++depth > MAX_DEPTH)
            return hd_fail_at(err, path, line, (int)(c - start) + 1,
                              "nested too deep: expected at most %d levels", MAX_DEPTH);
        else if (!quoted && (*c == '}' || *c == ']')) depth--;
        if (c < text + size && *c == '\n') line++, start = c + 1;
    }
    return true;
}

json_t *json_read_text(const char *path, const char *text, size_t size, HdError *err)
{
    json_error_t why;
    if (!check_depth(path, text, size, err)) return NULL;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!root) hd_fail_at(err, path, why.line, why.column, "expected JSON: %s", why.text);
    return root;
}

json_t *json_read_file(const char *path, HdError *err)
{
    size_t size;
    char *text = file_read_text(path, &size, err);
    json_t *root = text ? json_read_text(path, text, size, err) : NULL;
    free(text);
    return root;
}

static bool check(const char *path, const json_t *root, HdError *err)
{
    char why[512];
    const json_t *result = json_object_get(root, "result");
    const json_t *version = json_object_get(root, "schema");
    if (!json_is_array(json_object_get(result, "kernels")))
        return hd_fail(err, "%s: expected a result of heddle run --out, with its launches "
                            "(result.kernels)", path);
    if (json_integer_value(version) != RESULT_SCHEMA) {
        char found[24] = "none";
        if (json_is_integer(version))
            snprintf(found, sizeof found, "%" JSON_INTEGER_FORMAT, json_integer_value(version));
        return hd_fail(err, "%s: expected result schema %d, found %s: run it again", path,
                       RESULT_SCHEMA, found);
    }
    json_t *schema = json_loads(result_schema, 0, NULL);
    if (!schema) return hd_fail_memory(err, "reading a result");
    bool ok = schema_accepts(schema, root, why, sizeof why) || hd_fail(err, "%s: %s", path, why);
    json_decref(schema);
    return ok && result_check_hashes(path, result, err);
}

// Checks the JSON, which may be NULL, and frees it if it is no result.
static json_t *check_result(const char *path, json_t *root, const json_t **result,
                            const json_t **kernels, HdError *err)
{
    if (!root) return NULL;
    *result = json_object_get(root, "result");
    *kernels = json_object_get(*result, "kernels");
    if (check(path, root, err)) return root;
    json_decref(root);
    return NULL;
}

json_t *result_file_read(const char *path, const json_t **result, const json_t **kernels,
                         HdError *err)
{
    return check_result(path, json_read_file(path, err), result, kernels, err);
}

json_t *result_text_read(const char *place, const char *text, size_t size, const json_t **result,
                         const json_t **kernels, HdError *err)
{
    return check_result(place, json_read_text(place, text, size, err), result, kernels, err);
}
