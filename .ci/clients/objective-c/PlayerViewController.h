#import <UIKit/UIKit.h>

@class FBKVOController;
@class Song;

@interface PlayerViewController : UIViewController

- (instancetype)initWithSong:(Song *)song;

@property (nonatomic, strong, readonly) FBKVOController *songController;

@end
