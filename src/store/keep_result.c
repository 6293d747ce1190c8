// Where a finished run leaves its result.
#include "store/keep_result.h"

#include "report/result_hash.h"
#include "stats/stats.h"
#include "store/store.h"

#include <stdlib.h>

bool keep_result(const char *out, const char *path, json_t *json, HdError *err)
{
    char *text = result_file_text(json); // json has its hashes now
    if (!text) return hd_fail_memory(err, "writing JSON");
    if (out && !stats_write_text(out, text, err)) return false; // frees it
    if (!out) free(text);
    if (!path) return true;
    if (!json_is_null(json_object_get(json_object_get(json, "result"), "partial")))
        return hd_fail(err, "%s: the run is partial, and is not kept", path);
    StoreAdded added;
    Store *store = store_open(path, STORE_WRITE, err);
    bool ok = store && store_add(store, json, NULL, &added, err);
    store_close(store);
    return ok;
}
