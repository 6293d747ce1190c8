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
    fprintf(out, "        --%s) COMPREPLY=($(compgen -W '", option->name);
    for (const char *const *choice = option->choices; *choice; choice++)
        fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
    fputs("' -- \"$word\"))\n            return ;;\n", out);
}

// The words that may follow a command's name, such as "list" in "machine list": the lower-case
// words at this place of its forms.
static void put_actions(const Command *command, FILE *out)
{
    const char *between = "";
    for (const char *line = command->synopsis; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *word = line + strcspn(line, " \n");
        word += strspn(word, " [");
        size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz");
        bool action = length && strchr(" ]\n", word[length]);
        if (!action || strncmp(word, "options]", 8) == 0) continue;
        fprintf(out, "%s%.*s", between, (int)length, word);
        between = " ";
    }
}

// Names of machines, mechanisms and workloads are asked of `heddle` when they are completed.
static const char names_of[] =
    "_heddle_names()\n{\n"
    "    heddle \"$@\" 2>/dev/null | grep -v -e '^ ' -e ':$' | cut -d' ' -f1\n"
    "}\n\n";

static const char arguments[] =
    "        *) case ${COMP_WORDS[1]} in\n"
    "            run|compare|trace) [[ $before == -* ]] || names=$(_heddle_names workload) ;;\n"
    "            workload) names=$(_heddle_names workload) ;;\n"
    "            machine|mechanism) ((COMP_CWORD == 2)) ||\n"
    "                names=$(_heddle_names \"${COMP_WORDS[1]}\" list) ;;\n"
    "        esac ;;\n"
    "    esac\n";

static const char replies[] =
    "    if [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
    "    elif [[ $actions ]] && ((COMP_CWORD == 2)); then\n"
    "        COMPREPLY=($(compgen -W \"$actions $names\" -- \"$word\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -W \"$names\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
    "    fi\n}\n"
    "complete -o filenames -F _heddle heddle\n";

void program_completion(const Command *const *commands, FILE *out)
{
    fputs("# bash completion for heddle; made by `heddle help --completion bash`\n", out);
    fputs(names_of, out);
    fputs("_heddle()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options='' actions='' names='' commands='", out);
    for (const Command *const *c = commands; *c; c++) fprintf(out, " %s", (*c)->name);
    fputs("'\n    if ((COMP_CWORD == 1)); then\n"
          "        [[ $word != -* ]] || commands='--help --version'\n"
          "        COMPREPLY=($(compgen -W \"help $commands\" -- \"$word\"))\n"
          "        return\n    fi\n"
          "    case $before in\n"
          "        --machine) names=$(_heddle_names machine list) ;;\n"
          "        --mechanism) names=$(_heddle_names mechanism list) ;;\n", out);
    for (const Command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, "run") == 0)
            command_for_options(*c, ignore_group, put_choices, out);
    fputs(arguments, out);
    fputs("    case ${COMP_WORDS[1]} in\n", out);
    for (const Command *const *c = commands; *c; c++) {
        fprintf(out, "        %s) options='--help", (*c)->name);
        command_for_options(*c, ignore_group, put_name, out);
        fputs("' actions='", out);
        put_actions(*c, out);
        fputs("' ;;\n", out);
    }
    fputs("        help) options='--man --completion' actions=$commands ;;\n    esac\n", out);
    fputs(replies, out);
}
