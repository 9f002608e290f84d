#ifndef PROBES_H
#define PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Makes the compiler believe that memory is read and written here. It costs no instruction.
static inline __attribute__((always_inline)) void probe_barrier(void) { __asm__ volatile("" ::: "memory"); }

/// Makes the compiler believe that the value is used. It costs no instruction.
static inline __attribute__((always_inline)) void probe_use(intptr_t value) { __asm__ volatile("" ::"r"(value)); }

/// Calls `body` with `context`. Valgrind counts the instructions between the call and the return.
void probe_region(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// How often ``probe_region`` has been called.
int64_t probe_region_count(void);

/// Whether this program counts its allocations: only where its C library lets it.
bool probe_counts_allocations(void);

/// Starts counting allocations from zero.
void probe_start_counting(void);

/// Stops counting, and returns how many blocks were allocated meanwhile, on all threads.
int64_t probe_stop_counting(void);

/// The bytes that are allocated now, the allocator's own share of each block included; 0 where that isn't known.
int64_t probe_allocated_bytes(void);

/// The size of the block at `address`, without the allocator's own share; 0 where that isn't known.
size_t probe_block_size(const void *_Nonnull address);

#endif
