// The built-in mechanisms, read by the build and by mechanism_registry.c. MECHANISM(mine) names the
// constant mechanism_mine of mine.c or mine/mine.c. In tests/mechanisms it has test_mine.c, a
// folder mine, or a script. The comment behind it is its group in docs/mechanisms.md, one of these:
//     Bypass: which data enter a cache?
//     Inclusion: which lines are in L1 and L2?
//     Replacement: which line makes room?
//     Granularity: which sectors of a line are fetched?
//     Prefetching: which data are fetched ahead of a load?
//     Throttling: which warps may issue?
//     Scheduling: which warp issues first?
//     Order: which access does the L1D take next?
//     Assignment: which thread gets which element?
//     Instruments: what happens in a run?
MECHANISM(adaptive_bypass) // Bypass
MECHANISM(bimodal) // Granularity
MECHANISM(bypass_copyback) // Inclusion
MECHANISM(caws) // Scheduling
MECHANISM(ccws) // Throttling
MECHANISM(cta_limit) // Throttling
MECHANISM(drrip) // Replacement
MECHANISM(dsap) // Prefetching
MECHANISM(dwt_cs) // Throttling
MECHANISM(exclusive) // Inclusion
MECHANISM(flexclusion) // Inclusion
MECHANISM(ghb_acdc) // Prefetching
MECHANISM(ghb_stride) // Prefetching
MECHANISM(iru) // Assignment
MECHANISM(locality) // Instruments
MECHANISM(mat) // Bypass
MECHANISM(mrpb) // Order
MECHANISM(nap) // Granularity
MECHANISM(next_line) // Prefetching
MECHANISM(obm) // Bypass
MECHANISM(r_ex) // Inclusion
MECHANISM(sector) // Granularity
MECHANISM(sector_use) // Instruments
MECHANISM(slru) // Replacement
MECHANISM(spp) // Granularity
MECHANISM(spref) // Prefetching
MECHANISM(stream) // Prefetching
MECHANISM(streaming_bypass) // Bypass
MECHANISM(stride) // Prefetching
MECHANISM(stride_pc) // Prefetching
MECHANISM(two_level) // Scheduling
MECHANISM(warp_limit) // Throttling
MECHANISM(warp_phases) // Instruments
