// What KeyValueObserving needs where Foundation doesn't observe, and Swift has no names for: functions of Swift's runtime, and a
// thread-local variable. Nothing on Apple platforms and Windows.
//
// No Swift file imports this header. KeyValueObserving declares the functions with `@_silgen_name`, so that its clients don't
// have to find a module in C.

#ifndef KVO_RUNTIME_H
#define KVO_RUNTIME_H

#if !defined(__APPLE__) && !defined(_WIN32)

#include <stdbool.h>
#include <stdint.h>

void *_Nullable _kvoTryRetain(void *_Nonnull object);
bool _kvoIsDeallocating(void *_Nonnull object);

#if defined(__linux__) && !defined(__ANDROID__)
uintptr_t *_Nullable _kvoMarkThread(uintptr_t object);
void _kvoSetThreadMark(uintptr_t *_Nullable mark);
#endif

#endif

#endif
