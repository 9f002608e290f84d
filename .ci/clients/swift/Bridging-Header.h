#import <Foundation/Foundation.h>
#import <KVOController/KVOController.h>
#import "Song.h"
