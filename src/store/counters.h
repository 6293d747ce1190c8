// Counters by their names in a JSON text, for the SQL function counter(TEXT, NAME).
#ifndef HEDDLE_STORE_COUNTERS_H
#define HEDDLE_STORE_COUNTERS_H

#include "base/fail.h"

#include <jansson.h>

enum { COUNTER_TEXTS = 4 };

// Texts that were read last: a query asks for many counters of a row.
typedef struct CounterTexts {
    struct CounterText {
        char *text;
        size_t size;
        json_t *json;
    } items[COUNTER_TEXTS];
    unsigned next; // to be replaced
} CounterTexts;

void counter_texts_free(CounterTexts *texts);

// The value at NAME, members joined by dots (l1d.load_hits), numbers of an array's elements among
// them (lanes.32). A member whose own name has dots or blanks is found as well. Owned by `texts`,
// until the next call. NULL: there is none, which is an error if it `must` be there, with the
// nearest name; or err, the text is no JSON.
const json_t *counter_find(CounterTexts *texts, const char *text, size_t size, const char *name,
                           bool must, HdError *err);

#endif
