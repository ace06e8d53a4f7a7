#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// Starts to count the heap allocations of the whole process, from zero.
void weir_allocations_start(void);

/// Stops counting and returns the count, or -1 if the C library does not allow counting.
long weir_allocations_stop(void);

#endif
