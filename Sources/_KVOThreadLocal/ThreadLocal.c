#include "_KVOThreadLocal.h"

#if defined(__linux__) && !defined(__ANDROID__)
__thread void *_Nullable _kvoThreadMark = 0;
#endif
