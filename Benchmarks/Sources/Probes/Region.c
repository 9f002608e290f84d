#include "Probes.h"

static int64_t count;

__attribute__((noinline)) void probe_region(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context) {
  count += 1;
  body(context);
  // Not a tail call: the function must still be there when its body returns.
  probe_barrier();
}

int64_t probe_region_count(void) { return count; }
