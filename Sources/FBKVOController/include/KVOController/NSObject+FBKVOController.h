// The properties `KVOController` and `KVOControllerNonRetaining` of NSObject, which come with the class.

#import "FBKVOController.h"
