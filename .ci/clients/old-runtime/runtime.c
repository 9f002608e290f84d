// What the package calls of Swift's runtime, with the signatures of the oldest systems that it supports, reduced to what the
// functions write: Swift 5.2 to 5.3 (iOS 13.4 to 14.4, macOS 10.15.4 to 11.2), stdlib/public/runtime/ReflectionMirror.mm before
// https://github.com/swiftlang/swift/pull/34815. What reads a structure in place of the name began with Swift 5.4.
#include <stdbool.h>
#include <stdint.h>

#define SWIFT_CALL __attribute__((swiftcall))

SWIFT_CALL intptr_t swift_reflectionMirror_recursiveCount(const void *type) { return 1; }

SWIFT_CALL const void *swift_reflectionMirror_recursiveChildMetadata(const void *type, intptr_t index, const char **name,
                                                                     void (**free_name)(const char *)) {
  *name = "word";
  *free_name = 0;
  return type;
}

SWIFT_CALL intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index) { return 8; }

void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *pc) {
  for (int index = 0; index < 3; index++) ((void **)buffer)[index] = address;
}

SWIFT_CALL const void *swift_getTypeContextDescriptor(const void *type) { return type; }
const void *swift_lookUpClassMethod(const void *type, const void *method, const void *description) {
  return description == type ? method : 0;
}

// Swift 6.1; systems before have neither, or only the other one, since 5.5.
SWIFT_CALL bool swift_task_isCurrentExecutorWithFlags(const void *identity, uintptr_t implementation, uint64_t flags) {
  return identity && implementation == 7 && flags == 0;
}
struct executor {
  const void *identity;
  uintptr_t implementation;
};
SWIFT_CALL struct executor swift_task_getCurrentExecutor(void) { return (struct executor){0, 0}; }

void *swift_tryRetain(void *object) { return object; }
