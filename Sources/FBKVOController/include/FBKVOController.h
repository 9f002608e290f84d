#import "KVOController/FBKVOController.h"
