# Shared by the studies, which source it: options, a resumable queue of runs, and tables in pages.
# Requires jq.
#
#   --keep DIR      the folder of completed runs (delete the folder to start over)
#   --jobs N        number of runs at a time (default: number of CPUs), each on one host thread
#   --only REGEX    only runs whose name matches (grep -E)
#   --new           only runs of which no data are committed
#   --heddle FILE   default build/heddle
#   --tables        no runs: regenerates the page's tables from the committed data
#   --rows          no runs: prints all tables, with a row for each kernel, program or input. A page
#                   has the means
#   --plan          no runs: prints those that are left, with the CPU hours left before each
root=$(cd "$here/../.." && pwd)
heddle=$root/build/heddle
# 144 GB/s on fermi-macsim: a faster clock, with the DRAM's times in ns unchanged.
# shellcheck disable=SC2034 # the studies of lakshminarayana2014 use it
dram_144='dram.frequency=1125MHz dram.tCL=29 dram.tRCD=40 dram.tRP=17 dram.tRAS=69 dram.tRC=86'
jobs=$(nproc) only=. new_only=false tables_only=false plan_only=false rows_only=false
every=0 # 1: tables with rows of all kernels, programs or inputs (--rows)

study_option() # parses a common option at the front of "$@"; sets `used` to the words taken, or 0
{
    used=2
    case $1 in
    --keep) keep=${2:?--keep needs a folder} ;;
    --jobs) jobs=${2:?--jobs needs a number} ;;
    --only) only=${2:?--only needs a regular expression} ;;
    --heddle) heddle=${2:?--heddle needs a file} ;;
    --new) new_only=true used=1 ;;
    --tables) tables_only=true used=1 ;;
    --rows) tables_only=true rows_only=true every=1 used=1 ;;
    --plan) plan_only=true used=1 ;;
    *) used=0 ;;
    esac
}

study_options() # parses common options; others are an error
{
    while [ $# -gt 0 ]; do
        study_option "$@"
        [ "$used" -gt 0 ] || study_fail "there is no option $1"
        shift "$used"
    done
}

study_fail()
{
    echo "$(basename "$0"): $*" >&2
    exit 2
}

study_begin()
{
    command -v jq >/dev/null || study_fail "jq is not installed (apt-get install jq)"
    [ -x "$heddle" ] || study_fail "$heddle is not there: build it, or say --heddle FILE"
    mkdir -p "$keep" || exit 2
    queue=$keep/queue.$$
    : >"$queue"
    # The last commit that changed the simulator.
    local parts=(src include kernels machines)
    STUDY_VERSION=$(git -C "$root" log -1 --format=%h -- "${parts[@]}" 2>/dev/null) ||
        STUDY_VERSION=unknown
    if [ -n "$(git -C "$root" status --porcelain -- "${parts[@]}" 2>/dev/null)" ]; then
        STUDY_VERSION+=-changed
    fi
    export STUDY_VERSION
}

# study_add NAME KERNEL WORD...: adds a run to the queue. Words have no blanks.
study_add()
{
    echo "$*" >>"$queue"
}

# Prints the queue with the place of each run in it and the CPU hours that are left in front of the
# run. Kept runs and study_costs say what runs take; $1 names the words of a run's name, counted
# from 1, which decide that.
study_plan()
{
    {
        find "$keep" -maxdepth 1 -name '*.json' -exec jq -r '"1 \(.name) \(.seconds // 0)"' {} +
        study_costs
    } | awk -v words="$1" '
        function key(name, count,    part, word, i, text) {
            split(name, part, ".")
            split(words, word, ",")
            for (i = 1; i <= count; i++) text = text "." part[word[i]]
            return text
        }
        function cost(name,    rank, i) {
            for (rank = 1; rank <= 2; rank++)
                for (i = most; i >= 1; i--)
                    if ((rank, key(name, i)) in runs)
                        return sum[rank, key(name, i)] / runs[rank, key(name, i)]
            unknown++
            return 0
        }
        BEGIN { most = split(words, unused, ",") }
        FILENAME == "-" && $3 > 0 {
            for (i = 1; i <= most; i++) {
                sum[$1, key($2, i)] += $3
                runs[$1, key($2, i)]++
            }
        }
        FILENAME != "-" { queued[++count] = $0; left += seconds[count] = cost($1) }
        END {
            printf "%d runs to do\n", count >"/dev/stderr"
            printf "about %.2f hours of one CPU", left / 3600 >"/dev/stderr"
            if (unknown) printf ", and %d runs whose time is not known", unknown >"/dev/stderr"
            print "" >"/dev/stderr"
            for (i = 1; i <= count; i++) {
                printf "%d/%d:%.2fh %s\n", i, count, left / 3600, queued[i]
                left -= seconds[i]
            }
        }' - "$queue"
}

# Runs the queue; $1 as in study_plan. Two calls cannot run in the same folder.
study_run()
{
    if $plan_only; then
        study_plan "$1" | cut -d ' ' -f 1,2
        rm -f "$queue"
        exit 0
    fi
    exec 9>"$keep/lock"
    flock -n 9 || study_fail "$keep: another call is at work there"
    study_plan "$1" | xargs -r -P "$jobs" -L 1 nice -n 15 "$here/one.sh" "$heddle" "$keep"
    exec 9>&-
    rm -f "$queue"
}

study_costs() # a study that knows more redefines it
{
    :
}

declare -A known=()
study_known() # succeeds if heddle has this mechanism
{
    if [ -z "${known[$1]:-}" ]; then
        "$heddle" mechanism describe "$1" >/dev/null 2>&1
        known[$1]=$?
    fi
    return "${known[$1]}"
}

# study_wanted NAME CSV PREFIX: succeeds if this run is selected. The committed data of the run are
# the lines of CSV that begin with PREFIX.
study_wanted()
{
    [[ ! -e $keep/$1.json && $1 =~ $only ]] || return
    ! $new_only || [ ! -e "$2" ] ||
        awk -v prefix="$3," 'index($0, prefix) == 1 { exit 1 }' "$2"
}

# study_keep PREFIX: prints the place of a run's committed lines, which begin with PREFIX, in a new
# CSV file. study_fill OLD NEW puts the lines of OLD there. All prefixes have as many columns.
study_keep()
{
    echo "@$1"
}

study_fill()
{
    local old=$1
    [ -e "$old" ] || old=/dev/null
    awk -F, '
        NR == FNR && /^@/ {
            columns = NF
            wanted[substr($0, 2)]
        }
        NR == FNR { line[++lines] = $0; next }
        {
            prefix = $1
            for (i = 2; i <= columns; i++) prefix = prefix "," $i
            if (prefix in wanted) rows[prefix] = rows[prefix] $0 "\n"
        }
        END {
            for (i = 1; i <= lines; i++)
                if (line[i] ~ /^@/) printf "%s", rows[substr(line[i], 2)]
                else print line[i]
        }' "$2" "$old" >"$2.filled" && mv "$2.filled" "$2" || exit 2
}

# study_without_stale FUNCTIONS FIRST LAST RENEWED OLD NEW FILE: prints FILE, which is NEW or has
# its runs, without the lines that are not renewed though their baseline has other counters than
# before: these do not compare. RENEWED lists the renewed runs after one other line. OLD and NEW
# have the counters of all runs, in the columns FIRST to LAST. The awk functions give a line's run,
# its baseline, and which part of the run it is.
study_without_stale()
{
    local functions=$1 first=$2 last=$3
    shift 3
    awk -F, -v first="$first" -v last="$last" "$functions"'
        FNR == 1 { file++ }
        {
            counters = ""
            for (i = first; i <= last; i++) counters = counters "," $i
        }
        file == 1 { renewed[$0] = 1 }
        file == 2 && FNR > 1 { old[name(), part()] = counters }
        file == 3 && FNR > 1 {
            base[name()] = base_name()
            if ((name(), part()) in old && old[name(), part()] != counters) changed[name()] = 1
        }
        file == 4 && (FNR == 1 || name() in renewed || !(base[name()] in changed))' "$@"
}

# study_tables PAGE TABLES ARGUMENT...: renews tables of a page. The arguments are those of awk.
study_tables()
{
    local page=$1 names=$2 text
    shift 2
    text=$(awk -F, -v tables="$names" -v every=$every "$@") || exit 2
    study_page "$page" <<<"$text"
}

# study_page PAGE <TABLES: replaces tables of a page, each between the lines `<!-- NAME -->` and
# `<!-- end -->`. In TABLES, the line `<!-- NAME -->` is in front of each. A table of two lines is a
# heading without rows. With --rows: prints TABLES, and changes nothing.
study_page()
{
    local page=$1
    if $rows_only; then
        cat
        return
    fi
    awk '
        FILENAME == "-" && /^<!-- / { name = $0; tables[name]; next }
        FILENAME == "-" { text[name] = text[name] $0 "\n"; lines[name]++; next }
        !inside
        $0 in tables {
            inside = 1
            printf "%s", (lines[$0] > 2 ? text[$0] : "Not run yet.\n")
            delete tables[$0]
        }
        $0 == "<!-- end -->" && inside { inside = 0; print }
        END {
            for (name in tables) {
                print "no place for the table " name >"/dev/stderr"
                inside = 1
            }
            exit inside
        }' - "$page" >"$page.$$" && mv "$page.$$" "$page" && return
    rm -f "$page.$$"
    study_fail "$page: not changed"
}
