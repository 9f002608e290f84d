#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

@Suite(.watched) struct AddObserverDescriptionTests {
  @Test func anObserverIsShownWithItsContext() {
    let (kin, recorder) = (Kin("kin"), Recorder())
    kin.addObserver(recorder, forKeyPath: "name", options: .new, context: nil)
    kin.addObserver(recorder, forKeyPath: "child.name", options: [], context: .number(7))
    let lines = kin.observersDescription.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("<Recorder 0x"))
    #expect(lines[0].hasSuffix("-> name (new), with addObserver"))
    #expect(lines[1].hasSuffix("-> child.name (no options), with addObserver, context 0x0000000000000007"))
    kin.removeObserver(recorder, forKeyPath: "name")
    kin.removeObserver(recorder, forKeyPath: "child.name")
    #expect(kin.observersDescription == "")
  }

  @Test func aDeallocatedObserverIsShownAsSuch() {
    let kin = Kin("kin")
    kin.addObserver(Recorder(), forKeyPath: "name", options: .new, context: nil)
    #expect(kin.observersDescription.hasPrefix("a deallocated observer observes <Kin 0x"))
  }
}
#endif
