// For programs that include this name.
#include <stdint.h>
