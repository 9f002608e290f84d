#import "FBKVOController.h"
#import "NSObject+FBKVOController.h"
