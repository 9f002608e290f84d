#import "KVOController/KVOController.h"
