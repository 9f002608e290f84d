// The target is its headers. On Apple platforms this compiles them; on other platforms it is empty.
#ifdef __APPLE__
#import <KVOController/KVOController.h>
#endif
