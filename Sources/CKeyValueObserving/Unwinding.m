#include "CKeyValueObserving.h"

#if defined(__APPLE__)
void kvo_guard(void (*body)(void *), void (*unwound)(void *), void *context) {
  bool has_returned = false;
  @try {
    body(context);
    has_returned = true;
  } @finally {
    if (!has_returned) unwound(context);
  }
}
#endif
