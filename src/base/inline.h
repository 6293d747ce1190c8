// Functions that speed needs built into each caller.
#ifndef HEDDLE_BASE_INLINE_H
#define HEDDLE_BASE_INLINE_H

// In front of a function's type. Used where the compiler would not do it by itself: a function
// that is built several times for constant arguments, or one of a hot path.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
