# Sourced by the scripts of bench/, tests/long/ and tests/goldens/ before they look at their
# arguments. `--help` prints the script's first comment; what is wrong ends it with status 2 and one
# message.

case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

wrong() # TEXT
{
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit 2
}

# For a script that has no options.
no_options() # ARGUMENT...
{
    local argument
    for argument; do
        [[ $argument != -* ]] || wrong "unknown option '$argument': --help says what is expected"
    done
}

at_most() # NUMBER ARGUMENT...
{
    [ $(($# - 1)) -le "$1" ] || wrong "'${*:$1+2:1}' is one argument too many: --help says which"
}

program() # FILE
{
    [ ! -d "$1" ] && command -v "$1" >/dev/null ||
        wrong "'$1': no such program: expected one that was built"
}

whole() # NAME VALUE
{
    [[ $2 =~ ^[1-9][0-9]{0,14}$ ]] || wrong "$1 '$2': expected a whole number of at least 1"
}

needs() # TOOL...
{
    local tool
    for tool; do
        command -v "$tool" >/dev/null ||
            wrong "$tool is not installed: expected Debian package $tool"
    done
}

# A heddle that compares each load with its location: only such a one knows the variable.
shadow_program() # FILE
{
    program "$1"
    HEDDLE_SHADOW_FAULT=none "$1" run vecadd --param elements=32 --quiet 2>&1 </dev/null |
        grep -q HEDDLE_SHADOW_FAULT ||
        wrong "$1 carries no shadow data: expected a build with -Dshadow=true"
}
