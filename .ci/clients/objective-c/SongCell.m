// A cell that uses the controllers of NSObject. Its imports come from the prefix header.

#import "Song.h"

@interface SongCell : UITableViewCell
@property (nonatomic, strong) Song *song;
@end

@implementation SongCell

- (void)setSong:(Song *)song
{
  [self.KVOController unobserve:_song];
  _song = song;
  [self.KVOController observe:song
                      keyPath:@"title"
                      options:NSKeyValueObservingOptionInitial | NSKeyValueObservingOptionNew
                       action:@selector(updateTitle)];
  [self.KVOControllerNonRetaining observe:song
                                  keyPath:FBKVOKeyPath(song.favorite)
                                  options:NSKeyValueObservingOptionNew
                                    block:^(SongCell *cell, Song *observed, NSDictionary *change) {
    PLAYER_LOG(@"%@ of %@: %@", change[FBKVONotificationKeyPathKey], observed, change[NSKeyValueChangeNewKey]);
    [cell setNeedsLayout];
  }];
}

- (void)prepareForReuse
{
  [super prepareForReuse];
  [self.KVOController unobserveAll];
  self.KVOControllerNonRetaining = (id _Nonnull)nil; // Without the cast the compiler warns, as with FBKVOController.
}

- (void)updateTitle
{
  self.textLabel.text = self.song.title;
}

@end
