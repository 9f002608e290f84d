// The declarations of the class FBKVOController and of NSObject's two properties, as the compiler generates them for
// Objective-C in KVOController-Swift.h. Used where neither the module nor that header is available. Don't import it
// directly. A check of the project compares the two.

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

__attribute__((objc_subclassing_restricted))
@interface FBKVOController : NSObject

@property (nonatomic, readonly, strong, nullable) id observer;

+ (instancetype)controllerWithObserver:(nullable id)observer;
- (instancetype)initWithObserver:(nullable id)observer retainObserved:(BOOL)retainObserved;
- (instancetype)initWithObserver:(nullable id)observer;
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (void)observe:(nullable id)object
        keyPath:(NSString *)keyPath
        options:(NSKeyValueObservingOptions)options
          block:(nullable void (^)(id _Nullable, id, NSDictionary<NSKeyValueChangeKey, id> *))block;
- (void)observe:(nullable id)object
       keyPaths:(NSArray<NSString *> *)keyPaths
        options:(NSKeyValueObservingOptions)options
          block:(nullable void (^)(id _Nullable, id, NSDictionary<NSKeyValueChangeKey, id> *))block;

- (void)observe:(nullable id)object
        keyPath:(NSString *)keyPath
        options:(NSKeyValueObservingOptions)options
         action:(SEL)action;
- (void)observe:(nullable id)object
       keyPaths:(NSArray<NSString *> *)keyPaths
        options:(NSKeyValueObservingOptions)options
         action:(SEL)action;

- (void)observe:(nullable id)object
        keyPath:(NSString *)keyPath
        options:(NSKeyValueObservingOptions)options
        context:(nullable void *)context;
- (void)observe:(nullable id)object
       keyPaths:(NSArray<NSString *> *)keyPaths
        options:(NSKeyValueObservingOptions)options
        context:(nullable void *)context;

- (void)unobserve:(nullable id)object keyPath:(NSString *)keyPath;
- (void)unobserve:(nullable id)object;
- (void)unobserveAll;

@end

@interface NSObject (FBKVOController)

@property (nonatomic, strong) FBKVOController *KVOController;
@property (nonatomic, strong) FBKVOController *KVOControllerNonRetaining;

@end

NS_ASSUME_NONNULL_END
