// What KeyValueObserving needs on Linux and Swift doesn't have: a thread-local variable, and a barrier for the compiler.
// Empty on other platforms.

#ifndef KVO_THREAD_LOCAL_H
#define KVO_THREAD_LOCAL_H

#if defined(__linux__) && !defined(__ANDROID__)

/// The mark of this thread, an `IdleMark`; null until it has one.
///
/// With this model an access takes a few instructions and no call, even in code for a shared library.
extern __thread void *_Nullable _kvoThreadMark __attribute__((tls_model("initial-exec")));

static inline __attribute__((always_inline)) void *_Nullable _kvoGetThreadMark(void) {
  return _kvoThreadMark;
}

static inline void _kvoSetThreadMark(void *_Nullable mark) {
  _kvoThreadMark = mark;
}

/// Keeps the compiler from moving accesses of memory across this call, which takes no instruction.
static inline __attribute__((always_inline)) void _kvoCompilerBarrier(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#endif

#endif
