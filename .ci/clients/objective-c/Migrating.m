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

- (void)titleDidChange
{
}

@end
