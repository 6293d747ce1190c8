// A program that needs a library, of cuda/needed.c.
int needed(void);

int main(void) { return needed(); }
