// What the engine needs and Swift has no names for: atomic operations and a lock for every supported platform, and
// functions of Swift's runtime, which UnofficialNames.md lists, each with its fallback and its test. What accessors use is inlined.

#ifndef C_KEY_VALUE_OBSERVING_H
#define C_KEY_VALUE_OBSERVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Without debug information, because that of C keeps Valgrind 3.19 from reading the program's.
#define KVO_INLINE static inline __attribute__((always_inline, nodebug))
#define KVO_OUTLINE __attribute__((noinline, nodebug))

// MARK: Exploring schedules

// The package Tests/Explore runs small programs under every schedule of their threads. In its build each access to memory that
// threads share is a point at which another thread may go on, and locks belong to its scheduler. `.ci/floors` checks that
// each atomic operation gets its address from KVO_SHARED, which is nothing but the address in other builds.

#if defined(KVO_EXPLORE)
void kvo_explore_point(const char *function, const void *_Nullable address);
void kvo_explore_lock(uint32_t *word);
void kvo_explore_unlock(uint32_t *word);
_Noreturn void explore_fail(const char *message);
#define KVO_SHARED(address) (kvo_explore_point(__func__, (const void *)(address)), (address))
#define KVO_ONLY_READS
#else
#define KVO_SHARED(address) (address)
/// Tells the compiler that a function has no effects, so that Swift doesn't retain anything because of a call.
#define KVO_ONLY_READS __attribute__((pure))
#endif

// MARK: Checking the use of locks

// With KVO_CHECK_LOCKS each thread keeps the locks that it owns. The process stops if it takes one that it owns, one whose rank isn't
// lower than that of the one before, or a third one; and if foreign code runs, or may be released, while it owns one. In other
// builds all of this is nothing.

KVO_INLINE __attribute__((const)) bool kvo_checks_locks(void) {
#if defined(KVO_CHECK_LOCKS)
  return true;
#else
  return false;
#endif
}

#if defined(KVO_CHECK_LOCKS)
/// Takes note of a lock that the thread is about to take.
void kvo_check_lock(const void *lock, uint32_t rank);
/// Stops unless the thread owns the lock, of which it takes no more note if it is about to release it.
void kvo_check_owned(const void *lock, bool is_released);
/// Stops if the thread owns a lock. `what` is the foreign code that must not run then.
void kvo_check_no_lock(const char *what);
#else
KVO_INLINE void kvo_check_lock(const void *lock, uint32_t rank) {}
KVO_INLINE void kvo_check_owned(const void *lock, bool is_released) {}
KVO_INLINE void kvo_check_no_lock(const char *what) {}
#endif

// MARK: The word of an object

// A KeyValueObject has one word for observation, which is its first stored property: the address of its ObservationInfo, and
// these bits. Only the functions here access it, because Swift takes every use of a stored property's address for a
// modification.

enum {
  /// The object is observed, so setters notify.
  KVO_OBSERVED = 1,
  /// Foundation has registered observers, so setters notify it too.
  KVO_OBSERVED_BY_FOUNDATION = 2,
  /// Observation has tracked reads of the object, so setters notify it.
  KVO_TRACKED = 4,
  /// The object's class conforms to Observable, so getters report their reads.
  KVO_OBSERVABLE = 8,
  KVO_FLAGS = 15,
};

/// The offset of the word: after the header of an object, which on Apple platforms inherits from NSObject.
#if defined(__APPLE__)
#define KVO_WORD_OFFSET sizeof(void *)
#else
#define KVO_WORD_OFFSET (2 * sizeof(void *))
#endif

KVO_INLINE intptr_t kvo_word_offset(void) { return KVO_WORD_OFFSET; }

KVO_INLINE uintptr_t *kvo_word(const void *object) { return (uintptr_t *)((char *)object + KVO_WORD_OFFSET); }

/// Whether a setter must do more than store. It is asked again with the lock.
KVO_INLINE KVO_ONLY_READS bool kvo_setter_notifies(const void *object) {
  uintptr_t flags = KVO_OBSERVED | KVO_OBSERVED_BY_FOUNDATION | KVO_TRACKED;
  return __builtin_expect((__atomic_load_n(KVO_SHARED(kvo_word(object)), __ATOMIC_RELAXED) & flags) != 0, 0);
}

KVO_INLINE uintptr_t kvo_flags(const void *object) {
  return __atomic_load_n(KVO_SHARED(kvo_word(object)), __ATOMIC_RELAXED) & KVO_FLAGS;
}

// In place of the address, once the base class's deinit has ended the object's observation.
#define KVO_DEAD ((uintptr_t)KVO_FLAGS + 1)

KVO_INLINE void *_Nullable kvo_info_of_word(uintptr_t word) {
  uintptr_t info = word & ~(uintptr_t)KVO_FLAGS;
  return info == KVO_DEAD ? NULL : (void *)info;
}

/// The object's ObservationInfo, if it has one, valid as long as the object.
KVO_INLINE void *_Nullable kvo_info(const void *object) {
  return kvo_info_of_word(__atomic_load_n(KVO_SHARED(kvo_word(object)), __ATOMIC_ACQUIRE));
}

/// Stores the address of the ObservationInfo unless there is one, and returns what is stored; null if observation has ended.
KVO_INLINE void *_Nullable kvo_set_info(const void *object, void *info) {
  uintptr_t word = __atomic_load_n(KVO_SHARED(kvo_word(object)), __ATOMIC_ACQUIRE);
  do {
    if ((word & ~(uintptr_t)KVO_FLAGS) != 0) return kvo_info_of_word(word);
  } while (!__atomic_compare_exchange_n(KVO_SHARED(kvo_word(object)), &word, word | (uintptr_t)info, true,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return info;
}

/// Ends the object's observation, and returns the former address of the ObservationInfo.
KVO_INLINE void *_Nullable kvo_take_info(const void *object) {
  return kvo_info_of_word(__atomic_exchange_n(KVO_SHARED(kvo_word(object)), KVO_DEAD, __ATOMIC_ACQ_REL));
}

KVO_INLINE void kvo_set_flags(const void *object, uintptr_t flags) {
  __atomic_fetch_or(KVO_SHARED(kvo_word(object)), flags, __ATOMIC_ACQ_REL);
}

KVO_INLINE void kvo_clear_flags(const void *object, uintptr_t flags) {
  __atomic_fetch_and(KVO_SHARED(kvo_word(object)), ~flags, __ATOMIC_ACQ_REL);
}

/// Whether the object's observation has ended, because the base class's deinit has begun.
KVO_INLINE bool kvo_is_over(const void *object) {
  return (__atomic_load_n(KVO_SHARED(kvo_word(object)), __ATOMIC_RELAXED) & ~(uintptr_t)KVO_FLAGS) == KVO_DEAD;
}

// MARK: Frames

// How many frames the threads have on their stacks: see ThreadFrame. While there is none, getters read, and setters
// notify, without looking for those of their thread. It has a cache line of its own, because every getter reads it.
struct kvo_frames {
  uint32_t count;
  char padding[124];
} __attribute__((aligned(128)));

extern struct kvo_frames kvo_frames;

KVO_INLINE bool kvo_has_frames(void) {
  return __builtin_expect(__atomic_load_n(KVO_SHARED(&kvo_frames.count), __ATOMIC_RELAXED) != 0, 0);
}

KVO_INLINE void kvo_add_frame(void) {
  __atomic_fetch_add(KVO_SHARED(&kvo_frames.count), 1, __ATOMIC_RELAXED);
}

KVO_INLINE void kvo_remove_frame(void) {
  __atomic_fetch_sub(KVO_SHARED(&kvo_frames.count), 1, __ATOMIC_RELAXED);
}

/// Whether a getter must ask whether its read is to be reported.
KVO_INLINE bool kvo_getter_reports(const void *object) {
  uintptr_t observable = __atomic_load_n(KVO_SHARED(kvo_word(object)), __ATOMIC_RELAXED) & KVO_OBSERVABLE;
  return __builtin_expect((__atomic_load_n(KVO_SHARED(&kvo_frames.count), __ATOMIC_RELAXED) | observable) != 0, 0);
}

// MARK: Locks

// A LockedObject begins with two numbers, after the header of a native Swift object: the lock itself, and one that its subclasses use.
// The lock is free (0), owned (1), or owned and waited for (2); on Apple platforms it is an os_unfair_lock.

KVO_INLINE uint32_t *kvo_lock_word(const void *lock) { return (uint32_t *)((char *)lock + 2 * sizeof(void *)); }

#if defined(KVO_EXPLORE)
KVO_INLINE void kvo_lock(const void *lock) { kvo_explore_lock(kvo_lock_word(lock)); }
KVO_INLINE void kvo_release_lock(const void *lock) { kvo_explore_unlock(kvo_lock_word(lock)); }
#elif defined(__APPLE__)
void kvo_lock(const void *lock);
void kvo_release_lock(const void *lock);
#else
void kvo_lock_slow(uint32_t *word);
void kvo_unlock_slow(uint32_t *word);

KVO_INLINE void kvo_lock(const void *lock) {
  uint32_t expected = 0;
  uint32_t *word = kvo_lock_word(lock);
  if (__builtin_expect(
        !__atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED), 0))
    kvo_lock_slow(word);
}

KVO_INLINE void kvo_release_lock(const void *lock) {
  uint32_t *word = kvo_lock_word(lock);
  if (__builtin_expect(__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) == 2, 0)) kvo_unlock_slow(word);
}
#endif

KVO_INLINE void kvo_unlock(const void *lock) {
  kvo_check_owned(lock, true);
  kvo_release_lock(lock);
}

/// Stops the process, in a build that checks locks, unless the running thread owns the lock.
KVO_INLINE void kvo_require_lock(const void *lock) {
  kvo_check_owned(lock, false);
}

// The second number of a lock.

KVO_INLINE uint32_t kvo_number(const void *lock) {
  return __atomic_load_n(KVO_SHARED(kvo_lock_word(lock) + 1), __ATOMIC_ACQUIRE);
}

KVO_INLINE void kvo_set_number(const void *lock, uint32_t number) {
  __atomic_store_n(KVO_SHARED(kvo_lock_word(lock) + 1), number, __ATOMIC_RELEASE);
}

/// - Returns: The former number.
KVO_INLINE uint32_t kvo_add_to_number(const void *lock, uint32_t difference) {
  return __atomic_fetch_add(KVO_SHARED(kvo_lock_word(lock) + 1), difference, __ATOMIC_SEQ_CST);
}

/// - Returns: The former number.
KVO_INLINE uint32_t kvo_set_bits_of_number(const void *lock, uint32_t bits) {
  return __atomic_fetch_or(KVO_SHARED(kvo_lock_word(lock) + 1), bits, __ATOMIC_SEQ_CST);
}

KVO_INLINE void kvo_clear_bits_of_number(const void *lock, uint32_t bits) {
  __atomic_fetch_and(KVO_SHARED(kvo_lock_word(lock) + 1), ~bits, __ATOMIC_SEQ_CST);
}

/// Orders what the thread did before, as other threads see it, before what it reads afterwards.
void kvo_fence(void);

/// A number that no other call returns, greater than those that this thread knows of.
uint64_t kvo_next_number(void);
uint64_t kvo_latest_number(void);

/// A word of the running thread for each use, which are the cases of ThreadLocal, 0 at first.
uintptr_t kvo_thread_word(int32_t use);
void kvo_set_thread_word(int32_t use, uintptr_t word);

// MARK: Answers about classes

// For each class an answer, which is asked for each object created, and what else is known of it, which is never deallocated. Classes
// with the same place replace each other; of what is known the caller makes sure that it is the class's.
struct kvo_class {
  uintptr_t answer;
  void *_Nullable known;
};
extern struct kvo_class kvo_classes[256];

KVO_INLINE struct kvo_class *kvo_place(const void *type) { return &kvo_classes[((uintptr_t)type >> 4) & 255]; }

/// The answer for a class: 1 for yes, 0 for no, or another number if it isn't known.
KVO_INLINE uintptr_t kvo_answer(const void *type) {
  return __atomic_load_n(KVO_SHARED(&kvo_place(type)->answer), __ATOMIC_RELAXED) ^ (uintptr_t)type;
}

KVO_INLINE void kvo_set_answer(const void *type, bool answer) {
  __atomic_store_n(KVO_SHARED(&kvo_place(type)->answer), (uintptr_t)type | (answer ? 1 : 0), __ATOMIC_RELAXED);
}

KVO_INLINE void *_Nullable kvo_known(const void *type) {
  return __atomic_load_n(KVO_SHARED(&kvo_place(type)->known), __ATOMIC_ACQUIRE);
}

KVO_INLINE void kvo_set_known(const void *type, void *known) {
  __atomic_store_n(KVO_SHARED(&kvo_place(type)->known), known, __ATOMIC_RELEASE);
}

// MARK: The Thread Sanitizer

// The sanitizer takes an address for a modification. These functions tell it that it isn't one, or do nothing without it.

extern const bool kvo_is_sanitizing_threads;
// Taking an address is no write. An accessor begins it, and the engine's function that gets the address ends it.
void kvo_sanitizer_begin_ignoring_writes(void);
void kvo_sanitizer_end_ignoring_writes(void);

// MARK: Functions of Swift's runtime

// 5.2, include/swift/Runtime/HeapObject.h: HeapObject *(HeapObject *object)
extern void *_Nullable swift_tryRetain(void *object);

/// Retains a native Swift object, whose memory exists, unless its deinit has begun.
KVO_INLINE void *_Nullable kvo_try_retain(void *object) {
  return swift_tryRetain(KVO_SHARED(object));
}

/// Traps if the variable at an address is being modified, or if it is being read and `modifies` is true.
void kvo_check_access(const void *address, bool modifies);

/// Whether a class was compiled with reflection metadata. It is taken to be if the runtime can't tell.
bool kvo_is_reflectable(const void *type);
/// The number of stored properties of a class, those of its superclasses included; -1 if the runtime can't tell.
intptr_t kvo_field_count(const void *type);
/// Calls `body` with the name, type, and offset of a stored property, and whether it is known to be a variable.
void kvo_with_field(const void *type, intptr_t index, void *_Nullable context,
                    void (*body)(void *_Nullable context, const char *name, const void *type, intptr_t offset, bool is_var));

/// Whether a type is an existential one whose values are all objects, such as AnyObject, or any P of a protocol for classes.
bool kvo_is_existential_of_classes(const void *type);

/// The address of the description of a class, which contains the descriptors of the methods that it declares; nil if there is none.
const void *_Nullable kvo_description(const void *type);
/// The implementation that a class has for a method, which the class `declaring` declares; nil if the runtime can't tell.
const void *_Nullable kvo_implementation(const void *type, const void *method, const void *declaring);

#if defined(__APPLE__)
/// Calls `body`, and `unwound` if an Objective-C exception leaves it.
void kvo_guard(void (*_Nonnull body)(void *_Nonnull), void (*_Nonnull unwound)(void *_Nonnull), void *_Nonnull context);
#endif

/// Calls the getter of a key path's component, which initializes `result`. `getter` is the place of its address in the key path
/// object, for which the address is signed on arm64e.
void kvo_call_getter(const void *getter, void *result, const void *root, const void *_Nullable arguments, intptr_t size);

/// Whether the running code is on a serial executor, given the two words of the reference to it.
bool kvo_is_on_executor(const void *_Nullable identity, uintptr_t implementation);

#pragma clang assume_nonnull end

#endif
