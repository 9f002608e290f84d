import Testing
@testable import KVOController
@Test func x() {}
