// A program that needs a library, of cuda/needed.c: with DRIVER a function of the driver's, with
// UNUSED nothing in it.
#ifdef DRIVER
int cuInit(unsigned flags);
#define needed() cuInit(0)
#else
int needed(void);
#endif

#ifdef UNUSED
int main(void) { return 7; }
#else
int main(void) { return needed(); }
#endif
