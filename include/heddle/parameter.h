// A parameter of a mechanism, a workload or a machine: a value with a name, a default, a range and
// a sentence.
#ifndef HEDDLE_PARAMETER_H
#define HEDDLE_PARAMETER_H

#include <stddef.h>

// What a value is, and how it is given. The value of a mechanism's or workload's parameter is a
// double of the unit that is named first.
typedef enum HdParameterKind {
    HD_NUMBER,    // a number
    HD_WHOLE,     // a whole number
    HD_BYTES,     // bytes, with a unit: 48KiB (B, KiB, MiB or GiB)
    HD_FREQUENCY, // kHz, with a unit: 1.4GHz (kHz, MHz or GHz)
    HD_TIME,      // ns, with a unit: 1.5us (ns, us or ms)
    HD_SWITCH,    // .value is 0 or 1; users write off and on, no and yes, or false and true
    HD_CHOICE,    // the index of one of `choices`
    HD_TEXT,      // a text; only of machines
} HdParameterKind;

// A list of parameters ends with a NULL name. The user sets a mechanism's parameter by
// --mechanism name:key=value, by --set name.key=value, or in a machine file; a workload's by
// --param key=value; a machine's by --set section.key=value, or in a machine file.
typedef struct HdParameter {
    const char *name, *unit, *description; // unit: what a number counts; NULL: nothing
    HdParameterKind kind;
    double value, min, max;     // the default (which is the paper's); the bounds, both included
    const char *const *choices; // NULL-terminated: of HD_CHOICE; of a machine's HD_WHOLE:
                                // choices[0], a word that may be given instead of a number
    // The rest is for parameters of machines, whose values are fields of a struct. Of others it
    // must be 0.
    size_t offset, size;        // of the field; size 0: a double at the parameter's index
    const char *text;           // the default as a machine file has it; NULL: `value`
    const char *when;           // "key=value" or "key=value or value": another parameter of the
                                // section, without which this one has no effect; NULL: always read
    const char *absent;         // HD_CHOICE: with this value the machine has nothing that the
                                // section describes; NULL: none
} HdParameter;

#endif
