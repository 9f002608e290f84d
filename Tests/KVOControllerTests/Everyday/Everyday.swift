import Foundation
import KVOController

#if canImport(AVFoundation)
import AVFoundation
import AVKit
import CoreData
import WebKit
#endif

/// The call sites that apps write first: each row of a table observes an object of one of Apple's classes in one way.
///
/// On Apple platforms the rows with a public setter are run (`EverydaySetterTests`), and the others are compiled only. On other
/// platforms the names are those of imitations, in which `EverydayTests` makes the change of every row, and compares what its handler
/// hears.
@MainActor enum Everyday {
  struct Row<Object: KeyValueObservable> {
    /// The key path of the object whose value changes, and the values that are set.
    let key: String
    let values: [any Sendable]
    /// The values that the handler hears of, in words, as an imitation stores them.
    let heard: [String]
    /// Whether another thread makes the changes.
    var isElsewhere = false
    /// Sets the values, where the class has a public setter.
    let set: (@MainActor (Object) -> Void)?
    let begin: @MainActor (Screen, Object) -> Void

    init(
      _ key: String, _ values: any Sendable..., hears heard: [String], elsewhere isElsewhere: Bool = false,
      set: (@MainActor (Object) -> Void)? = nil, _ begin: @escaping @MainActor (Screen, Object) -> Void
    ) {
      (self.key, self.values, self.heard, self.isElsewhere) = (key, values, heard, isElsewhere)
      (self.set, self.begin) = (set, begin)
    }
  }

  /// A value of a row that is an object, which is made when the row is run.
  struct Made: Sendable {
    let make: @MainActor @Sendable () -> AnyObject
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
    @Observed var download: WKDownload?
    #if !canImport(UIKit)
    @Observed var window: NSWindow?
    @ObservedWeak var shownWindow: NSWindow?
    #endif
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
    Row("muted", true, hears: ["true"], set: { $0.isMuted = true }) { screen, player in
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

  static let playerLayer: [Row<AVPlayerLayer>] = [
    Row("readyForDisplay", true, hears: ["true"]) { screen, layer in
      screen.observe(layer, \.isReadyForDisplay) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

  static let looper: [Row<AVPlayerLooper>] = [
    Row("loopCount", 2, hears: ["2"]) { screen, looper in
      screen.observe(looper, \.loopCount) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

  static let captureSession: [Row<AVCaptureSession>] = [
    Row("running", true, hears: ["true"], elsewhere: true) { screen, session in
      screen.observe(session, \.isRunning) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

  static let picture: [Row<AVPictureInPictureController>] = [
    Row("pictureInPicturePossible", true, hears: ["true"]) { screen, picture in
      screen.observe(picture, \.isPictureInPicturePossible) { screen, _, change in screen.hear(change.newValue) }
    }
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
    Row("canGoBack", true, hears: ["true"]) { screen, web in
      screen.observe(web, \.canGoBack) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("themeColor", NSNull(), hears: ["true"]) { screen, web in
      screen.observe(web, \.themeColor) { screen, _, change in screen.hear((change.newValue ?? nil) == nil) }
    },
  ]

  static let download: [Row<WKDownload>] = [
    Row("progress.fractionCompleted", 0.5, hears: ["0.5"]) { screen, download in
      screen.observe(download, \.progress.fractionCompleted) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("progress.fractionCompleted", 0.5, hears: ["0.5"], elsewhere: true) { screen, download in
      screen.model.download = download
      screen.observe(screen.model, \.download?.progress.fractionCompleted) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
  ]

  // MARK: Core Animation

  static let layer: [Row<CALayer>] = [
    Row("position", CGPoint(x: 2, y: 3), hears: ["2.0"], set: { $0.position = CGPoint(x: 2, y: 3) }) {
      $0.observe($1, named: "position.x")
    },
    Row("bounds", CGRect(x: 0, y: 0, width: 7, height: 1), hears: ["7.0"], set: { $0.bounds.size.width = 7 }) {
      $0.observe($1, named: "bounds.size.width")
    },
    Row("position", CGPoint(x: 2, y: 3), hears: ["3.0"], set: { $0.position.y = 3 }) { screen, layer in
      screen.observe(layer, \.position.y) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("opacity", 0.5 as Float, hears: ["0.5"], set: { $0.opacity = 0.5 }) { screen, layer in
      screen.observe(layer, \.opacity) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("bounds", CGRect(x: 0, y: 0, width: 7, height: 1), hears: ["7.0"], set: { $0.bounds.size.width = 7 }) {
      screen, layer in
      screen.model.layer = layer
      screen.observe(screen.model, \.layer?.bounds.width) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("position", CGPoint(x: 2, y: 3), hears: ["2.0"], set: { $0.position.x = 2 }) { screen, layer in
      screen.model.layer = layer
      screen.observe(screen.model, named: "layer.position.x")
    },
  ]

  // MARK: Foundation

  static let progress: [Row<Progress>] = [
    Row("fractionCompleted", 0.25, hears: ["0.25"], set: { $0.completedUnitCount = 1 }) {
      $0.observe($1, named: "fractionCompleted")
    },
    Row("fractionCompleted", 0.25, hears: ["0.25"], elsewhere: true, set: { $0.completedUnitCount = 1 }) {
      screen, progress in
      screen.observe(progress, \.fractionCompleted) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("fractionCompleted", 0.25, hears: ["0.25"], elsewhere: true, set: { $0.completedUnitCount = 1 }) {
      $0.bind($1, \.fractionCompleted, to: \.fraction) { Float($0) }
    },
    Row("cancelled", true, hears: ["true"], elsewhere: true, set: { $0.cancel() }) { screen, progress in
      screen.model.progress = progress
      screen.observe(screen.model, \.progress?.isCancelled) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let queue: [Row<OperationQueue>] = [
    Row("progress.fractionCompleted", 0.5, hears: ["0.5"], elsewhere: true) {
      $0.observe($1, named: "progress.fractionCompleted")
    },
    Row("progress.fractionCompleted", 0.5, hears: ["0.5"]) { screen, queue in
      screen.observe(queue, \.progress.fractionCompleted) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("progress.fractionCompleted", 0.5, hears: ["0.5"], elsewhere: true) { screen, queue in
      screen.model.queue = queue
      screen.observe(screen.model, \.queue?.progress.fractionCompleted) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
    Row("suspended", true, hears: ["true"], set: { $0.isSuspended = true }) { screen, queue in
      screen.observe(queue, \.isSuspended) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let operation: [Row<Operation>] = [
    Row("isCancelled", true, hears: ["true"], set: { $0.cancel() }) { screen, operation in
      screen.observe(operation, \.isCancelled) { screen, _, change in screen.hear(change.newValue) }
    },
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
    Row("everydayTheme", "dark", hears: ["dark"], set: { $0.set("dark", forKey: "everydayTheme") }) {
      $0.observe($1, named: "everydayTheme")
    },
    // The setter of the property notifies, and so does what it calls.
    Row("everydaySize", 12.0, hears: ["12.0"], elsewhere: true, set: { $0.everydaySize = 12 }) { screen, defaults in
      screen.observe(defaults, \.everydaySize, delivery: .distinct) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
    Row("everydaySize", 12.0, hears: ["12.0"], set: { $0.everydaySize = 12 }) { screen, defaults in
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

  static let query: [Row<NSMetadataQuery>] = [
    Row("results", [1, 2], hears: ["2"]) { screen, query in
      screen.observe(query, \.results) { screen, _, change in screen.hear(change.newValue?.count) }
    }
  ]

  // MARK: Core Data

  static let context: [Row<NSManagedObjectContext>] = [
    Row("hasChanges", true, hears: ["true"]) { screen, context in
      screen.observe(context, \.hasChanges) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

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
    Row("hidden", true, hears: ["true"], set: { $0.isHidden = true }) { screen, view in
      screen.model.view = view
      screen.observe(screen.model, \.view?.isHidden) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("alpha", 0.5 as CGFloat, hears: ["0.5"], set: { $0.alpha = 0.5 }) { screen, view in
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

  #if !canImport(UIKit)
  static let application: [Row<NSApplication>] = [
    Row("effectiveAppearance.name", "dark", hears: ["true"]) { screen, application in
      screen.observe(application, \.effectiveAppearance.name) { screen, _, change in
        screen.hear(change.newValue != nil)
      }
    },
    Row("effectiveAppearance", Made { NSAppearance() }, hears: ["changed"]) { screen, application in
      screen.observe(application, \.effectiveAppearance) { screen, _, _ in screen.hear("changed") }
    },
  ]

  static let window: [Row<NSWindow>] = [
    Row("title", "Home", hears: ["Home"], set: { $0.title = "Home" }) { screen, window in
      screen.observe(window, \.title) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("title", "Home", hears: ["Home"], set: { $0.title = "Home" }) { screen, window in
      screen.model.window = window
      screen.observe(screen.model, \.window?.title) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("title", "Home", hears: ["Home"], set: { $0.title = "Home" }) { screen, window in
      screen.model.shownWindow = window
      screen.observe(screen.model, \.shownWindow?.title) { screen, _, change in screen.hear(change.newValue) }
    },
    // NSWindow.h says of both that they are KVO compliant.
    Row("firstResponder", Made { NSResponder() }, hears: ["changed"]) { screen, window in
      screen.observe(window, \.firstResponder) { screen, _, _ in screen.hear("changed") }
    },
    Row("contentLayoutRect", CGRect(x: 0, y: 0, width: 7, height: 1), hears: ["7.0"]) { screen, window in
      screen.observe(window, \.contentLayoutRect.width) { screen, _, change in screen.hear(change.newValue) }
    },
  ]

  static let viewController: [Row<NSViewController>] = [
    Row("view.window.firstResponder", Made { NSResponder() }, hears: ["changed"]) { screen, controller in
      screen.observe(controller, \.view.window?.firstResponder) { screen, _, _ in screen.hear("changed") }
    },
    Row("view.effectiveAppearance", Made { NSAppearance() }, hears: ["changed"]) { screen, controller in
      screen.observe(controller, \.view.effectiveAppearance) { screen, _, _ in screen.hear("changed") }
    },
  ]

  static let splitItem: [Row<NSSplitViewItem>] = [
    Row("collapsed", true, hears: ["true"], set: { $0.isCollapsed = true }) { screen, item in
      screen.observe(item, \.isCollapsed) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

  static let document: [Row<NSDocument>] = [
    Row("documentEdited", true, hears: ["true"]) { screen, document in
      screen.observe(document, \.isDocumentEdited) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

  static let workspace: [Row<NSWorkspace>] = [
    Row("frontmostApplication", Made { NSRunningApplication() }, hears: ["changed"]) { screen, workspace in
      screen.observe(workspace, \.frontmostApplication) { screen, _, _ in screen.hear("changed") }
    },
    Row("frontmostApplication", NSNull(), hears: ["nil"]) { screen, workspace in
      screen.observe(workspace, \.frontmostApplication?.localizedName) { screen, _, change in
        screen.hear(change.newValue)
      }
    },
    Row("runningApplications", [1, 2], hears: ["2"]) { screen, workspace in
      screen.observe(workspace, \.runningApplications) { screen, workspace, _ in
        screen.hear(workspace.runningApplications.count)
      }
    },
  ]

  static let runningApplication: [Row<NSRunningApplication>] = [
    Row("terminated", true, hears: ["true"]) { screen, application in
      screen.observe(application, \.isTerminated) { screen, _, change in screen.hear(change.newValue) }
    }
  ]

  // These controllers notify without values.
  static let arrayController: [Row<NSArrayController>] = [
    Row("selection.name", "a", hears: ["a"]) { $0.observe($1, named: "selection.name") },
    Row("selectionIndex", 1, hears: ["1"], set: { $0.setSelectionIndex(1) }) { screen, controller in
      screen.observe(controller, \.selectionIndex) { screen, _, change in screen.hear(change.newValue) }
    },
    Row("arrangedObjects", [1, 2, 3], hears: ["3"]) { $0.observe($1, named: "arrangedObjects.@count") },
  ]

  static let treeController: [Row<NSTreeController>] = [
    Row("selectedNodes", [1], hears: ["1"]) { screen, controller in
      screen.observe(controller, \.selectedNodes) { screen, controller, _ in
        screen.hear(controller.selectedNodes.count)
      }
    }
  ]

  static let defaultsController: [Row<NSUserDefaultsController>] = [
    Row("values.fontSize", 12.0, hears: ["12.0"]) { $0.observe($1, named: "values.fontSize") }
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
