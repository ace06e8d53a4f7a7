#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// Starts counting the heap allocations of the whole process from zero.
void weir_allocations_start(void);

/// Stops counting; how many there were, or -1 where the C library does not allow counting.
long weir_allocations_stop(void);

#endif
