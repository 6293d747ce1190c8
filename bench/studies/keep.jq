# Extracts from a result what a study keeps: counters of the run, of each allocation, and of each
# timed launch of $kernel ("-": of every kernel), and the run's seconds of CPU time. `waits` of a
# launch has the warp cycles in which warps waited for its loads from constant arrays, by source
# line and allocation, such as "kernels/bfs.cu:20 edges".
def counts: {
    cycles, warp_instructions, thread_instructions,
    issue: .issue | {slots, issued, memory: .stall_memory},
    sm: .sm | {memory_instructions, memory_requests, global_loads, global_stores, global_atomics,
        cycles, active_cycles, warp_cycles, fetches, instructions_decoded, scalar_instructions},
    lanes, groups,
    requests: .icnt | {load: .flits_to_memory_load, unit: (.flits_to_memory_engine // 0),
        unit_replies: (.flits_to_sm_engine // 0)},
    l1: .l1d | {accesses, hits, pending_hits, victim_hits, misses, load_accesses, load_hits,
        load_pending_hits, load_misses, fills, insertions, evictions, line: .stall_line_allocation,
        mshr: .stall_mshr_entry, merge: .stall_mshr_merge, queue: .stall_miss_queue},
    l2: .l2 | {accesses, hits, pending_hits, victim_hits, misses, load_accesses, load_misses, fills,
        insertions, store_insertions, atomic_insertions, copy_back_insertions, evictions,
        writebacks, mshr: .stall_mshr_entry},
    flits: .icnt | {up_control: .flits_to_memory_control, up_data: .flits_to_memory_data,
        down_control: .flits_to_sm_control, down_data: .flits_to_sm_data},
    dram: .dram | {reads, writes, bytes: .bytes_transferred, bytes_read, bytes_written,
        row_hits, row_misses, row_conflicts, busy: .bus_busy_cycles, cycles: .channel_cycles}};
.result
| if .verified != true then error("the answer is wrong, or was not checked") else . end
| {name: $name, version: $version, seconds: $seconds, workload, implementation, machine,
   graph: (.graph | if . then {spec, options, vertices, edges, hash} else null end),
   mechanisms, total: counts,
   arrays: (.allocations | map_values({l1: .l1d, l2})),
   launches: [.kernels[] | select((.functional | not) and ($kernel == "-" or .name == $kernel))
              | {name, grid: .grid[0], l1d_bytes, blocks_per_sm, registers, injected,
                 threads_per_sm: (.block[0] * .blocks_per_sm),
                 active: .application.active_vertices,
                 waits: ([.pcs[]? | select(.text | startswith("ld.global.nc")) | .source as $line
                          | .waited | to_entries[]
                          | {key: "\($line) \(.key)", value: (.value | add)}]
                         | group_by(.key) | map({key: .[0].key, value: (map(.value) | add)})
                         | from_entries)} + counts]}
