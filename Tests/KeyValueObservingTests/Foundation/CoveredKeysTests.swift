import KeyValueObserving
import Testing
import _KVOTestSupport

/// Keys that are being set as part of a change that was announced already are covered, on the thread that sets them.
@Suite struct CoveredKeysTests {
  let node = Node()

  @Test func aKeyIsCoveredWhileItIsSet() {
    #expect(!CoveredKeys.contain("name", of: node))
    CoveredKeys.with("name", of: node) {
      #expect(CoveredKeys.contain("name", of: node))
      #expect(!CoveredKeys.contain("number", of: node))
      #expect(!CoveredKeys.contain("name", of: Node()))
    }
    #expect(!CoveredKeys.contain("name", of: node))
  }

  @Test func keysAreCoveredInsideOfOneAnother() {
    let other = Node()
    CoveredKeys.with("name", of: node) {
      CoveredKeys.with("number", of: other) {
        CoveredKeys.with("name", of: node) {
          #expect(CoveredKeys.contain("name", of: node))
          #expect(CoveredKeys.contain("number", of: other))
        }
        #expect(CoveredKeys.contain("name", of: node))
      }
      #expect(!CoveredKeys.contain("number", of: other))
      #expect(CoveredKeys.contain("name", of: node))
    }
    #expect(!CoveredKeys.contain("name", of: node))
  }

  @Test func pathsThatBeginWithTheKeyAreCovered() {
    CoveredKeys.with("child", of: node) {
      #expect(CoveredKeys.contain(firstKeyOf: "child", of: node))
      #expect(CoveredKeys.contain(firstKeyOf: "child.name", of: node))
      #expect(!CoveredKeys.contain(firstKeyOf: "children", of: node))
      #expect(!CoveredKeys.contain(firstKeyOf: "name.child", of: node))
    }
  }

  @Test func otherThreadsDoNotCoverIt() {
    let node = node
    CoveredKeys.with("name", of: node) {
      onThreads(2) { _ in
        #expect(!CoveredKeys.contain("name", of: node))
        CoveredKeys.with("number", of: node) { #expect(CoveredKeys.contain("number", of: node)) }
      }
      #expect(!CoveredKeys.contain("number", of: node))
    }
  }
}
