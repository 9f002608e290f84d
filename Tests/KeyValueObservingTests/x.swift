import Testing
@testable import KeyValueObserving
@Test func x() {}
