#import "../KVOController/NSObject+FBKVOController.h"
