// Numbered notes below a table, for texts that are too long for its cells.
#ifndef HEDDLE_BENCH_MICROBENCH_NOTES_H
#define HEDDLE_BENCH_MICROBENCH_NOTES_H

#include "published.h"

enum { MOST_NOTES = 2 * MOST_PUBLISHED }; // a row has at most two

// Borrows the texts.
typedef struct Notes {
    struct Note {
        const char *source, *text; // source: printed in front of the text, or NULL
    } notes[MOST_NOTES];
    unsigned count;
} Notes;

// The number, from 1 on, of the note with this source (or NULL) and text. Equal notes are one.
unsigned notes_number(Notes *notes, const char *source, const char *text);
// Prints the notes as a numbered list with lines of at most 100 columns; nothing if there are none.
void notes_print(const Notes *notes);

#endif
