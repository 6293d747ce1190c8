// Fuzz target of stores. If the first byte of an input is even, the rest is SQL, which is asked of
// a sound store. Otherwise the rest changes the file of that store, three bytes for each change:
// two of the place, one of the value.
#include "fuzz.h"

#include "report/result_hash.h"
#include "store/query.h"
#include "store/store_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 17, MOST_VALUE = 1 << 18, MOST_STEPS = 200, STEP = 1000 };

static const char path[] = "store.db";
static uint8_t sound[MOST_BYTES];
static ssize_t sound_size;

static const char result[] =
    "{\"schema\": 3, \"result\": {\"verified\": true, \"workload\": \"bfs\", \"implementation\": "
    "\"warp\", \"graph\": {\"spec\": \"rmat:4,4\"}, \"seed\": 0, \"machine\": \"volta-v100\", "
    "\"mechanisms\": {\"list\": [{\"name\": \"obm\", \"parameters\": {\"ways\": 4}}]}, "
    "\"cycles\": 100, \"warp_instructions\": 50, \"thread_instructions\": 1600, \"l1d\": "
    "{\"load_hits\": 3, \"hit_rate\": 0.5}, \"lanes\": [1, 2], \"kernels\": [{\"name\": \"k\", "
    "\"cycles\": 9, \"warp_instructions\": 3}]}, \"host\": {\"sources\": \"s\", \"version\": "
    "\"0\", \"date\": \"d\", \"seconds\": 1.5}}";

// Makes a store with two runs, without a log beside it.
static void make_sound(void)
{
    HdError err = {0};
    unlink(path); // an earlier run's
    Store *store = store_open(path, STORE_WRITE, &err);
    fuzz_check(store, err.text);
    for (int seed = 0; seed < 2; seed++) {
        StoreAdded added;
        json_t *file = json_loads(result, 0, NULL), *from = json_object();
        json_object_set_new(json_object_get(file, "result"), "seed", json_integer(seed));
        char *text = result_file_text(file);
        fuzz_check(text && store_add(store, file, &(StoreRequest){"bfs", from}, &added, &err),
                   err.text);
        free(text);
        json_decref(from);
        json_decref(file);
    }
    fuzz_check(store_run(store, "PRAGMA journal_mode = DELETE", &err), err.text);
    store_close(store);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    sound_size = file < 0 ? 0 : read(file, sound, sizeof sound);
    fuzz_check(sound_size > 0 && sound_size < (ssize_t)sizeof sound, "a store");
    close(file);
}

// Writes the file with the changes.
static void write_changed(const uint8_t *changes, size_t size)
{
    static uint8_t bytes[MOST_BYTES];
    memcpy(bytes, sound, (size_t)sound_size);
    for (; size >= 3; size -= 3, changes += 3) {
        size_t at = (size_t)(changes[0] | changes[1] << 8);
        if (at < (size_t)sound_size) bytes[at] = changes[2];
    }
    unlink("store.db-wal");
    unlink("store.db-shm");
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_check(file >= 0 && write(file, bytes, (size_t)sound_size) == sound_size, "a file");
    close(file);
}

// Ends SQL that takes long: it may be endless.
static int count_steps(void *steps)
{
    return ++*(int *)steps > MOST_STEPS;
}

static void ask(Store *store, const char *sql)
{
    HdError err = {0};
    Rows rows;
    int steps = 0;
    sqlite3_progress_handler(store->sqlite, STEP, count_steps, &steps);
    sqlite3_limit(store->sqlite, SQLITE_LIMIT_LENGTH, MOST_VALUE);
    bool ok = store_query(store, sql, &(QueryPlace){.name = "s", .line = 1, .column = 1}, &rows,
                          &err);
    fuzz_check(ok != err.set, "rows, or a message");
    for (int format = ROWS_TABLE; ok && format <= ROWS_MARKDOWN; format++) {
        FILE *out = fopen("/dev/null", "w");
        fuzz_check(out && rows_print(&rows, (RowsFormat)format, out), "printed rows");
        fclose(out);
    }
    rows_free(&rows);
}

static void use(Store *store, const char *sql)
{
    ask(store, sql);
    for (int run = 1; run <= 2; run++) {
        HdError err = {0};
        size_t size;
        char *text = store_result(store, run, &size, &err);
        fuzz_check(!text == err.set, "a result, or a message");
        free(text);
    }
    HdError err = {0};
    int64_t run;
    json_t *from = json_object();
    fuzz_check(store_find(store, &(StoreRequest){"bfs", from}, &run, &err) != err.set, "find");
    json_decref(from);
    json_decref(store_newest(store, "bfs", NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static Store *kept; // the sound store
    HdError err = {0};
    if (size == 0) return -1;
    if (!sound_size) make_sound();
    bool changes = bytes[0] % 2;
    char *sql = fuzz_text(bytes + 1, size - 1);
    if (changes || !kept) write_changed(bytes + 1, changes ? size - 1 : 0);
    if (changes) {
        store_close(kept);
        kept = NULL;
    }
    Store *store = kept ? kept : store_open(path, STORE_READ, &err);
    fuzz_check(!store == err.set, "a store, or a message");
    if (store && changes)
        use(store, "SELECT *, counter(counters, 'l1d.load_hits', 0) FROM runs LEFT JOIN launches "
                   "USING (run)");
    else if (store) ask(store, sql);
    if (changes) store_close(store);
    else kept = store;
    free(sql);
    return 0;
}
