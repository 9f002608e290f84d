// Calls each function of the package that calls Swift's runtime, and prints what comes back.
#include "CKeyValueObserving.h"

#include <stdio.h>

static void print_field(void *context, const char *name, const void *type, intptr_t offset, bool is_var) {
  printf("%s at %ld, %s\n", name, (long)offset, type == context ? "of the type" : "of another type");
}

int main(void) {
  int32_t description[5] = {0, 0, 0, 0, 1};
  kvo_check_access(description, true);
  printf("%ld field\n", (long)kvo_field_count(description));
  fflush(stdout);
  kvo_with_field(description, 0, description, print_field);
  printf("%s\n", kvo_is_reflectable(description) ? "reflectable" : "not reflectable");
  printf("%s\n", kvo_implementation(description, "method", description) ? "implemented" : "not implemented");
  printf("%s\n", kvo_is_on_executor(description, 7) ? "on the executor" : "on another executor");
}
