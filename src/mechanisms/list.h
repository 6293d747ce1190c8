// The mechanisms that Heddle comes with, a line each. MECHANISM(mine) is the constant mechanism_mine
// of mine.c, tested by tests/mechanisms/test_mine.c: the build and registry.c read it here.
MECHANISM(adaptive_bypass)
MECHANISM(exclusive)
MECHANISM(mat)
MECHANISM(obm)
MECHANISM(sector)
MECHANISM(sector_use)
MECHANISM(streaming_bypass)
