#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WinSDK)
import WinSDK
#endif

/// A structure of C that arrives in an `NSValue`, of a type that Foundation doesn't bridge, as the white balance gains of a camera.
@Suite(.sound) struct ImportedStructureTests {
  private struct Own { var number: UInt32 = 0 }

  private final class Camera: ForeignNode, @unchecked Sendable {
    var gains: in_addr { in_addr() }
    var possible: in_addr? { nil }
    var wide: div_t { div_t() }
    var own: Own { Own() }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["gains": nil, "possible": nil, "wide": nil, "own": nil],
      getters: ["gains": \Camera.gains, "possible": \Camera.possible, "wide": \Camera.wide, "own": \Camera.own])
  }

  private let recorder = Recorder()
  private let camera = Camera()

  /// What the handler hears when the key gets the bytes of a value, which C describes so.
  private func heard<Value, Stored>(
    _ keyPath: KeyPath<Camera, Value>, _ key: String, _ stored: Stored, _ encoding: String
  ) -> [Value?] {
    let controller = KVOController(observer: recorder)
    let values = Locked<[Value?]>([])
    controller.observe(camera, keyPath) { _, change in values.append(change.newValue) }
    camera[key] = withUnsafeBytes(of: stored) { NSValue(bytes: $0.baseAddress!, objCType: encoding) }
    controller.unobserveAll()
    return values.current
  }

  @Test func itIsTakenOutOfTheValue() {
    #expect(heard(\.gains, "gains", UInt32(7), "I").map(\.?.s_addr) == [7])
    #expect(heard(\.possible, "possible", UInt32(8), "I").map(\.??.s_addr) == [8])
  }

  @Test func aValueOfAnotherSizeOrAlignmentIsNotTaken() {
    #expect(heard(\.gains, "gains", UInt64(7), "Q").map { $0 == nil } == [true])
    // Of the same size, but aligned to more bytes.
    #expect(heard(\.wide, "wide", UInt64(7), "Q").map { $0 == nil } == [true])
  }

  @Test func aTypeOfSwiftIsNotTaken() {
    #expect(heard(\.own, "own", UInt32(7), "I").map { $0 == nil } == [true])
  }

  @Test func itIsSetByKeyValueCodingToo() {
    final class Model: KeyValueObject {
      @Observed var address = in_addr()
    }
    let model = Model()
    model.setValue(withUnsafeBytes(of: UInt32(9)) { NSValue(bytes: $0.baseAddress!, objCType: "I") }, forKey: "address")
    #expect(model.address.s_addr == 9)
  }

  @Test func aSequenceYieldsIt() async {
    let controller = KVOController(observer: recorder)
    camera["gains"] = withUnsafeBytes(of: UInt32(5)) { NSValue(bytes: $0.baseAddress!, objCType: "I") }
    for await value in controller.values(of: camera, \.gains) {
      #expect(value.s_addr == 5)
      break
    }
  }
}
#endif
