#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class Album;

@interface Song : NSObject
@property (nonatomic, copy) NSString *title;
@property (nonatomic, strong, nullable) Album *album;
@property (nonatomic) NSTimeInterval position;
@property (nonatomic, getter=isFavorite) BOOL favorite;
@end

@interface Album : NSObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSArray<Song *> *songs;
@end

NS_ASSUME_NONNULL_END
