// The machines of the tree, for tests that hold on each of them.
#ifndef TESTS_SUPPORT_MACHINES_H
#define TESTS_SUPPORT_MACHINES_H

// Returns the names of machines/*.yaml, sorted, with NULL at the end. They are never freed.
const char *const *machine_names(void);

#endif
