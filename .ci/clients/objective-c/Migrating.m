// Code of projects that are built with several libraries, or with several versions of one.

#if __has_include(<KVOController/KVOController.h>)
  #import <KVOController/KVOController.h>
#elif __has_include(<KVOController/FBKVOController.h>)
  #import <KVOController/FBKVOController.h>
  #import <KVOController/NSObject+FBKVOController.h>
#else
  #error "The headers of FBKVOController are missing."
#endif
#import "FBKVOController.h"
#import "NSObject+FBKVOController.h"

#import "Song.h"

@interface Migrating : NSObject
@end

@implementation Migrating

- (void)replaceTheController
{
  [self setValue:nil forKey:@"KVOController"];
  [FBKVOController controllerWithObserver:self];
}

// A queue, and a token.
- (void)observeElsewhere:(Song *)song
{
  [self.KVOController observe:song
                      keyPath:@"title"
                      options:0
                        queue:dispatch_get_main_queue()
                        block:^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {}];
  [self.KVOController observe:song
                     keyPaths:@[ @"title", @"position" ]
                      options:0
                        queue:nil
                        block:^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {}];
  KVOObservation *observation =
    [self.KVOController observationOf:song
                              keyPath:@"title"
                              options:NSKeyValueObservingOptionNew
                                block:^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {}];
  if (observation.valid && observation.object == song) NSLog(@"%@", observation.keyPath);
  [observation invalidate];
}

- (void)titleDidChange
{
}

@end
