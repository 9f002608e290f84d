// Counts allocations by redefining the allocator's functions: those of the executable take precedence over those of the C
// library, which they call.

#include "Probes.h"

#if defined(__linux__) && __has_include(<features.h>)
#include <features.h>
#endif

#if defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_bool is_counting;
static atomic_llong count;

static inline void note(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t amount, size_t size) {
  note();
  return __libc_calloc(amount, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  note();
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

void free(void *block) { __libc_free(block); }

bool probe_counts_allocations(void) { return true; }

void probe_start_counting(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

int64_t probe_stop_counting(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&count);
}

int64_t probe_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

size_t probe_block_size(const void *_Nonnull address) { return malloc_usable_size((void *)address); }
#else
bool probe_counts_allocations(void) { return false; }
void probe_start_counting(void) {}
int64_t probe_stop_counting(void) { return 0; }
int64_t probe_allocated_bytes(void) { return 0; }
size_t probe_block_size(const void *_Nonnull address) { return 0; }
#endif
