// Objective-C++, where modules are off.

#import <KVOController/NSObject+FBKVOController.h>

#import "Song.h"

#include <functional>
#include <string>
#include <vector>

@interface Equalizer : NSObject
- (void)followSong:(Song *)song;
@end

@implementation Equalizer {
  std::vector<std::function<void(const std::string &)>> _listeners;
}

- (void)followSong:(Song *)song
{
  __weak Equalizer *weakSelf = self;
  auto notify = [weakSelf](NSString *title) {
    Equalizer *equalizer = weakSelf;
    if (equalizer == nil) { return; }
    for (const auto &listener : equalizer->_listeners) { listener(title.UTF8String); }
  };
  [self.KVOController observe:song
                      keyPath:FBKVOKeyPath(song.title)
                      options:NSKeyValueObservingOptionNew
                        block:^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {
    notify(change[NSKeyValueChangeNewKey]);
  }];
  NSArray<NSString *> *keyPaths = @[ FBKVOClassKeyPath(Song, position), FBKVOClassKeyPath(Song, album.name) ];
  FBKVONotificationBlock block = ^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {
    NSString *keyPath = change[FBKVONotificationKeyPathKey];
    notify(keyPath);
  };
  [self.KVOController observe:song keyPaths:keyPaths options:(NSKeyValueObservingOptions)0 block:block];
}

@end
