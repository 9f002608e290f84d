#include "Probes.h"

__attribute__((noinline)) void probe_region(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context) {
  body(context);
  // Not a tail call: the function must still be there when its body returns.
  probe_barrier();
}
