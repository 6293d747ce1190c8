// Lists parameters: name, sentence, possible values, default.
#include "cli/catalogue/print_parameters.h"

#include <stdio.h>

static void print_values(const HdParameter *p)
{
    char min[PARAMETER_VALUE_TEXT], max[PARAMETER_VALUE_TEXT];
    if (p->kind == HD_SWITCH) {
        printf("false or true");
        return;
    }
    for (unsigned i = 0; p->choices && p->choices[i]; i++)
        printf("%s%s", i ? " or " : "", p->choices[i]);
    if (p->choices) return;
    parameter_number_text(p, p->min, min, sizeof min);
    parameter_number_text(p, p->max, max, sizeof max);
    printf("%s to %s%s%s", min, max, p->unit ? " " : "", p->unit ? p->unit : "");
}

void print_parameters(const HdParameter *list)
{
    if (list) printf("parameters\n");
    for (const HdParameter *p = list; p && p->name; p++) {
        char value[PARAMETER_VALUE_TEXT];
        parameter_number_text(p, p->value, value, sizeof value);
        printf("  %-16s %s; ", p->name, p->description);
        print_values(p);
        printf(", default %s\n", value);
    }
}
