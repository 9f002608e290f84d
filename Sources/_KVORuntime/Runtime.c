// The headers contain everything. A target of C needs a source file.
#include "SwiftRuntime.h"
