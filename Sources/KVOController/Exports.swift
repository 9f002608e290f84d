@_exported import KeyValueObserving
