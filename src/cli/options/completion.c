// Completion for bash: names of commands and options, values that are one of a list, and files.
#include "cli/options/command_help.h"

#include <string.h>

static void ignore_group(const char *group, void *out)
{
    (void)group;
    (void)out;
}

// " --name", or the first word of another spelling.
static void put_name(const Option *option, void *out)
{
    if (option->spelling)
        fprintf(out, " %.*s", (int)strcspn(option->spelling, " ,="), option->spelling);
    else
        fprintf(out, " --%s", option->name);
}

// A case for an option whose value is one of a list.
static void put_choices(const Option *option, void *out)
{
    if (option->type != OPTION_CHOICE) return;
    fprintf(out, "        '%s')\n            COMPREPLY=($(compgen -W '", option->name);
    for (const char *const *choice = option->choices; *choice; choice++)
        fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
    fputs("' -- \"$word\")); return ;;\n", out);
}

void program_completion(const Command *const *commands, FILE *out)
{
    fputs("# bash completion for heddle; made by `heddle help --completion bash`\n"
          "_heddle()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W 'help",
          out);
    for (const Command *const *c = commands; *c; c++) fprintf(out, " %s", (*c)->name);
    fputs("' -- \"$word\"))\n        return\n    fi\n"
          "    case ${before#--} in\n"
          "        machine) COMPREPLY=($(compgen -f -- \"$word\")\n"
          "            $(compgen -W \"$(heddle machine list 2>/dev/null | grep -v : | "
          "cut -d' ' -f1)\" -- \"$word\")); return ;;\n"
          "        mechanism) COMPREPLY=($(compgen -W \"$(heddle mechanism 2>/dev/null | "
          "cut -d' ' -f1)\" -- \"$word\")); return ;;\n",
          out);
    for (const Command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, "run") == 0)
            command_for_options(*c, ignore_group, put_choices, out);
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", out);
    for (const Command *const *c = commands; *c; c++) {
        fprintf(out, "        %s) options='--help", (*c)->name);
        command_for_options(*c, ignore_group, put_name, out);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n"
          "    if [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    elif [[ ${COMP_WORDS[1]} == @(run|compare|trace) && $before != -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(heddle workload 2>/dev/null | "
          "grep -v '^ ' | cut -d' ' -f1)\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "    fi\n}\n"
          "complete -o filenames -F _heddle heddle\n",
          out);
}
