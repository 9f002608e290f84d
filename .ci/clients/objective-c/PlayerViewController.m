// A view controller with a controller of its own, which it creates as FBKVOController's documentation shows.

#import "PlayerViewController.h"

#import <KVOController/FBKVOController.h>

#import "Song.h"

@interface PlayerViewController ()
@property (nonatomic, strong) Song *song;
@property (nonatomic, strong) UILabel *titleLabel;
@property (nonatomic, strong) UISlider *slider;
@property (nonatomic, copy) FBKVONotificationBlock positionBlock;
@end

static const void *const kPlayerContext = &kPlayerContext;

@implementation PlayerViewController {
  FBKVOController *_KVOController;
}

- (instancetype)initWithSong:(Song *)song
{
  if ((self = [super initWithNibName:nil bundle:nil])) {
    _song = song;
    _KVOController = [FBKVOController controllerWithObserver:self];
    _songController = [[FBKVOController alloc] initWithObserver:self retainObserved:NO];
  }
  return self;
}

- (void)dealloc
{
  [_KVOController unobserveAll];
  [_songController unobserve:_song];
}

- (void)viewDidLoad
{
  [super viewDidLoad];

  __weak typeof(self) weakSelf = self;
  [_KVOController observe:self.song
                  keyPath:FBKVOKeyPath(_song.title)
                  options:NSKeyValueObservingOptionInitial | NSKeyValueObservingOptionNew
                    block:^(id observer, id object, NSDictionary *change) {
    weakSelf.titleLabel.text = change[NSKeyValueChangeNewKey];
  }];

  [_KVOController observe:self.song
                 keyPaths:@[ FBKVOKeyPath(_song.favorite), FBKVOClassKeyPath(Song, album.name) ]
                  options:NSKeyValueObservingOptionNew
                    block:^(PlayerViewController *viewController, Song *song, NSDictionary<NSString *, id> *change) {
    NSString *keyPath = change[FBKVONotificationKeyPathKey];
    if ([keyPath isEqualToString:FBKVOClassKeyPath(Song, album.name)]) {
      viewController.title = song.album.name;
    } else {
      viewController.titleLabel.enabled = [change[NSKeyValueChangeNewKey] boolValue];
    }
  }];

  self.positionBlock = ^(id _Nullable observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {
    weakSelf.slider.value = [change[NSKeyValueChangeNewKey] floatValue];
  };
  [_songController observe:self.song keyPath:@"position" options:NSKeyValueObservingOptionNew block:self.positionBlock];

  [_songController observe:self.song
                   keyPath:NSStringFromSelector(@selector(isFavorite))
                   options:0
                    action:@selector(favoriteDidChange:song:)];
  [_songController observe:self.song.album
                  keyPaths:@[ @"name", @"songs" ]
                   options:NSKeyValueObservingOptionOld | NSKeyValueObservingOptionNew
                    action:@selector(albumDidChange:)];
  [_songController observe:self.song keyPath:@"title" options:NSKeyValueObservingOptionPrior context:(void *)kPlayerContext];
}

- (void)favoriteDidChange:(NSDictionary<NSKeyValueChangeKey, id> *)change song:(Song *)song
{
  self.titleLabel.highlighted = song.isFavorite;
}

- (void)albumDidChange:(NSDictionary *)change
{
  self.title = change[FBKVONotificationKeyPathKey];
}

- (void)observeValueForKeyPath:(NSString *)keyPath
                      ofObject:(id)object
                        change:(NSDictionary<NSKeyValueChangeKey, id> *)change
                       context:(void *)context
{
  if (context == kPlayerContext) {
    self.titleLabel.text = self.song.title;
  } else {
    [super observeValueForKeyPath:keyPath ofObject:object change:change context:context];
  }
}

- (void)stopFollowing
{
  [_KVOController unobserve:self.song keyPath:FBKVOKeyPath(self.song.title)];
  [_KVOController unobserve:nil keyPath:@"title"];
}

@end
