// Functions of the Swift runtime that Swift has no name for.

#pragma once
#include <stdbool.h>

/// Retains an object and returns it, or returns null if its deinit has begun. Its memory must still be there.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Whether the deinit of an object has begun.
bool swift_isDeallocating(void *_Nonnull object);
