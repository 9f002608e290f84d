// FBKVOController's interface for Objective-C: every selector, nil for what may be nil, and deallocations in any order.

#import <KVOController/FBKVOController.h>
#import <KVOController/NSObject+FBKVOController.h>
#import <XCTest/XCTest.h>

@interface FBKVOTestSong : NSObject
@property (nonatomic, copy) NSString *title;
@property (nonatomic) NSInteger plays;
@property (nonatomic, strong) FBKVOTestSong *next;
@end

@implementation FBKVOTestSong
@end

@interface FBKVOTestScreen : NSObject
@property (nonatomic, readonly) NSMutableArray *calls;
@end

@implementation FBKVOTestScreen

- (instancetype)init
{
  if ((self = [super init])) _calls = [NSMutableArray array];
  return self;
}

- (void)redraw
{
  [_calls addObject:@"redraw"];
}

- (void)redrawWithChange:(NSDictionary *)change
{
  [_calls addObject:change[NSKeyValueChangeNewKey]];
}

- (void)keepKeyPathOfChange:(NSDictionary *)change
{
  [_calls addObject:change[FBKVONotificationKeyPathKey]];
}

- (void)redrawWithChange:(NSDictionary *)change object:(id)object
{
  [_calls addObject:@[ change[NSKeyValueChangeNewKey], object ]];
}

- (void)observeValueForKeyPath:(NSString *)keyPath
                      ofObject:(id)object
                        change:(NSDictionary<NSKeyValueChangeKey, id> *)change
                       context:(void *)context
{
  [_calls addObject:[NSString stringWithFormat:@"%@ %ld", keyPath, (long)context]];
}

@end

@interface FBKVOControllerTests : XCTestCase
@end

@implementation FBKVOControllerTests {
  FBKVOTestScreen *_screen;
  FBKVOTestSong *_song;
  FBKVOController *_controller;
}

- (void)setUp
{
  _screen = [FBKVOTestScreen new];
  _song = [FBKVOTestSong new];
  _controller = [FBKVOController controllerWithObserver:_screen];
}

- (void)tearDown
{
  [_controller unobserveAll];
}

// The blocks' calls, as the observer notes them.
- (FBKVONotificationBlock)block
{
  return ^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {
    [((FBKVOTestScreen *)observer).calls addObject:@[ change[FBKVONotificationKeyPathKey], change[NSKeyValueChangeNewKey] ]];
  };
}

- (NSArray *)takeCalls
{
  NSArray *calls = [_screen.calls copy];
  [_screen.calls removeAllObjects];
  return calls;
}

#pragma mark Blocks

- (void)testBlockForAKeyPath
{
  [_controller observe:_song keyPath:@"title" options:NSKeyValueObservingOptionNew block:[self block]];
  _song.title = @"A";
  XCTAssertEqualObjects([self takeCalls], (@[ @[ @"title", @"A" ] ]));
}

- (void)testBlockForSeveralKeyPaths
{
  [_controller observe:_song
              keyPaths:@[ @"title", FBKVOKeyPath(_song.plays) ]
               options:NSKeyValueObservingOptionNew
                 block:[self block]];
  _song.title = @"A";
  _song.plays = 2;
  XCTAssertEqualObjects([self takeCalls], (@[ @[ @"title", @"A" ], @[ @"plays", @2 ] ]));
}

#pragma mark Actions and contexts

- (void)testActions
{
  NSKeyValueObservingOptions options = NSKeyValueObservingOptionNew;
  [_controller observe:_song keyPath:@"title" options:options action:@selector(redraw)];
  [_controller observe:_song keyPaths:@[ @"plays" ] options:options action:@selector(redrawWithChange:object:)];
  _song.title = @"A";
  _song.plays = 3;
  XCTAssertEqualObjects([self takeCalls], (@[ @"redraw", @[ @3, _song ] ]));
}

- (void)testAnActionForSeveralKeyPathsReceivesTheOneThatChanged
{
  [_controller observe:_song keyPaths:@[ @"title", @"plays" ] options:0 action:@selector(keepKeyPathOfChange:)];
  _song.title = @"A";
  _song.plays = 3;
  XCTAssertEqualObjects([self takeCalls], (@[ @"title", @"plays" ]));
}

- (void)testContexts
{
  [_controller observe:_song keyPath:@"title" options:0 context:(void *)7];
  [_controller observe:_song keyPaths:@[ @"plays" ] options:0 context:NULL];
  _song.title = @"A";
  _song.plays = 3;
  XCTAssertEqualObjects([self takeCalls], (@[ @"title 7", @"plays 0" ]));
}

- (void)testAPath
{
  [_controller observe:_song keyPath:@"next.title" options:NSKeyValueObservingOptionNew block:[self block]];
  _song.next = [FBKVOTestSong new];
  _song.next.title = @"A";
  XCTAssertEqualObjects([self takeCalls].lastObject, (@[ @"next.title", @"A" ]));
  [_controller unobserve:_song];
  _song.next.title = @"B";
  _song.next = nil;
  XCTAssertEqual([self takeCalls].count, 0u);
}

- (void)testPerform
{
  FBKVOTestSong *song = _song;
  [song performSelector:@selector(setTitle:) withObject:@"before"];
  [_controller observe:song
               keyPath:@"title"
               options:NSKeyValueObservingOptionInitial | NSKeyValueObservingOptionNew
                action:@selector(redrawWithChange:)];
  [song performSelector:@selector(setTitle:) withObject:@"after"];
  [_controller performSelector:@selector(unobserveAll)];
  song.title = @"later";
  XCTAssertEqualObjects([self takeCalls], (@[ @"before", @"after" ]));
}

#pragma mark Nil

- (void)testNilIsIgnored
{
  [_controller observe:nil keyPath:@"title" options:0 block:[self block]];
  [_controller observe:_song keyPath:@"title" options:0 block:nil];
  [_controller observe:_song keyPaths:@[ @"title" ] options:0 block:nil];
  [_controller unobserve:nil];
  [_controller unobserve:nil keyPath:@"title"];
  [_controller unobserve:_song keyPath:@"title"];
  _song.title = @"A";
  XCTAssertEqual([self takeCalls].count, 0u);
}

#pragma mark Properties of NSObject

- (void)testEachObjectHasControllers
{
  FBKVOController *controller = _screen.KVOController;
  XCTAssertNotNil(controller);
  XCTAssertEqual(_screen.KVOController, controller);
  XCTAssertEqual(controller.observer, _screen);
  XCTAssertTrue(_screen.KVOControllerNonRetaining != controller);
  FBKVOController *other = [[FBKVOController alloc] initWithObserver:_screen];
  _screen.KVOController = other;
  XCTAssertEqual(_screen.KVOController, other);
}

#pragma mark Deallocations

- (void)testARetainingControllerRetainsWhatItObserves
{
  __weak FBKVOTestSong *weakSong;
  @autoreleasepool {
    FBKVOTestSong *song = [FBKVOTestSong new];
    weakSong = song;
    [_controller observe:song keyPath:@"title" options:0 action:@selector(redraw)];
  }
  XCTAssertNotNil(weakSong);
  @autoreleasepool {
    [_controller unobserveAll];
  }
  XCTAssertNil(weakSong);
}

- (void)testObjectsMayBeDeallocatedInAnyOrder
{
  for (int order = 0; order < 6; order++) {
    @autoreleasepool {
      FBKVOTestScreen *screen = [FBKVOTestScreen new];
      FBKVOTestSong *song = [FBKVOTestSong new];
      FBKVOController *controller = [[FBKVOController alloc] initWithObserver:screen retainObserved:order % 2 == 0];
      [controller observe:song keyPath:@"title" options:0 action:@selector(redraw)];
      [controller observe:song keyPath:@"next.title" options:0 action:@selector(redraw)];
      if (order / 2 == 0) screen = nil;
      if (order / 2 == 1) controller = nil;
      if (order / 2 == 2) song = nil;
      song.title = @"A";
      song.next = [FBKVOTestSong new];
      XCTAssertEqual(screen.calls.count, 0u);
    }
  }
}

- (void)testAnObserverMayObserveItself
{
  __weak FBKVOTestSong *weakSong;
  @autoreleasepool {
    FBKVOTestSong *song = [FBKVOTestSong new];
    weakSong = song;
    [song.KVOController observe:song
                        keyPath:@"title"
                        options:0
                          block:^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {}];
    song.title = @"A";
  }
  XCTAssertNil(weakSong);
}

- (void)testADeallocatedObserverIsNotCalled
{
  __block int calls = 0;
  @autoreleasepool {
    FBKVOTestScreen *screen = [FBKVOTestScreen new];
    [screen.KVOController observe:_song
                          keyPath:@"title"
                          options:0
                            block:^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) { calls += 1; }];
    _song.title = @"A";
  }
  _song.title = @"B";
  XCTAssertEqual(calls, 1);
}

@end
