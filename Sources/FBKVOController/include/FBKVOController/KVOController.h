#import "../KVOController/KVOController.h"
