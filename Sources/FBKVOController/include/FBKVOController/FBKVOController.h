#import "../KVOController/FBKVOController.h"
