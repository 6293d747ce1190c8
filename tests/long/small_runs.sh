# Shared by long checks, which source it: a small run of every implementation of every workload.

# Options of a small run of a workload that takes no graph.
small_parameters() { # WORKLOAD
    case $1 in
    stream | vecadd) echo --param elements=16384 ;;
    scalarprod) echo --param pairs=16 --param elements=512 ;;
    blackscholes) echo --param options=4096 ;;
    walsh) echo --param elements=8192 ;;
    needle) echo --param length=64 ;;
    hotspot | convolution) echo --param rows=64 --param columns=128 ;;
    conv2d) echo --param rows=64 --param columns=128 ;;
    mm2) echo --param rows=32 --param columns=128 ;;
    stencil3d) echo --param rows=16 --param columns=128 --param planes=5 ;;
    srad) echo --param rows=64 --param columns=128 ;;
    streamcluster) echo --param points=512 --param dimensions=16 ;;
    syrk | gesummv) echo --param rows=32 --param columns=128 ;;
    kmeans) echo --param points=512 ;;
    invindex) echo --param records=512 ;;
    btree) echo --param keys=4096 --param queries=64 --param order=32 ;;
    backprop) echo --param inputs=1024 ;;
    neuralnet) echo --param digits=1 ;;
    pi) echo --param points=4000 --param threads=1000 ;;
    aes) echo --param states=512 ;;
    coulomb) echo --param rows=32 --param columns=64 --param atoms=20 --param group=8 ;;
    pathfinder) echo --param columns=2000 --param rows=30 ;;
    haar) echo --param elements=8192 ;;
    fft) echo --param transforms=8 ;;
    libor) echo --param paths=64 ;;
    laplace3d) echo --param rows=16 --param columns=64 --param planes=6 ;;
    mummer) echo --param reference=4096 --param reads=500 ;;
    queens) echo --param size=7 --param threads=960 ;;
    esac
}

# small_runs HEDDLE OPTIONS: prints every implementation of every workload with options ("bfs --impl
# topology --graph ..."). OPTIONS are those of graph programs.
small_runs() {
    local heddle=$1 graph=$2 workload options implementation
    for workload in $("$heddle" workload list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'); do
        options=$graph
        if "$heddle" workload "$workload" | grep -q '^graph: none'; then
            options=$(small_parameters "$workload")
        fi
        for implementation in $("$heddle" workload "$workload" |
            sed -n '/^implementations/,/^parameters/p' |
            sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
            echo "$workload --impl $implementation $options"
        done
    done
}
