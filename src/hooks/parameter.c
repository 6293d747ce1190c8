// Parameters of mechanisms, as knobs.
#include "hooks/parameter.h"

#include "config/value.h"

#include <string.h>

// Without its default.
static Knob knob_of(const HdParameter *p, size_t index)
{
    return (Knob){.key = p->name, .type = p->integer ? KNOB_INTEGER : KNOB_NUMBER,
                  .offset = index * sizeof(double), .min = p->min, .max = p->max,
                  .choices = p->choices, .unit = p->unit, .doc = p->description};
}

bool parameter_section(const HdMechanism *mechanism, HdArena *arena, ConfigSection *section)
{
    const HdParameter *list = mechanism->parameters;
    size_t count = parameter_count(list);
    Knob *knobs = hd_arena_new(arena, (count + 1) * sizeof *knobs);
    if (!knobs) return false;
    for (size_t i = 0; i < count; i++) {
        char text[KNOB_VALUE_TEXT];
        parameter_text(&list[i], list[i].value, text, sizeof text);
        knobs[i] = knob_of(&list[i], i);
        knobs[i].value = hd_arena_text(arena, text, strlen(text));
        if (!knobs[i].value) return false;
    }
    *section =
        (ConfigSection){.name = mechanism->name, .knobs = knobs, .doc = mechanism->description};
    return true;
}

bool parameter_read(const HdParameter *p, const char *text, double *value, HdError *err)
{
    Knob knob = knob_of(p, 0);
    return knob_parse(&knob, text, value, err);
}

void parameter_text(const HdParameter *p, double value, char *text, size_t size)
{
    Knob knob = knob_of(p, 0);
    knob_format(&knob, &value, text, size);
}

bool parameter_find(const HdParameter *list, const char *name, size_t *found)
{
    for (size_t i = 0; list && list[i].name; i++) {
        if (strcmp(list[i].name, name) != 0) continue;
        *found = i;
        return true;
    }
    return false;
}

size_t parameter_count(const HdParameter *list)
{
    size_t count = 0;
    while (list && list[count].name) count++;
    return count;
}
