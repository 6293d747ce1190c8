// The mechanisms that Heddle comes with. MECHANISM(mine): the constant mechanism_mine of mine.c, a
// file that tests/mechanisms/test_mine.c tests. The build and registry.c read it here.
MECHANISM(adaptive_bypass)
MECHANISM(cta_limit)
MECHANISM(exclusive)
MECHANISM(flexclusion)
MECHANISM(mat)
MECHANISM(obm)
MECHANISM(sector)
MECHANISM(sector_use)
MECHANISM(streaming_bypass)
MECHANISM(warp_limit)
