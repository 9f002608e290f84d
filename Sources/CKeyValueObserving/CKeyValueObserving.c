#include "CKeyValueObserving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_feature(ptrauth_calls)
#include <ptrauth.h>
#endif

#if defined(__APPLE__)
#include <os/lock.h>
#elif defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#pragma comment(lib, "synchronization.lib")
#else
#include <sched.h>
#endif

#pragma clang assume_nonnull begin

struct kvo_frames kvo_frames;
struct kvo_class kvo_classes[256];

// MARK: Locks

#if defined(KVO_EXPLORE)
// The scheduler has the locks.
#elif defined(__APPLE__)

_Static_assert(sizeof(os_unfair_lock) == sizeof(uint32_t), "the lock must fit");

KVO_OUTLINE void kvo_lock(const void *lock) { os_unfair_lock_lock((os_unfair_lock_t)kvo_lock_word(lock)); }
KVO_OUTLINE void kvo_release_lock(const void *lock) { os_unfair_lock_unlock((os_unfair_lock_t)kvo_lock_word(lock)); }

#else

/// Waits while the number at an address has a value. May return earlier.
static void wait(uint32_t *word, uint32_t value) {
#if defined(__linux__)
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
#elif defined(_WIN32)
  WaitOnAddress(word, &value, sizeof value, INFINITE);
#else
  sched_yield();
#endif
}

KVO_OUTLINE void kvo_unlock_slow(uint32_t *word) {
#if defined(__linux__)
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#elif defined(_WIN32)
  WakeByAddressSingle(word);
#endif
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

KVO_OUTLINE void kvo_lock_slow(uint32_t *word) {
  // Its owner only copies a value or changes a table, so it usually ends soon.
  for (int attempt = 0; attempt < 100; attempt++) {
    uint32_t expected = 0;
    if (__atomic_load_n(word, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    relax();
  }
  while (__atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE) != 0) wait(word, 2);
}

#endif

#if defined(KVO_CHECK_LOCKS)

// A mutation of the script .ci/lock-mutations: the code with this name runs as if with a lock.
static const char *mutated;
__attribute__((constructor)) static void find_mutated(void) { mutated = getenv("KVO_MUTATION"); }

static _Thread_local struct {
  const void *lock;
  uint32_t rank;
} owned[2];
static _Thread_local unsigned owned_count;

#if defined(KVO_EXPLORE)
#define stop explore_fail
#else
static _Noreturn void stop(const char *what) {
  fprintf(stderr, "KVO_CHECK_LOCKS: %s\n", what);
  abort();
}
#endif

KVO_OUTLINE void kvo_check_lock(const void *lock, uint32_t rank) {
  if (owned_count == 2) stop("a third lock is taken");
  // The lock itself has the same rank.
  if (owned_count > 0 && rank >= owned[owned_count - 1].rank) stop("a lock is taken under one that isn't of a higher rank");
  owned[owned_count].lock = lock;
  owned[owned_count++].rank = rank;
}

KVO_OUTLINE void kvo_check_owned(const void *lock, bool is_released) {
  for (unsigned index = 0; index < owned_count; index++) {
    if (owned[index].lock != lock) continue;
    if (is_released && --owned_count > index) owned[index] = owned[index + 1];
    return;
  }
  stop("what a lock guards is used without the lock");
}

KVO_OUTLINE void kvo_check_no_lock(const char *what) {
  if (owned_count > 0 || (mutated && strcmp(mutated, what) == 0)) stop(what);
}

#endif

KVO_OUTLINE void kvo_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static uint64_t latest_number;

KVO_OUTLINE uint64_t kvo_next_number(void) {
  return __atomic_add_fetch(KVO_SHARED(&latest_number), 1, __ATOMIC_RELAXED);
}

KVO_OUTLINE uint64_t kvo_latest_number(void) {
  return __atomic_load_n(KVO_SHARED(&latest_number), __ATOMIC_RELAXED);
}

// MARK: Words of a thread

static _Thread_local uintptr_t thread_words[3];

KVO_OUTLINE uintptr_t kvo_thread_word(int32_t use) { return thread_words[use]; }
KVO_OUTLINE void kvo_set_thread_word(int32_t use, uintptr_t word) { thread_words[use] = word; }

// MARK: The Thread Sanitizer

#if __has_feature(thread_sanitizer)

void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

const bool kvo_is_sanitizing_threads = true;

KVO_OUTLINE void kvo_sanitizer_begin_ignoring_writes(void) { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
KVO_OUTLINE void kvo_sanitizer_end_ignoring_writes(void) { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }

#else

const bool kvo_is_sanitizing_threads = false;

KVO_OUTLINE void kvo_sanitizer_begin_ignoring_writes(void) {}
KVO_OUTLINE void kvo_sanitizer_end_ignoring_writes(void) {}

#endif

// MARK: Functions of Swift's runtime

#define SWIFT_CALL __attribute__((swiftcall))

#if defined(__APPLE__)
// Older systems lack some of these.
#define WEAK __attribute__((weak_import))
#define EXISTS(function) ((function) != NULL)
#else
#define WEAK
#define EXISTS(function) true
#endif

// A weak import can't see a changed signature. So each function is called as on the oldest system that has it, whose
// declaration in Swift's repository is quoted, which is unchanged in 6.2 unless said. `.ci/old-runtime` checks the calls.

// 5.2, include/swift/Runtime/Exclusivity.h: void (void *pointer, ValueBuffer *buffer, ExclusivityFlags flags, void *pc)
extern void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *_Nullable pc);

KVO_OUTLINE void kvo_check_access(const void *address, bool modifies) {
  // Without the flag for tracking (32) the access is compared with those under way, and needs no end. The runtime may write to the
  // three words of the buffer nevertheless.
  void *buffer[3] = {NULL, NULL, NULL};
  swift_beginAccess((void *)address, buffer, modifies ? 1 : 0, NULL);
}

struct field {
  const char *_Nullable name;
  void (*_Nullable free_name)(const char *_Nullable);
  bool is_strong;
  bool is_var;
};

// 5.2, stdlib/public/runtime/ReflectionMirror.mm: intptr_t (const Metadata *type); const Metadata *(const Metadata *type,
// intptr_t index, const char **outName, void (**outFreeFunc)(const char *)); intptr_t (const Metadata *type, intptr_t index).
// Since 5.4 (swiftlang/swift#34815) the second takes a structure in place of the name, and has no fourth parameter.
extern SWIFT_CALL intptr_t swift_reflectionMirror_recursiveCount(const void *type) WEAK;
extern SWIFT_CALL const void *swift_reflectionMirror_recursiveChildMetadata(
  const void *type, intptr_t index, struct field *field, void (*_Nullable *_Nonnull free_name)(const char *_Nullable)) WEAK;
extern SWIFT_CALL intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index) WEAK;

KVO_OUTLINE intptr_t kvo_field_count(const void *type) {
  if (!EXISTS(swift_reflectionMirror_recursiveCount) || !EXISTS(swift_reflectionMirror_recursiveChildMetadata) ||
      !EXISTS(swift_reflectionMirror_recursiveChildOffset))
    return -1;
  return swift_reflectionMirror_recursiveCount(type);
}

KVO_OUTLINE void kvo_with_field(const void *type, intptr_t index, void *_Nullable context,
                                void (*body)(void *_Nullable, const char *, const void *, intptr_t, bool)) {
  struct field field = {NULL, NULL, false, false};
  const void *field_type = swift_reflectionMirror_recursiveChildMetadata(type, index, &field, &field.free_name);
  intptr_t offset = swift_reflectionMirror_recursiveChildOffset(type, index);
  if (field.name) body(context, field.name, field_type, offset, field.is_var);
  if (field.free_name) field.free_name(field.name);
}

// 5.2, include/swift/Runtime/Metadata.h: const TypeContextDescriptor *(const Metadata *type), with SWIFT_CC(swift);
// void *(const ClassMetadata *metadata, const MethodDescriptor *method, const ClassDescriptor *description), without.
extern SWIFT_CALL const void *_Nullable swift_getTypeContextDescriptor(const void *type) WEAK;
extern const void *_Nullable swift_lookUpClassMethod(const void *type, const void *method, const void *description) WEAK;

KVO_OUTLINE const void *_Nullable kvo_description(const void *type) {
  return EXISTS(swift_getTypeContextDescriptor) ? swift_getTypeContextDescriptor(type) : NULL;
}

KVO_OUTLINE bool kvo_is_reflectable(const void *type) {
  // After the flags, the parent, the name, and the accessor there is the relative address of the metadata of the fields, or 0.
  const int32_t *description = kvo_description(type);
  return !description || description[4] != 0;
}

KVO_OUTLINE const void *_Nullable kvo_implementation(const void *type, const void *method, const void *declaring) {
  const void *description = EXISTS(swift_lookUpClassMethod) ? kvo_description(declaring) : NULL;
  return description ? swift_lookUpClassMethod(type, method, description) : NULL;
}

// docs/ABI/TypeMetadata.rst: after the kind there are 32 bits of flags, of which the highest is 0 if the values are objects. With arguments
// of the protocol, include/swift/ABI/Metadata.h: there is the signed address of a shape, whose flags begin with the kind of the values.
KVO_OUTLINE bool kvo_is_existential_of_classes(const void *type) {
  const uintptr_t *metadata = type;
  if (metadata[0] == 0x303) return !(*(const uint32_t *)&metadata[1] >> 31);
  if (metadata[0] != 0x307) return false;
  const void *shape = (const void *)metadata[1];
#if __has_feature(ptrauth_calls)
  shape = ptrauth_strip(shape, ptrauth_key_process_independent_data);
#endif
  return (*(const uint32_t *)shape & 0xFF) == 1;
}

KVO_OUTLINE void kvo_call_getter(const void *getter, void *result, const void *root, const void *_Nullable arguments,
                                 intptr_t size) {
  typedef SWIFT_CALL void (*Getter)(__attribute__((swift_indirect_result)) void *, const void *, const void *_Nullable,
                                    intptr_t);
  Getter function = *(const Getter *)getter;
#if __has_feature(ptrauth_calls)
  // As `pushAddressDiscriminatedFunctionPointer` in the standard library's KeyPath.swift has signed it.
  function = ptrauth_auth_function(function, ptrauth_key_function_pointer, ptrauth_blend_discriminator(getter, 0x6f72));
#endif
  function(result, root, arguments, size);
}

// include/swift/Runtime/Concurrency.h, 6.1: bool (SerialExecutorRef executor, swift_task_is_current_executor_flag flags),
// of two words and 64 bits; 5.5: ExecutorRef (void), two words, whose name is SerialExecutorRef since 6.0.
extern SWIFT_CALL bool swift_task_isCurrentExecutorWithFlags(const void *_Nullable identity, uintptr_t implementation,
                                                             uint64_t flags) WEAK;
struct executor {
  const void *_Nullable identity;
  uintptr_t implementation;
};
extern SWIFT_CALL struct executor swift_task_getCurrentExecutor(void) WEAK;

KVO_OUTLINE bool kvo_is_on_executor(const void *_Nullable identity, uintptr_t implementation) {
  if (!EXISTS(swift_task_isCurrentExecutorWithFlags))
    return EXISTS(swift_task_getCurrentExecutor) && swift_task_getCurrentExecutor().identity == identity;
  return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}

#pragma clang assume_nonnull end
