// What subcommands share: messages, lists of texts, numbers as people write and read them.
#ifndef HEDDLE_CLI_COMMON_TEXT_H
#define HEDDLE_CLI_COMMON_TEXT_H

#include "base/error.h"
#include "report/format_numbers.h"

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>

// Exit statuses. An interrupted command's is SIGNAL_STATUS + the signal's number, as in a shell.
enum { EXIT_GOOD = 0, EXIT_WRONG = 1, EXIT_INPUT = 2, SIGNAL_STATUS = 128 };

// Prints "heddle: TEXT" on stderr; returns EXIT_INPUT.
int cli_fail(const HdError *err);
// Flushes stdout; EXIT_GOOD, or EXIT_INPUT with a message where it could not be written.
int cli_flush(void);

// The message for getopt_long's '?' or ':' (the option string starts with ':'); returns false.
bool cli_bad_option(int c, char **argv, const struct option *options, const char *command,
                    HdError *err);

// A NULL-terminated list of texts that grows. Zero-initialise; `items` may then be NULL.
typedef struct TextList {
    const char **items;
    size_t count;
} TextList;
// Adds a text, which the list does not own. false: memory is out.
bool text_list_add(TextList *list, const char *text);
void text_list_free(TextList *list);

// A whole decimal or 0x... number between low and high. `what` names it in messages.
bool parse_number(const char *text, const char *what, uint64_t low, uint64_t high, uint64_t *value,
                  HdError *err);
// Bytes: a number that may end in B, KiB, MiB or GiB; at least 1.
bool parse_bytes(const char *text, const char *what, uint64_t *bytes, HdError *err);
// "X", "X,Y" or "X,Y,Z", each at least 1; what is not given is 1.
bool parse_shape(const char *text, const char *what, uint32_t shape[3], HdError *err);

// Can a file be written at the path? `what` names it in messages.
bool check_writable(const char *path, const char *what, HdError *err);

#endif
