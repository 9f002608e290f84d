import Foundation
import KVOController

#if canImport(AVFoundation)
import AVFoundation
import CoreData
import WebKit
#endif

/// The call sites that apps write first: each row of a table observes an object of one of Apple's classes in one way.
///
/// On Apple platforms the rows are compiled only. On other platforms the names are those of imitations, in which `EverydayTests`
/// makes the change of the row, and compares what its handler hears.
@MainActor enum Everyday {
  struct Row<Object: KeyValueObservable> {
    /// The key path of the object whose value changes, and the values that are set.
    let key: String
    let values: [any Sendable]
    /// The values that the handler hears of, in words, as an imitation stores them.
    let heard: [String]
    /// Whether another thread makes the changes.
    var isElsewhere = false
    let begin: @MainActor (Screen, Object) -> Void

    init(
      _ key: String, _ values: any Sendable..., hears heard: [String], elsewhere isElsewhere: Bool = false,
      _ begin: @escaping @MainActor (Screen, Object) -> Void
    ) {
      (self.key, self.values, self.heard, self.isElsewhere, self.begin) = (key, values, heard, isElsewhere, begin)
    }
  }

  /// The observer, which a row that observes by a string calls the same as any other.
  @MainActor final class Screen: KeyValueObservable {
    let model = Model()
    private(set) var heard: [String] = []
    var text: String? { didSet { hear(text) } }
    var fraction: Float = 0 { didSet { hear(fraction) } }

    func hear<Value>(_ value: Value) {
      var value: Any = value
      while Mirror(reflecting: value).displayStyle == .optional {
        value = Mirror(reflecting: value).children.first?.value ?? NSNull()
      }
      heard.append(value is NSNull ? "nil" : "\(value)")
    }

    func observe(_ object: KeyValueObservable, named keyPath: String) {
      kvoController.observe(object, keyPath: keyPath, options: .new) { screen, _, change in
        (screen as? Screen)?.hear(change[.newKey])
      }
    }
  }

  /// A model that holds the objects.
  final class Model: KeyValueObject, @unchecked Sendable {
    @Observed var player: AVPlayer?
    @Observed var item: AVPlayerItem?
    @Observed var web: WKWebView?
    @Observed var layer: CALayer?
    @Observed var progress: Progress?
    @Observed var queue: OperationQueue?
    @Observed var operation: Operation?
    @Observed var task: URLSessionTask?
    @Observed var device: AVCaptureDevice?
    @Observed var note: Note?
    #if !os(macOS)
    @Observed var scroll: UIScrollView?
    @Observed var view: UIView?
    @Observed var session: AVAudioSession?
    #endif
  }

  // MARK: AVFoundation

  static let player: [Row<AVPlayer>] = [
    Row("rate", 1 as Float, hears: ["1.0"]) { $0.observe($1, named: "rate") },
    Row("timeControlStatus", 2, hears: ["2"]) { $0.observe($1, named: "timeControlStatus") },
    Row("currentItem.status", 1, hears: ["1"]) { $0.observe($1, named: "currentItem.status") },
    Row("rate", 1 as Float, 0 as Float, hears: ["1.0", "0.0"]) { screen, player in
      screen.observe(player, \.rate) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("timeControlStatus", 2, hears: ["true"]) { screen, player in
      screen.observe(player, \.timeControlStatus) { screen, _, change in screen.hear(change.newValue == .playing) }
    },
    Row("currentItem.status", 1, hears: ["true"]) { screen, player in
      screen.observe(player, \.currentItem?.status) { screen, _, change in
        screen.hear(change.newValue == .readyToPlay)
      }
    },
    Row("muted", true, hears: ["true"]) { screen, player in
      screen.observe(player, \.isMuted) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("currentItem.duration", CMTime(seconds: 90, preferredTimescale: 1), hears: ["90.0"]) { screen, player in
      screen.observe(player, \.currentItem?.duration.seconds) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("rate", 1 as Float, hears: ["1.0"]) { screen, player in
      screen.model.player = player
      screen.observe(screen.model, \.player?.rate) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("currentItem.status", 1, hears: ["true"]) { screen, player in
      screen.model.player = player
      screen.observe(screen.model, \.player?.currentItem?.status) { screen, _, change in
        screen.hear(change.newValue == .readyToPlay)
      }
    },
    Row("currentItem.presentationSize", CGSize(width: 16, height: 9), hears: ["16.0"]) { screen, player in
      screen.model.player = player
      screen.observe(screen.model, \.player?.currentItem?.presentationSize.width) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
    Row("rate", 1 as Float, hears: ["drawn"]) { screen, player in
      screen.observe(player, [\.rate, \.currentItem]) { screen, _ in screen.hear("drawn") }
    },
    Row("rate", 1 as Float, hears: ["1.0"]) { $0.bind($1, \.rate, to: \.fraction) },
    Row("rate", 1 as Float, hears: ["1.0"], elsewhere: true) { screen, player in
      screen.observe(player, \.rate) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("currentItem.status", 1, hears: ["1"], elsewhere: true) { screen, player in
      screen.model.player = player
      screen.observe(screen.model, named: "player.currentItem.status")
    },
  ]

  static let item: [Row<AVPlayerItem>] = [
    Row("status", 2, hears: ["2"]) { $0.observe($1, named: "status") },
    Row("playbackLikelyToKeepUp", true, hears: ["true"]) { screen, item in
      screen.observe(item, \.isPlaybackLikelyToKeepUp) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("loadedTimeRanges", [0.5], hears: ["1"]) { screen, item in
      screen.observe(item, \.loadedTimeRanges.count) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("presentationSize", CGSize(width: 4, height: 3), hears: ["4.0"]) { screen, item in
      screen.observe(item, \.presentationSize.width) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("playbackBufferEmpty", true, hears: ["true"], elsewhere: true) { screen, item in
      screen.model.item = item
      screen.observe(screen.model, \.item?.isPlaybackBufferEmpty) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let device: [Row<AVCaptureDevice>] = [
    Row("adjustingFocus", true, hears: ["true"]) { $0.observe($1, named: "adjustingFocus") },
    Row("adjustingFocus", true, hears: ["true"]) { screen, device in
      screen.observe(device, \.isAdjustingFocus) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("adjustingFocus", true, hears: ["true"]) { screen, device in
      screen.model.device = device
      screen.observe(screen.model, \.device?.isAdjustingFocus) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  // MARK: WebKit

  static let web: [Row<WKWebView>] = [
    Row("estimatedProgress", 0.5, hears: ["0.5"]) { $0.observe($1, named: "estimatedProgress") },
    Row("estimatedProgress", 0.5, hears: ["0.5"]) { screen, web in
      screen.observe(web, \.estimatedProgress) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("title", "Home", hears: ["Home"]) { $0.bind($1, \.title, to: \.text) },
    Row("title", "Home", hears: ["4"]) { screen, web in
      screen.observe(web, \.title?.count) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("loading", true, hears: ["true"]) { screen, web in
      screen.observe(web, \.isLoading) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("URL", URL(string: "https://swift.org")!, hears: ["https://swift.org"]) { screen, web in
      screen.observe(web, \.url) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("URL", URL(string: "https://swift.org")!, hears: ["swift.org"]) { screen, web in
      screen.model.web = web
      screen.observe(screen.model, \.web?.url?.host) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("estimatedProgress", 1.0, hears: ["1.0"]) { screen, web in
      screen.model.web = web
      screen.observe(screen.model, \.web?.estimatedProgress) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  // MARK: Core Animation

  static let layer: [Row<CALayer>] = [
    Row("position", CGPoint(x: 2, y: 3), hears: ["2.0"]) { $0.observe($1, named: "position.x") },
    Row("bounds", CGRect(x: 0, y: 0, width: 7, height: 1), hears: ["7.0"]) {
      $0.observe($1, named: "bounds.size.width")
    },
    Row("position", CGPoint(x: 2, y: 3), hears: ["3.0"]) { screen, layer in
      screen.observe(layer, \.position.y) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("opacity", 0.5 as Float, hears: ["0.5"]) { screen, layer in
      screen.observe(layer, \.opacity) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("bounds", CGRect(x: 0, y: 0, width: 7, height: 1), hears: ["7.0"]) { screen, layer in
      screen.model.layer = layer
      screen.observe(screen.model, \.layer?.bounds.width) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("position", CGPoint(x: 2, y: 3), hears: ["2.0"]) { screen, layer in
      screen.model.layer = layer
      screen.observe(screen.model, named: "layer.position.x")
    },
  ]

  // MARK: Foundation

  static let progress: [Row<Progress>] = [
    Row("fractionCompleted", 0.25, hears: ["0.25"]) { $0.observe($1, named: "fractionCompleted") },
    Row("fractionCompleted", 0.25, hears: ["0.25"], elsewhere: true) { screen, progress in
      screen.observe(progress, \.fractionCompleted) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("fractionCompleted", 0.25, hears: ["0.25"], elsewhere: true) {
      $0.bind($1, \.fractionCompleted, to: \.fraction) { Float($0) }
    },
    Row("cancelled", true, hears: ["true"], elsewhere: true) { screen, progress in
      screen.model.progress = progress
      screen.observe(screen.model, \.progress?.isCancelled) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let queue: [Row<OperationQueue>] = [
    Row("operationCount", 3, hears: ["3"], elsewhere: true) { $0.observe($1, named: "operationCount") },
    Row("operationCount", 3, hears: ["3"]) { screen, queue in
      screen.observe(queue, \.operationCount) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("operationCount", 3, hears: ["3"], elsewhere: true) { screen, queue in
      screen.model.queue = queue
      screen.observe(screen.model, \.queue?.operationCount) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("suspended", true, hears: ["true"]) { screen, queue in
      screen.observe(queue, \.isSuspended) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let operation: [Row<Operation>] = [
    Row("isFinished", true, hears: ["true"], elsewhere: true) { $0.observe($1, named: "isFinished") },
    Row("isFinished", true, hears: ["true"]) { screen, operation in
      screen.observe(operation, \.isFinished) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("isExecuting", true, hears: ["true"], elsewhere: true) { screen, operation in
      screen.model.operation = operation
      screen.observe(screen.model, \.operation?.isExecuting) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let defaults: [Row<UserDefaults>] = [
    Row("everydayTheme", "dark", hears: ["dark"]) { $0.observe($1, named: "everydayTheme") },
    // The setter of the property may notify, and so does what it calls.
    Row("everydaySize", 12.0, hears: ["12.0"], elsewhere: true) { screen, defaults in
      screen.observe(defaults, \.everydaySize, delivery: .distinct) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
    Row("everydaySize", 12.0, hears: ["12.0"]) { screen, defaults in
      screen.bind(defaults, \.everydaySize, to: \.fraction) { Float($0) }
    },
  ]

  static let task: [Row<URLSessionTask>] = [
    Row("state", 2, hears: ["true"], elsewhere: true) { screen, task in
      screen.observe(task, \.state) { screen, _, change in screen.hear(change.newValue == .canceling) }
    },
    Row("countOfBytesReceived", 9 as Int64, hears: ["9"], elsewhere: true) { screen, task in
      screen.observe(task, \.countOfBytesReceived) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("progress.fractionCompleted", 0.5, hears: ["0.5"], elsewhere: true) { screen, task in
      screen.model.task = task
      screen.observe(screen.model, \.task?.progress.fractionCompleted) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
  ]

  // MARK: Core Data

  static let note: [Row<Note>] = [
    Row("title", "a", hears: ["a"]) { $0.observe($1, named: "title") },
    Row("title", "a", hears: ["a"]) { screen, note in
      screen.observe(note, \.title) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("title", "abc", hears: ["3"]) { screen, note in
      screen.model.note = note
      screen.observe(screen.model, \.note?.title?.count) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  // MARK: UIKit

  #if !os(macOS)
  static let scroll: [Row<UIScrollView>] = [
    Row("contentOffset", CGPoint(x: 0, y: 4), hears: ["(0.0, 4.0)"]) { screen, scroll in
      screen.observe(scroll, \.contentOffset) { screen, _, change in
        screen.hear(change.newValue.map { "(\($0.x), \($0.y))" })
      }
    },
    Row("contentOffset", CGPoint(x: 0, y: 4), hears: ["4.0"]) { screen, scroll in
      screen.observe(scroll, \.contentOffset.y) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("contentSize", CGSize(width: 1, height: 9), hears: ["9.0"]) { screen, scroll in
      screen.observe(scroll, \.contentSize.height) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("contentOffset", CGPoint(x: 0, y: 4), hears: ["4.0"]) { screen, scroll in
      screen.model.scroll = scroll
      screen.observe(screen.model, \.scroll?.contentOffset.y) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("contentOffset", CGPoint(x: 0, y: 4), hears: ["4.0"]) {
      $0.bind($1, \.contentOffset.y, to: \.fraction) { Float($0) }
    },
  ]

  static let view: [Row<UIView>] = [
    Row("frame", CGRect(x: 1, y: 2, width: 3, height: 4), hears: ["3.0"]) { screen, view in
      screen.observe(view, \.frame.width) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("bounds", CGRect(x: 1, y: 2, width: 3, height: 4), hears: ["4.0"]) { screen, view in
      screen.observe(view, \.bounds.size) { screen, _, change in screen.hear(change.newValue?.height) }
    },
    Row("center", CGPoint(x: 1, y: 2), hears: ["1.0"]) { screen, view in
      screen.observe(view, \.center.x) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("hidden", true, hears: ["true"]) { screen, view in
      screen.model.view = view
      screen.observe(screen.model, \.view?.isHidden) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("alpha", 0.5 as CGFloat, hears: ["0.5"]) { screen, view in
      screen.model.view = view
      screen.observe(screen.model, \.view?.alpha) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("layer.position", CGPoint(x: 5, y: 6), hears: ["5.0"]) { $0.observe($1, named: "layer.position.x") },
    Row("layer.position", CGPoint(x: 5, y: 6), hears: ["6.0"]) { screen, view in
      screen.observe(view, \.layer.position.y) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let session: [Row<AVAudioSession>] = [
    Row("outputVolume", 0.5 as Float, hears: ["0.5"], elsewhere: true) { $0.observe($1, named: "outputVolume") },
    Row("outputVolume", 0.5 as Float, hears: ["0.5"], elsewhere: true) { screen, session in
      screen.observe(session, \.outputVolume) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("outputVolume", 0.5 as Float, hears: ["0.5"], elsewhere: true) { screen, session in
      screen.model.session = session
      screen.observe(screen.model, \.session?.outputVolume) { screen, _, change in screen.hear(change.newValue) }
    },
  ]
  #endif

  // MARK: AppKit

  // These are compiled only: of AppKit's classes there is no public dump that says which methods they override.
  #if os(macOS)
  static let application: [Row<NSApplication>] = [
    Row("effectiveAppearance", hears: []) { screen, application in
      screen.observe(application, \.effectiveAppearance) { screen, _, change in screen.hear(change.newValue?.name) }
    },
    Row("effectiveAppearance", hears: []) { screen, application in
      screen.observe(application, \.effectiveAppearance.name) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let window: [Row<NSWindow>] = [
    Row("title", hears: []) { screen, window in
      screen.observe(window, \.title) { screen, _, change in screen.hear(change.newValue) }
    },
    // NSWindow.h says of both that they are KVO compliant.
    Row("firstResponder", hears: []) { $0.observe($1, named: "firstResponder") },
    Row("contentLayoutRect", hears: []) { screen, window in
      screen.observe(window, \.contentLayoutRect.width) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let arrayController: [Row<NSArrayController>] = [
    Row("selection", hears: []) { $0.observe($1, named: "selection.name") },
    Row("selectionIndex", hears: []) { screen, controller in
      screen.observe(controller, \.selectionIndex) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("arrangedObjects", hears: []) { $0.observe($1, named: "arrangedObjects.@count") },
  ]
  #endif
}

#if canImport(ObjectiveC)
extension Everyday {
  final class Note: NSManagedObject {
    @NSManaged var title: String?
  }
}

extension UserDefaults {
  @objc dynamic fileprivate var everydaySize: Double {
    get { double(forKey: "everydaySize") }
    set { set(newValue, forKey: "everydaySize") }
  }
}
#endif
