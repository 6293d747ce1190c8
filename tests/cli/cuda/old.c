// A program that calls a function of an old runtime.
int cudaOldThing(void);

int main(void) { return cudaOldThing(); }
