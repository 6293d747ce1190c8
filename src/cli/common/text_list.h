// A list of texts that grows, NULL-terminated.
#ifndef HEDDLE_CLI_COMMON_TEXT_LIST_H
#define HEDDLE_CLI_COMMON_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

// Zero-initialise; `items` may then be NULL.
typedef struct TextList {
    const char **items;
    size_t count;
} TextList;

// Adds a text, which the list does not own. false: out of memory.
bool text_list_add(TextList *list, const char *text);
void text_list_free(TextList *list);

#endif
