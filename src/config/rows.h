// Rows of the parameter tables of machines. `Type` is the section's struct. The member `field` has
// the value, and gives the row its name, except in ROW. Further members of HdParameter may follow:
//     WHOLE(Cache, ways, 4, 1, 64, "lines", "Lines per set.", .when = "mode=cache")
#ifndef HEDDLE_CONFIG_ROWS_H
#define HEDDLE_CONFIG_ROWS_H

#include "config/parameter.h"

#define ROW(Type, field, name_, kind_, doc, ...)                                                   \
    {.name = name_, .kind = kind_, .offset = offsetof(Type, field),                                \
     .size = sizeof(((Type *)0)->field), .description = doc, __VA_ARGS__}

#define WHOLE(Type, field, default_, lowest, highest, what, doc, ...)                              \
    ROW(Type, field, #field, HD_WHOLE, doc, .value = default_, .min = lowest, .max = highest,      \
        .unit = what, __VA_ARGS__)
// The defaults of these are texts with a unit, or one of the choices.
#define BYTES(Type, field, default_, lowest, highest, doc, ...)                                    \
    ROW(Type, field, #field, HD_BYTES, doc, .text = default_, .min = lowest, .max = highest,       \
        __VA_ARGS__)
#define FREQUENCY(Type, field, default_, lowest, highest, doc, ...)                                \
    ROW(Type, field, #field, HD_FREQUENCY, doc, .text = default_, .min = lowest, .max = highest,   \
        __VA_ARGS__)
#define TIME(Type, field, default_, highest, doc, ...)                                             \
    ROW(Type, field, #field, HD_TIME, doc, .text = default_, .max = highest, __VA_ARGS__)
#define CHOICE(Type, field, default_, list, doc, ...)                                              \
    ROW(Type, field, #field, HD_CHOICE, doc, .text = default_, .choices = list, __VA_ARGS__)
#define SWITCH(Type, field, default_, doc, ...)                                                    \
    ROW(Type, field, #field, HD_SWITCH, doc, .value = default_, __VA_ARGS__)

#endif
