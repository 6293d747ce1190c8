// Where a finished run leaves its result.
#include "store/keep_result.h"

#include "report/result_hash.h"
#include "stats/stats.h"
#include "store/store.h"

#include <signal.h>
#include <stdlib.h>

// Adds to the store. A file beyond `ulimit -f` is an error as others are, not a signal: a CUDA
// program may have no handler for it.
static bool add(const char *path, const json_t *json, HdError *err)
{
    sigset_t limit, before, pending;
    sigemptyset(&limit);
    sigpending(&pending);
    if (!sigismember(&pending, SIGXFSZ)) sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    StoreAdded added;
    Store *store = store_open(path, STORE_WRITE, err);
    bool ok = store && store_add(store, json, NULL, &added, err);
    store_close(store);
    while (sigtimedwait(&limit, NULL, &(struct timespec){0}) > 0) {}
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

bool keep_result(const char *out, const char *path, json_t *json, HdError *err)
{
    char *text = result_file_text(json); // json has its hashes now
    if (!text) return hd_fail_memory(err, "writing JSON");
    if (out && !stats_write_text(out, text, err)) return false; // frees it
    if (!out) free(text);
    if (!path) return true;
    if (!json_is_null(json_object_get(json_object_get(json, "result"), "partial")))
        return hd_fail(err, "%s: the run is partial, and is not kept", path);
    return add(path, json, err);
}
