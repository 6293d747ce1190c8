// Numbers and prints the notes of a table.
#include "notes.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool equal(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

unsigned notes_number(Notes *notes, const char *source, const char *text)
{
    for (unsigned i = 0; i < notes->count; i++)
        if (equal(notes->notes[i].source, source) && equal(notes->notes[i].text, text))
            return i + 1;
    assert(notes->count < MOST_NOTES);
    notes->notes[notes->count] = (struct Note){source, text};
    return ++notes->count;
}

// Prints the words of `text` from this column on, further lines from `indent` on. Returns the
// column behind the last word.
static unsigned print_words(const char *text, unsigned column, unsigned indent)
{
    enum { COLUMNS = 100 };
    while (*text) {
        unsigned length = (unsigned)strcspn(text, " ");
        bool wrap = column + 1 + length > COLUMNS;
        if (wrap) printf("\n%*s", (int)indent, "");
        else printf(" ");
        printf("%.*s", (int)length, text);
        column = (wrap ? indent : column + 1) + length;
        text += length + strspn(text + length, " ");
    }
    return column;
}

void notes_print(const Notes *notes)
{
    if (notes->count) printf("\nNotes:\n\n");
    for (unsigned i = 0; i < notes->count; i++) {
        unsigned column = (unsigned)printf("%u.", i + 1), indent = column + 1;
        if (notes->notes[i].source) {
            column = print_words(notes->notes[i].source, column, indent);
            printf(":");
            column++;
        }
        print_words(notes->notes[i].text, column, indent);
        printf("\n");
    }
}
