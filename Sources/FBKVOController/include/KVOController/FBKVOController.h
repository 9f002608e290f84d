// FBKVOController's names for Objective-C: the class, whose code is Swift, and what a Swift module can't carry: the macros,
// the type of blocks, and the constant. For C, and where there is no Objective-C runtime, this header is empty.

#ifndef FBKVOCONTROLLER_H
#define FBKVOCONTROLLER_H

#if defined(__OBJC__) && defined(__APPLE__)

#import <Foundation/Foundation.h>
#include <string.h>

// The class comes from the Swift module if modules are on. If they are off, as they are for Objective-C++, it comes from the
// header that the compiler generates for that module, or from a copy of its declarations if that header isn't in the search path.
#if __has_feature(objc_modules) && (!defined(__cplusplus) || __has_feature(cxx_modules))
@import KVOController;
#elif __has_include(<KVOController/KVOController-Swift.h>)
#import <KVOController/KVOController-Swift.h>
#elif __has_include("KVOController-Swift.h")
#import "KVOController-Swift.h"
#elif !defined(KVOCONTROLLER_SWIFT_H)
#import "FBKVOControllerDeclarations.h"
#endif

/// `FBKVOKeyPath(clock.timeZone.name)` is `@"timeZone.name"`. It doesn't compile if there is no such property.
#define FBKVOKeyPath(KEYPATH) @(((void)sizeof(KEYPATH), (strchr(#KEYPATH, '.') ?: ".") + 1))

/// `FBKVOClassKeyPath(Clock, timeZone.name)` is `@"timeZone.name"`. It doesn't compile if there is no such property.
#define FBKVOClassKeyPath(CLASS, KEYPATH) @(((void)sizeof(((CLASS *)nil).KEYPATH), #KEYPATH))

NS_ASSUME_NONNULL_BEGIN

// Swift has both from the module KVOController.
#if !defined(__swift__)
/// A block that a controller calls for each change. `change` also contains the key path, under
/// `FBKVONotificationKeyPathKey`.
typedef void (^FBKVONotificationBlock)(
    id _Nullable observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change);

/// The key in a change for the key path that was observed.
static NSString *const FBKVONotificationKeyPathKey = @"FBKVONotificationKeyPathKey";
#endif

NS_ASSUME_NONNULL_END

#endif // defined(__OBJC__) && defined(__APPLE__)

#endif // FBKVOCONTROLLER_H
