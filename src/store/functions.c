// The functions and aggregates that a store adds to SQL.
#include "store/functions.h"

#include "base/memory.h"
#include "base/number.h"
#include "store/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- counter ----

static void return_json(sqlite3_context *context, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_INTEGER: sqlite3_result_int64(context, json_integer_value(value)); break;
    case JSON_REAL: sqlite3_result_double(context, json_real_value(value)); break;
    case JSON_TRUE: sqlite3_result_int(context, 1); break;
    case JSON_FALSE: sqlite3_result_int(context, 0); break;
    case JSON_NULL: sqlite3_result_null(context); break;
    case JSON_STRING:
        sqlite3_result_text(context, json_string_value(value), (int)json_string_length(value),
                            SQLITE_TRANSIENT);
        break;
    default: {
        char *text = json_dumps(value, JSON_COMPACT);
        if (text) sqlite3_result_text(context, text, -1, free);
        else sqlite3_result_error_nomem(context);
    }
    }
}

static void counter(sqlite3_context *context, int count, sqlite3_value **values)
{
    Store *store = sqlite3_user_data(context);
    const char *text = (const char *)sqlite3_value_text(values[0]);
    const char *name = (const char *)sqlite3_value_text(values[1]);
    HdError err = {0};
    if (!text || !name) return; // NULL
    const json_t *value = counter_find(&store->texts, text, (size_t)sqlite3_value_bytes(values[0]),
                                       name, count == 2, &err);
    if (value) return_json(context, value);
    else if (err.set) sqlite3_result_error(context, err.text, -1);
    else sqlite3_result_value(context, values[2]);
}

static void result_text(sqlite3_context *context, int count, sqlite3_value **values)
{
    size_t size;
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    const void *packed = sqlite3_value_blob(values[0]);
    char *text = store_unpack(packed, (size_t)sqlite3_value_bytes(values[0]), &size);
    if (text) sqlite3_result_text64(context, text, size, free, SQLITE_UTF8);
    else sqlite3_result_error(context, "result_text: expected the column result of a run", -1);
}

static void fixed(sqlite3_context *context, int count, sqlite3_value **values)
{
    enum { MOST_PLACES = 30 };
    char text[400];
    int places = sqlite3_value_int(values[1]);
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    if (places < 0 || places > MOST_PLACES) {
        sqlite3_result_error(context, "fixed: expected 0 to 30 decimal places", -1);
        return;
    }
    number_format(text, sizeof text, "%.*f", places, sqlite3_value_double(values[0]));
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

// ---- means ----

// A number. Text that is no number, such as an object of counters, is an error. false: there is
// none, which NULL is as well.
static bool take_number(sqlite3_context *context, sqlite3_value *value, const char *name,
                        double *number)
{
    int type = sqlite3_value_numeric_type(value);
    if (type == SQLITE_NULL) return false;
    *number = sqlite3_value_double(value);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) return true;
    char *text = sqlite3_mprintf("%s: expected numbers", name);
    sqlite3_result_error(context, text ? text : name, -1);
    sqlite3_free(text);
    return false;
}

typedef struct Sum {
    double sum;
    int64_t count;
    bool lacks; // a value was NULL
} Sum;

// Adds what `of` makes of a value, which must be above zero.
static void add_positive(sqlite3_context *context, sqlite3_value *value, const char *name,
                         double (*of)(double))
{
    double number;
    Sum *sum = sqlite3_aggregate_context(context, sizeof *sum);
    if (!sum) {
        sqlite3_result_error_nomem(context);
    } else if (!take_number(context, value, name, &number)) {
        sum->lacks = true;
    } else if (!(number > 0)) {
        char *text = sqlite3_mprintf("%s: %g is not above zero", name, number);
        sqlite3_result_error(context, text ? text : name, -1);
        sqlite3_free(text);
    } else {
        sum->sum += of(number);
        sum->count++;
    }
}

static double inverse(double value) { return 1 / value; }

static void geomean_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add_positive(context, values[0], "geomean", log);
}

static void geomean_final(sqlite3_context *context)
{
    const Sum *sum = sqlite3_aggregate_context(context, 0);
    if (sum && sum->count) sqlite3_result_double(context, exp(sum->sum / (double)sum->count));
}

static void hmean_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add_positive(context, values[0], "hmean", inverse);
}

static void hmean_final(sqlite3_context *context)
{
    const Sum *sum = sqlite3_aggregate_context(context, 0);
    if (sum && sum->count) sqlite3_result_double(context, (double)sum->count / sum->sum);
}

static void avg_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    Sum *sum = sqlite3_aggregate_context(context, sizeof *sum);
    (void)count;
    if (!sum) {
        sqlite3_result_error_nomem(context);
        return;
    }
    double number;
    if (!take_number(context, values[0], "avg_all", &number)) {
        sum->lacks = true;
        return;
    }
    sum->sum += number;
    sum->count++;
}

// The sum, unless a value was NULL or there is none.
static const Sum *whole(sqlite3_context *context)
{
    const Sum *sum = sqlite3_aggregate_context(context, 0);
    return sum && !sum->lacks && sum->count ? sum : NULL;
}

static void geomean_all_final(sqlite3_context *context)
{
    if (whole(context)) geomean_final(context);
}

static void hmean_all_final(sqlite3_context *context)
{
    if (whole(context)) hmean_final(context);
}

static void avg_all_final(sqlite3_context *context)
{
    const Sum *sum = whole(context);
    if (sum) sqlite3_result_double(context, sum->sum / (double)sum->count);
}

// ---- percentiles ----

typedef struct Values {
    double *items;
    size_t count, capacity;
    double percent;
} Values;

static void add_value(sqlite3_context *context, sqlite3_value *value, const char *name,
                      double percent)
{
    double number;
    if (!take_number(context, value, name, &number)) return;
    Values *all = sqlite3_aggregate_context(context, sizeof *all);
    if (all) all->percent = percent;
    if (!all || !HD_PUSH(all->items, all->count, all->capacity, number))
        sqlite3_result_error_nomem(context);
}

static void median_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add_value(context, values[0], "median", 50);
}

static void percentile_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    double percent = sqlite3_value_double(values[1]);
    int type = sqlite3_value_numeric_type(values[1]);
    bool number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    if (number && percent >= 0 && percent <= 100)
        add_value(context, values[0], "percentile", percent);
    else sqlite3_result_error(context, "percentile: expected a percentage from 0 to 100", -1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void percentile_final(sqlite3_context *context)
{
    Values *all = sqlite3_aggregate_context(context, 0);
    if (!all) return;
    if (all->count) {
        qsort(all->items, all->count, sizeof *all->items, by_value);
        double place = all->percent / 100 * (double)(all->count - 1);
        size_t below = (size_t)place;
        double part = place - (double)below, value = all->items[below];
        if (part > 0) value = value * (1 - part) + all->items[below + 1] * part;
        sqlite3_result_double(context, value);
    }
    free(all->items);
}

bool functions_add(Store *store, HdError *err)
{
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };
    static const struct {
        const char *name;
        int values;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } all[] = {{"counter", 2, counter, NULL, NULL},
               {"counter", 3, counter, NULL, NULL},
               {"result_text", 1, result_text, NULL, NULL},
               {"fixed", 2, fixed, NULL, NULL},
               {"geomean_all", 1, NULL, geomean_step, geomean_all_final},
               {"hmean_all", 1, NULL, hmean_step, hmean_all_final},
               {"avg_all", 1, NULL, avg_step, avg_all_final},
               {"geomean", 1, NULL, geomean_step, geomean_final},
               {"hmean", 1, NULL, hmean_step, hmean_final},
               {"median", 1, NULL, median_step, percentile_final},
               {"percentile", 2, NULL, percentile_step, percentile_final}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sqlite3_create_function_v2(store->sqlite, all[i].name, all[i].values, FLAGS, store,
                                       all[i].function, all[i].step, all[i].final, NULL) !=
            SQLITE_OK)
            return store_fail(store, err);
    return true;
}
