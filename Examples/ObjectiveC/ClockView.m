// Objective-C that was written for FBKVOController: its imports, its names, its selectors, and each way to observe that it has.

#import <KVOController/KVOController.h>

@interface Clock : NSObject
@property (nonatomic, strong) NSDate *date;
@property (nonatomic, strong) NSTimeZone *timeZone;
@end

@implementation Clock
@end

@interface ClockView : NSObject
@property (nonatomic, strong) NSDate *date;
@property (nonatomic, strong) Clock *clock;
@property (nonatomic, strong) FBKVOController *detached;
@end

static void *ClockViewContext = &ClockViewContext;

@implementation ClockView

// A separate controller, whose observations end when it is released.
- (void)observeWithController:(Clock *)clock
{
  FBKVOController *KVOController = [FBKVOController controllerWithObserver:self];
  self.KVOController = KVOController;

  [self.KVOController observe:clock
                      keyPath:@"date"
                      options:NSKeyValueObservingOptionInitial | NSKeyValueObservingOptionNew
                        block:^(ClockView *clockView, Clock *clock, NSDictionary *change) {
    clockView.date = change[NSKeyValueChangeNewKey];
  }];
}

// The controller that each object has.
- (void)observeWithAction:(Clock *)clock
{
  [self.KVOController observe:clock
                      keyPath:@"date"
                      options:NSKeyValueObservingOptionInitial | NSKeyValueObservingOptionNew
                       action:@selector(updateClockWithDateChange:)];
}

- (void)observeWithEveryForm:(Clock *)clock
{
  NSKeyValueObservingOptions options = NSKeyValueObservingOptionOld | NSKeyValueObservingOptionPrior;
  FBKVONotificationBlock block = ^(id observer, id object, NSDictionary<NSKeyValueChangeKey, id> *change) {
    NSLog(@"%@ of %@ tells %@", change[FBKVONotificationKeyPathKey], object, observer);
  };
  NSArray<NSString *> *keyPaths = @[FBKVOKeyPath(clock.date), FBKVOClassKeyPath(Clock, timeZone.name)];

  [self.KVOController observe:clock keyPath:FBKVOKeyPath(clock.date) options:options block:block];
  [self.KVOController observe:clock keyPath:@"date" options:0 action:@selector(dateDidChange)];
  [self.KVOController observe:clock keyPath:@"date" options:0 action:@selector(dateDidChange:ofClock:)];
  [self.KVOController observe:clock keyPath:@"date" options:options context:ClockViewContext];

  [self.KVOController observe:clock keyPaths:keyPaths options:options block:block];
  [self.KVOController observe:clock keyPaths:keyPaths options:options action:@selector(updateClockWithDateChange:)];
  [self.KVOController observe:clock keyPaths:keyPaths options:options context:NULL];
  [self.KVOController observe:nil keyPath:@"date" options:options block:block];
}

// Against a cycle, where the clock holds this view.
- (void)observeWithoutRetaining:(Clock *)clock
{
  [self.KVOControllerNonRetaining observe:clock keyPath:@"date" options:0 action:@selector(dateDidChange)];
  self.KVOControllerNonRetaining = [[FBKVOController alloc] initWithObserver:self retainObserved:NO];
  self.detached = [[FBKVOController alloc] initWithObserver:self];
  NSAssert(self.detached.observer == self, @"A controller observes for its observer.");
}

- (void)stopObserving:(Clock *)clock
{
  [self.KVOController unobserve:clock keyPath:FBKVOClassKeyPath(Clock, date)];
  [self.KVOController unobserve:clock];
  [self.KVOController unobserveAll];
  [self.KVOControllerNonRetaining unobserve:nil];
  NSLog(@"%@", self.KVOController.debugDescription);
}

- (void)dateDidChange
{
}

- (void)updateClockWithDateChange:(NSDictionary<NSKeyValueChangeKey, id> *)change
{
  self.date = change[NSKeyValueChangeNewKey];
}

- (void)dateDidChange:(NSDictionary<NSKeyValueChangeKey, id> *)change ofClock:(Clock *)clock
{
  self.clock = clock;
}

- (void)observeValueForKeyPath:(NSString *)keyPath
                      ofObject:(id)object
                        change:(NSDictionary<NSKeyValueChangeKey, id> *)change
                       context:(void *)context
{
  if (context != ClockViewContext) {
    [super observeValueForKeyPath:keyPath ofObject:object change:change context:context];
    return;
  }
  self.date = [object valueForKeyPath:keyPath];
}

@end
