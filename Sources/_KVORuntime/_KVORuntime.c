#include "_KVORuntime.h"

#if !defined(__APPLE__) && !defined(_WIN32)

// The debug information that Clang writes for C keeps Valgrind 3.19 from reading that of the whole program.
#define NO_DEBUG __attribute__((nodebug))

// Functions of Swift's runtime. The compiler reserves their names.
extern void *swift_tryRetain(void *object);
extern bool swift_isDeallocating(void *object);

NO_DEBUG void *_kvoTryRetain(void *object) { return swift_tryRetain(object); }

NO_DEBUG bool _kvoIsDeallocating(void *object) { return swift_isDeallocating(object); }

#if defined(__linux__) && !defined(__ANDROID__)

// With this model an access takes no call, even in code for a shared library.
NO_DEBUG static __thread uintptr_t *threadMark __attribute__((tls_model("initial-exec"))) = 0;

NO_DEBUG uintptr_t *_kvoMarkThread(uintptr_t object) {
  uintptr_t *mark = threadMark;
  if (mark) {
    __atomic_store_n(mark, object, __ATOMIC_RELEASE);
    // Keeps the compiler from moving what the caller reads next before the store. It takes no instruction.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  return mark;
}

NO_DEBUG void _kvoSetThreadMark(uintptr_t *mark) { threadMark = mark; }

#endif

#endif
