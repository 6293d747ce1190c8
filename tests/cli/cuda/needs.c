// A program that is linked to a library made from cuda/needed.c. With DRIVER it calls a function of
// the driver; with UNUSED it calls none.
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
