#ifndef KVO_SWIFT_RUNTIME_H
#define KVO_SWIFT_RUNTIME_H

// Functions of Swift's runtime that Swift itself has no names for.
#if !defined(__APPLE__) && !defined(_WIN32)

#include <stdbool.h>

/// Retains an object and returns it, or null if its `deinit` has begun. Its memory must still exist.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Whether the `deinit` of an object has begun. Its memory must still exist.
bool swift_isDeallocating(void *_Nonnull object);

#endif

#endif
