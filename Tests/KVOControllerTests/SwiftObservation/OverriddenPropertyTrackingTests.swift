#if canImport(Observation)
import KVOController
import _KVOTestSupport
import Observation
import Testing

/// Overrides of observed properties, in classes that conform to `Observable`.
@Suite(.watched) struct OverriddenPropertyTrackingTests {
  let tracking = Tracking()

  @Test func anOverrideWithAnObserverIsTracked() {
    let gauge = WatchedGauge()
    tracking.track { gauge.level }
    gauge.level = 1
    #expect(tracking.count == 1)
    tracking.track { gauge.level }
    gauge.level = 2
    #expect(tracking.count == 2)
  }

  @Test func aComputedOverrideIsTracked() {
    let gauge = DoubledGauge()
    #expect(tracking.track { gauge.level } == 0)
    gauge.level = 2
    #expect(tracking.count == 1)
    #expect(tracking.track { gauge.level } == 4)
    gauge.setValue(3, forKey: "level")
    #expect(tracking.count == 2)
  }

  @Test func anOverrideThatReadsOthersIsTrackedByWhatItReads() {
    let gauge = SummedGauge()
    tracking.track { gauge.level }
    gauge.surplus = 1
    #expect(tracking.count == 1)
    tracking.track { gauge.level }
    gauge.level = 1
    #expect(tracking.count == 2)
  }

  @Test func overridesThatReadEachOtherAreTracked() {
    let gauge = EntangledGauge()
    tracking.track { (gauge.level, gauge.limit) }
    gauge.surplus = 1
    #expect(tracking.count == 1)
    tracking.track { gauge.limit }
    gauge.limit = 3
    #expect(tracking.count == 2)
  }

  @Test func anOverrideInASubclassThatConformsIsTracked() {
    let gauge = ConformingGauge()
    tracking.track { gauge.level }
    gauge.level = 1
    #expect(tracking.count == 1)
  }

  @Test func aListedPropertyIsTrackedWhetherItWasReadBeforeOrNot() {
    for isReadBefore in [false, true] {
      let gauge = ListedGauge()
      if isReadBefore {
        #expect((gauge.level, gauge.value(forKey: "level") as? Int, gauge.registrationCount) == (0, 0, 0))
      }
      let former = tracking.count
      tracking.track { (gauge.level, gauge.value(forKey: "level") as? Int) }
      gauge.level = 1
      #expect(tracking.count == former + 1)
      tracking.track { gauge.value(forKey: "level") as? Int }
      gauge.level = 2
      #expect(tracking.count == former + 2)
      gauge.level = 3
      #expect(gauge.registrationCount == 0)
    }
  }

  @Test func keysThatReadEachOtherAreTracked() {
    let gauge = EntangledKeysGauge()
    tracking.track { (gauge.value(forKey: "first") as? Int, gauge.value(forKey: "second") as? Int) }
    gauge.level = 1
    #expect(tracking.count == 1)
  }

  @Test func propertiesOfOneNameAreTrackedSeparately() {
    let gauge = RenamedGauge()
    tracking.track { gauge.isBaseReady }
    gauge.isReady = true
    gauge.setValue(false, forKey: "isReadyNow")
    #expect(tracking.count == 0)
    gauge.isBaseReady = true
    #expect(tracking.count == 1)
    tracking.track { gauge.isReady }
    gauge.isBaseReady = false
    #expect(tracking.count == 1)
    gauge.setValue(true, forKey: "isReadyNow")
    #expect(tracking.count == 2)
  }

  @Test func overrideIsTrackedWhileItIsObserved() {
    let gauge = WatchedGauge()
    let levels = Locked<[Int?]>([])
    let observation = gauge.observe(\.level, options: .new) { _, change in
      levels.append(change.newValue)
    }
    tracking.track { gauge.level }
    gauge.level = 1
    #expect(tracking.count == 1)
    #expect(levels.current == [1])
    observation.invalidate()
  }
}

private class Gauge: KeyValueObject, Observable {
  @Observed var level = 0
  @Observed var limit = 0
  @Observed var surplus = 0
}

private class NamedGauge: KeyValueObject, Observable {
  @Observed private var isReadyNow = false

  var isBaseReady: Bool {
    get { isReadyNow }
    set { isReadyNow = newValue }
  }
}

private final class RenamedGauge: NamedGauge {
  @Observed private var isReadyNow = false

  var isReady: Bool {
    get { isReadyNow }
    set { isReadyNow = newValue }
  }
}

private final class WatchedGauge: Gauge {
  override var level: Int { didSet {} }
}

private final class DoubledGauge: Gauge {
  override var level: Int {
    get { super.level * 2 }
    set { super.level = newValue }
  }
}

private final class SummedGauge: Gauge {
  override var level: Int {
    get { super.level + surplus }
    set { super.level = newValue }
  }
}

private final class EntangledGauge: Gauge {
  override var level: Int {
    get { surplus > 10 ? limit : super.level + surplus }
    set { super.level = newValue }
  }
  override var limit: Int {
    get { super.limit + level }
    set { super.limit = newValue }
  }
}

private class PlainGauge: KeyValueObject {
  @Observed var level = 0
}

private final class ConformingGauge: PlainGauge, Observable {
  override var level: Int { didSet {} }
}

/// A class that lists its own property, so that each read of the key reads the property.
private final class ListedGauge: KeyValueObject, Observable {
  @Observed var level = 0

  override class var keyPaths: [String: AnyKeyPath] { ["level": \ListedGauge.level] }
}

/// A class with keys whose getters read each other by coding.
private final class EntangledKeysGauge: KeyValueObject, Observable {
  @Observed var level = 0
  private var isReading = false

  override class var keyPaths: [String: AnyKeyPath] {
    ["first": \EntangledKeysGauge.first, "second": \EntangledKeysGauge.second]
  }

  var first: Int { level + other("second") }
  var second: Int { level + other("first") }

  private func other(_ key: String) -> Int {
    guard !isReading else { return 0 }
    isReading = true
    defer { isReading = false }
    return value(forKey: key) as? Int ?? 0
  }
}
#endif
