#!/usr/bin/env bash
# Prints how many lines of each reader the corpus of its fuzz target reaches: the seeds, and what
# ./heddle-setup fuzz and tests/long/fuzz.sh have learnt since (build-fuzz). Builds with clang in
# build-coverage.
#
#     tests/fuzz/coverage.sh [TARGET...]
set -eu
cd "$(dirname "$0")/../.."
build=build-coverage
flags='-fprofile-instr-generate -fcoverage-mapping'

# GROUP (fuzz_GROUP.c), target, sources below src/ that are its reader.
readers='
graph mtx graph/read_mtx.c
graph edge-list graph/read_edge_list.c graph/list_columns.c graph/list_vertices.c graph/number_ids.c
graph csv graph/read_edge_list.c graph/list_columns.c graph/list_vertices.c graph/number_ids.c
graph csv graph/first_bytes.c graph/unread_formats.c graph/list_start.c
graph dimacs graph/read_dimacs.c
graph colouring graph/read_dimacs.c
graph metis graph/read_metis.c
graph gap graph/gap_format.c
graph gap-weighted graph/gap_format.c
graph galois graph/read_galois.c
graph ecl graph/read_ecl.c
graph ligra graph/read_ligra.c
graph graphml graph/read_graphml.c graph/xml_reader.c graph/vertex_names.c graph/edge_list.c
graph gml graph/read_gml.c graph/vertex_names.c graph/edge_list.c
graph pajek graph/read_pajek.c graph/edge_list.c
graph rodinia graph/read_rodinia.c
graph graph-cache graph/graph_cache.c
ptx ptx ptx exec core
ptx ptx-link ptx/link.c ptx/symbols.c
uops uops ptx/verify.c ptx/verify_calls.c ptx/verify_module.c exec core
config machine config/read_yaml.c
config set config/config.c config/parameter.c
config mechanism hooks/plan.c hooks/parameter_text.c config/parameter.c
config settings device/settings_file.c
compressed gzip base/input.c base/file.c
compressed zstd base/input.c base/file.c
compressed bzip2 base/input.c base/file.c
compressed xz base/input.c base/file.c
fatbin fatbin cudart/modules/fatbin.c
results diff cli/results/diff.c cli/results/cmd_diff.c cli/results/result_file.c
results annotate cli/results/annotate.c cli/results/cmd_annotate.c cli/results/result_file.c
results kept cli/compare/variant_metrics.c cli/results/result_file.c cli/results/schema.c
script script harness
study study study/study_read.c study/study_points.c study/study_yaml.c study/study_matrix.c
study study study/study_print.c study/study_claims.c study/record_keys.c study/study_data.c
study study study/study_data_write.c study/study_degrees.c
study batch study/slurm_batch.c
store store store/query.c store/print_rows.c store/counters.c store/functions.c store/store.c
words arguments cli/run/raw_kernel.c
words options base/option.c device/simulation_settings.c
words generator graph/generator_spec.c graph/generators.c
words changes graph/open_options.c
words advise workloads/advise_read.c
'

[ -f $build/build.ninja ] ||
    CC=${CC:-clang} meson setup $build -Dc_args="$flags" -Dc_link_args="$flags" \
        -Doptimization=1 >/dev/null
mapfile -t groups < <(awk 'NF { print "tests/fuzz/replay-" $1 }' <<<"$readers" | sort -u)
# Also programs that the build runs are instrumented.
LLVM_PROFILE_FILE=/dev/null ninja -C $build "${groups[@]}" >/dev/null
root=$PWD
printf '%-14s %8s %8s  %s\n' target lines reached readers
while read -r group target sources; do
    [ -n "$group" ] || continue
    for source in $sources; do
        [ -e "src/$source" ] || { echo "$target: there is no src/$source" && exit 1; }
    done
    [ $# -eq 0 ] || [[ " $* " == *" $target "* ]] || continue
    state=$build/coverage/$target
    mkdir -p "$state"
    rm -f "$state"/*
    folders=()
    for folder in {build-fuzz/fuzz/$target/{corpus,seeds},tests/fuzz/corpus/$target}; do
        [ ! -d "$folder" ] || folders+=("$root/$folder")
    done
    [ ${#folders[@]} -gt 0 ] || { echo "$target: run ./heddle-setup fuzz $target first" && exit 1; }
    program=$root/$build/tests/fuzz/replay-$group
    (cd "$state" && LLVM_PROFILE_FILE=raw "$program" "$target" "${folders[@]}" >log 2>&1)
    llvm-profdata merge -o "$state/profile" "$state/raw"
    llvm-cov export -format=lcov -instr-profile "$state/profile" "$program" |
        awk -v target="$target" -v sources="$sources" -f tests/fuzz/coverage.awk
done <<<"$readers"
