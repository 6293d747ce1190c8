// The built-in mechanisms, read by the build and by mechanism_registry.c. MECHANISM(mine)
// names the constant mechanism_mine of mine.c, which tests/mechanisms/test_mine.c tests. The
// comment behind it is its group in docs/mechanisms.md, one of these:
//     bypass: Bypass: which data enter a cache?
//     inclusion: Inclusion: which lines are in L1 and L2?
//     replacement: Replacement: which line makes room?
//     granularity: Granularity: which sectors of a line are fetched?
//     prefetching: Prefetching: which data are fetched ahead of a load?
//     throttling: Throttling: which warps may issue?
//     order: Order: which access does the L1D take next?
//     assignment: Assignment: which thread gets which element?
//     instruments: Instruments: what happens? They only measure.
MECHANISM(adaptive_bypass) // bypass
MECHANISM(bimodal) // granularity
MECHANISM(bypass_copyback) // inclusion
MECHANISM(ccws) // throttling
MECHANISM(cta_limit) // throttling
MECHANISM(drrip) // replacement
MECHANISM(dsap) // prefetching
MECHANISM(dwt_cs) // throttling
MECHANISM(exclusive) // inclusion
MECHANISM(flexclusion) // inclusion
MECHANISM(ghb_acdc) // prefetching
MECHANISM(ghb_stride) // prefetching
MECHANISM(iru) // assignment
MECHANISM(locality) // instruments
MECHANISM(mat) // bypass
MECHANISM(mrpb) // order
MECHANISM(nap) // granularity
MECHANISM(next_line) // prefetching
MECHANISM(obm) // bypass
MECHANISM(r_ex) // inclusion
MECHANISM(sector) // granularity
MECHANISM(sector_use) // instruments
MECHANISM(slru) // replacement
MECHANISM(spp) // granularity
MECHANISM(spref) // prefetching
MECHANISM(stream) // prefetching
MECHANISM(streaming_bypass) // bypass
MECHANISM(stride) // prefetching
MECHANISM(stride_pc) // prefetching
MECHANISM(warp_limit) // throttling
MECHANISM(warp_phases) // instruments
