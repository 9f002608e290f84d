// What Objective-C code of FBKVOController uses and a Swift module can't give it: macros, a type, and a constant.
// Copy this file to a project that needs them.

@import KVOController;

#include <string.h>

NS_ASSUME_NONNULL_BEGIN

/// `FBKVOClassKeyPath(Clock, timeZone.name)` is `@"timeZone.name"`, and doesn't compile if there is no such property.
#define FBKVOClassKeyPath(CLASS, KEYPATH) @(((void)sizeof(((CLASS *)nil).KEYPATH), #KEYPATH))

/// `FBKVOKeyPath(clock.timeZone.name)` is `@"timeZone.name"`, and doesn't compile if there is no such property.
#define FBKVOKeyPath(KEYPATH) @(((void)sizeof(KEYPATH), (strchr(#KEYPATH, '.') ?: ".") + 1))

/// What a controller calls for a change.
typedef void (^FBKVONotificationBlock)(
    id _Nullable observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change);

/// The key of the key path in the change that a block gets.
static NSKeyValueChangeKey const FBKVONotificationKeyPathKey = @"FBKVONotificationKeyPathKey";

NS_ASSUME_NONNULL_END
