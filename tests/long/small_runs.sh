# Shared by long checks, which source it: a small run of every implementation of every workload.

# small_runs HEDDLE OPTIONS: prints every implementation of every workload with options ("bfs --impl
# topology --graph ..."). OPTIONS are those of graph programs.
small_runs() {
    local heddle=$1 graph=$2 workload options implementation
    for workload in $("$heddle" workload list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'); do
        options=$("$heddle" workload "$workload" | sed -n 's/^small run: //p')
        options=${options:-$graph}
        for implementation in $("$heddle" workload "$workload" |
            sed -n '/^implementations/,/^parameters/p' |
            sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
            echo "$workload --impl $implementation $options"
        done
    done
}
