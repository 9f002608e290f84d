// The target is its headers. On Apple platforms this compiles them; elsewhere it is empty.
#ifdef __APPLE__
#import <KVOController/KVOController.h>
#endif
