// Tests of stores that are damaged, or were made to do harm. Each use ends with a message or with
// what is in the file.
#include "made_results.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { RUNS = 3 };

static char *sound;       // the bytes of a store with some runs
static size_t sound_size;

static const QueryPlace start = {.name = "SQL", .line = 1, .column = 1};

// Runs SQL over a file by SQLite itself. blob: the first parameter; may be NULL.
static void run_sql(const char *name, const char *sql, const void *blob, size_t size)
{
    sqlite3 *sqlite;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(scratch_path(name), &sqlite), SQLITE_OK);
    while (*sql) {
        if (sqlite3_prepare_v2(sqlite, sql, -1, &statement, &sql) != SQLITE_OK)
            fail_msg("%s", sqlite3_errmsg(sqlite));
        if (blob) sqlite3_bind_blob64(statement, 1, blob, size, SQLITE_STATIC);
        while (sqlite3_step(statement) == SQLITE_ROW) {}
        if (sqlite3_finalize(statement) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(sqlite));
    }
    sqlite3_close(sqlite);
}

// Whether a use of the store ended with either a result or a message.
static void assert_either(bool ok, const HdError *err)
{
    if (ok == err->set) fail_msg("expected a result or a message, got %d and '%s'", ok, err->text);
}

static void query_all(Store *store)
{
    static const char *const queries[] = {
        "SELECT * FROM runs",
        "SELECT * FROM launches",
        "SELECT * FROM requests",
        "SELECT counter(counters, 'l1d.load_hits', 0), counter(inputs, 'seed', 0) FROM runs",
        "SELECT machine, geomean(cycles), median(cycles), hmean(cycles) FROM runs GROUP BY machine",
        "PRAGMA integrity_check",
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        HdError err = {0};
        Rows rows;
        bool ok = store_query(store, queries[i], &start, &rows, &err);
        assert_either(ok, &err);
        FILE *out = ok ? fopen("/dev/null", "w") : NULL;
        for (int format = ROWS_TABLE; out && format <= ROWS_MARKDOWN; format++)
            assert_true(rows_print(&rows, (RowsFormat)format, out));
        if (out) fclose(out);
        rows_free(&rows);
    }
}

// All that Heddle does with a store.
static void use(const char *path)
{
    HdError err = {0};
    Store *store = store_open(path, STORE_READ, &err);
    assert_either(store, &err);
    if (store) query_all(store);
    for (int64_t run = 1; store && run <= RUNS; run++) {
        err = (HdError){0};
        size_t size;
        char *text = store_result(store, run, &size, &err);
        assert_either(text, &err);
        free(text);
    }
    store_close(store);
    err = (HdError){0};
    store = store_open(path, STORE_WRITE, &err);
    assert_either(store, &err);
    for (int seed = 0; store && seed <= RUNS; seed++) {
        json_t *from = json_pack("{ss}", "a", "1");
        const StoreRequest request = {.words = "bfs", .computed_from = from};
        json_t *file = made_file(&(Made){.seed = seed, .launches = 4, .cycles = 100 + seed % 2});
        StoreAdded one;
        int64_t run;
        err = (HdError){0};
        assert_either(store_add(store, file, &request, &one, &err), &err);
        err = (HdError){0};
        assert_either(store_find(store, &request, &run, &err), &err);
        err = (HdError){0};
        json_t *newest = store_newest(store, "bfs", &err);
        if (newest) assert_false(err.set);
        json_decref(newest);
        json_decref(file);
        json_decref(from);
    }
    store_close(store);
}

static const char *write_store(const char *name, const char *bytes, size_t size)
{
    char log[300];
    const char *path = scratch_file(name, bytes, size);
    for (int i = 0; i < 2; i++) {
        snprintf(log, sizeof log, "%s-%s", path, i ? "shm" : "wal");
        unlink(log);
    }
    return path;
}

static void test_flipped(void **state)
{
    (void)state;
    enum { FILES = 250 };
    uint64_t random = 20261130;
    char *bytes = malloc(sound_size);
    assert_non_null(bytes);
    for (int i = 0; i < FILES; i++) {
        memcpy(bytes, sound, sound_size);
        int flips = 1 << i % 5;
        for (int k = 0; k < flips; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            // Every second byte is in the first page, with the schema, or at the start of a page.
            size_t at = (size_t)(random >> 20) % sound_size;
            if (k % 2) at = at % 4096 < 1024 ? at % 4096 : at / 4096 * 4096 + at % 64;
            bytes[at] = (char)(random >> 8);
        }
        use(write_store("flipped.db", bytes, sound_size));
    }
    free(bytes);
}

static void test_truncated(void **state)
{
    (void)state;
    for (size_t size = 0; size < sound_size; size += size < 4096 ? 256 : 2048)
        use(write_store("truncated.db", sound, size));
}

// The log beside a store, which a killed process has left, is damaged: what it holds is lost, and
// what the file holds is not.
static void test_damaged_log(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        char log[300];
        const char *path = write_store("log.db", sound, sound_size);
        snprintf(log, sizeof log, "%s-wal", path);
        Store *store = opened("log.db", STORE_WRITE);
        added(store, &(Made){.seed = 20, .launches = 2}, NULL);
        FILE *file = fopen(log, "rb");
        assert_non_null(file);
        char *bytes = malloc(1 << 20);
        size_t size = fread(bytes, 1, 1 << 20, file);
        fclose(file);
        store_close(store);
        assert_true(size > 4096);
        bytes[(size_t)i * 7919 % size] ^= 0x55;
        write_store("log.db", sound, sound_size);
        scratch_file("log.db-wal", bytes, size);
        free(bytes);
        store = opened("log.db", STORE_READ);
        int64_t runs = number_of(store, "SELECT count(*) FROM runs");
        assert_true(runs == RUNS || runs == RUNS + 1);
        store_close(store);
        assert_whole("log.db", runs);
    }
}

// ---- results ----

static void assert_result_damaged(const void *blob, size_t size)
{
    char message[512];
    HdError err = {0};
    const char *path = write_store("result.db", sound, sound_size);
    run_sql("result.db", "UPDATE runs SET result = ? WHERE run = 2", blob, size);
    Store *store = opened("result.db", STORE_READ);
    assert_null(store_result(store, 2, &size, &err));
    snprintf(message, sizeof message, "%s: the result of run 2 is damaged", path);
    assert_string_equal(err.text, message);
    err = (HdError){0};
    char *other = store_result(store, 1, &size, &err);
    assert_non_null(other);
    free(other);
    store_close(store);
}

static void test_damaged_results(void **state)
{
    (void)state;
    static const char text[] = "this is no zstd";
    assert_result_damaged("", 0);
    assert_result_damaged(text, sizeof text);
    char packed[128];
    size_t size = ZSTD_compress(packed, sizeof packed, text, sizeof text, 3);
    assert_false(ZSTD_isError(size));
    assert_result_damaged(packed, size - 1);
    packed[5] ^= 1; // the size of the contents, in the header
    assert_result_damaged(packed, size);
    // A size of 2 GiB, and none.
    static const unsigned char wide[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0,    0, 0, 0x80,
                                         0,    0,    0,    0,    0x01, 0x00, 0x00};
    assert_result_damaged(wide, sizeof wide);
    static const unsigned char unknown[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x01, 0x00, 0x00};
    assert_result_damaged(unknown, sizeof unknown);
}

// A small blob with 200 MiB of zeros.
static void test_bomb(void **state)
{
    (void)state;
    enum { SIZE = 200 << 20, ROOM = 1 << 20 };
    char *zeros = calloc(SIZE, 1), *packed = malloc(ROOM);
    assert_true(zeros && packed);
    size_t size = ZSTD_compress(packed, ROOM, zeros, SIZE, 1);
    assert_false(ZSTD_isError(size));
    free(zeros);
    assert_result_damaged(packed, size);
    free(packed);
}

// ---- SQL in the file ----

static void test_triggers(void **state)
{
    (void)state;
    write_store("triggers.db", sound, sound_size);
    run_sql("triggers.db", "CREATE TRIGGER a AFTER INSERT ON runs BEGIN DELETE FROM launches; END;"
                           "CREATE TRIGGER b BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'no');"
                           " END; CREATE TRIGGER c AFTER INSERT ON launches BEGIN UPDATE runs SET"
                           " cycles = 0; END", NULL, 0);
    Store *store = opened("triggers.db", STORE_WRITE);
    added(store, &(Made){.seed = 9, .launches = 2}, NULL);
    StoreAdded again = added(store, &(Made){.seed = 9, .launches = 2, .cycles = 7}, NULL);
    assert_true(again.replaced);
    assert_int_equal(number_of(store, "SELECT count(*) FROM runs WHERE cycles = 0"), 0);
    store_close(store);
    assert_whole("triggers.db", RUNS + 1);
}

// Views may read; they cannot call what has effects.
static void test_views(void **state)
{
    (void)state;
    write_store("views.db", sound, sound_size);
    run_sql("views.db", "CREATE VIEW fast AS SELECT run FROM runs WHERE cycles < 1000;"
                        "CREATE VIEW bad AS SELECT load_extension('none.so') AS x;"
                        "CREATE VIEW settings AS SELECT * FROM pragma_table_list", NULL, 0);
    Store *store = opened("views.db", STORE_READ);
    assert_int_equal(number_of(store, "SELECT count(*) FROM fast"), RUNS);
    assert_fails(store, "SELECT * FROM bad", "SQL:1:1: unsafe use of load_extension()");
    store_close(store);
}

// Counters that are nested deep, or no JSON, in a row.
static void test_damaged_counters(void **state)
{
    (void)state;
    enum { LEVELS = 100000 };
    char *deep = malloc(2 * LEVELS + 1);
    assert_non_null(deep);
    memset(deep, '[', LEVELS);
    memset(deep + LEVELS, ']', LEVELS);
    write_store("counters.db", sound, sound_size);
    run_sql("counters.db", "UPDATE runs SET counters = CAST(? AS TEXT) WHERE run = 2", deep,
            2 * LEVELS);
    Store *store = opened("counters.db", STORE_READ);
    assert_fails(store, "SELECT counter(counters, 'cycles') FROM runs",
                 "SQL:1:1: counter: expected JSON: maximum parsing depth reached near '['");
    assert_fails(store, "SELECT counter(counters, 'cycles', 0) FROM runs",
                 "SQL:1:1: counter: expected JSON: maximum parsing depth reached near '['");
    assert_int_equal(number_of(store, "SELECT sum(counter(counters, 'cycles')) FROM runs"
                                      " WHERE run <> 2"), 200);
    store_close(store);
    run_sql("counters.db", "UPDATE runs SET counters = 'x'", NULL, 0);
    store = opened("counters.db", STORE_READ);
    assert_fails(store, "SELECT counter(counters, 'cycles') FROM runs",
                 "SQL:1:1: counter: expected JSON: '[' or '{' expected near 'x'");
    store_close(store);
    run_sql("counters.db", "UPDATE requests SET computed_from = '{'", NULL, 0);
    store = opened("counters.db", STORE_READ);
    HdError err = {0};
    assert_null(store_newest(store, "bfs", &err));
    assert_contains(err.text, "counters.db: a request is damaged: expected JSON");
    store_close(store);
    free(deep);
}

// The message of a page that is no page.
static void test_message(void **state)
{
    (void)state;
    char *bytes = malloc(sound_size), message[512];
    assert_non_null(bytes);
    memcpy(bytes, sound, sound_size);
    memset(bytes + 4096, 0xff, sound_size - 4096);
    const char *path = write_store("message.db", bytes, sound_size);
    Store *store = opened("message.db", STORE_READ);
    snprintf(message, sizeof message, "%s: the store is damaged: `sqlite3 FILE .recover` saves "
                                      "what can be read", path);
    assert_fails(store, "SELECT * FROM runs", message);
    store_close(store);
    free(bytes);
}

static int make_sound(void **state)
{
    if (scratch_setup(state) != 0) return -1;
    Store *store = opened("sound.db", STORE_WRITE);
    json_t *from = json_pack("{ss}", "a", "1");
    for (int seed = 0; seed < RUNS; seed++)
        added(store, &(Made){.seed = seed, .launches = 4, .padding = 3000},
              seed ? NULL : &(StoreRequest){.words = "bfs", .computed_from = from});
    json_decref(from);
    store_close(store);
    FILE *file = fopen(scratch_path("sound.db"), "rb");
    sound = malloc(1 << 20);
    assert_true(file && sound);
    sound_size = fread(sound, 1, 1 << 20, file);
    fclose(file);
    return 0;
}

static int forget(void **state)
{
    free(sound);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_damaged_log),
        cmocka_unit_test(test_damaged_results),
        cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_damaged_counters),
        cmocka_unit_test(test_message),
    };
    return cmocka_run_group_tests_name("damaged stores", tests, make_sound, forget);
}
