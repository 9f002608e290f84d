#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport

// Imitations of Apple's classes: which properties the runtime lists for each, which are only methods, and which methods of NSObject
// it overrides. All of that is taken from the headers that were dumped from iOS 13.4.1, in Frameworks, and PrivateFrameworks for
// UIKitCore, of https://github.com/eziochiu/iOS13.4.1-Runtime-Headers; that of AVAudioSession from a dump of iOS 15.6. Those of AppKit
// are in DesktopImitations.
// Headers don't say what `automaticallyNotifiesObserversForKey:` answers. A class that has one, or `…ObserversOf<Key>`, notifies by
// hand here, for which the engine has to do more.

extension ForeignNode {
  func stored<Value>(_ key: String, else none: Value) -> Value { self[key] as? Value ?? none }

  /// Sets a value as the class itself does: by hand, if it notifies so.
  func change(_ key: String, to value: Any) {
    guard !type(of: self).automaticallyNotifiesObservers(forKey: key) else { return self[key] = value }
    beginChange(of: key)
    self[key] = value
    endChange(of: key)
  }
}

extension Everyday {
  struct CMTime {
    var seconds: Double
    init(seconds: Double, preferredTimescale: Int32) { self.seconds = seconds }
  }

  // MARK: AVFoundation

  class AVPlayer: ForeignNode, @unchecked Sendable {
    enum TimeControlStatus: Int { case paused, waitingToPlayAtSpecifiedRate, playing }

    var rate: Float { stored("rate", else: 0) }
    var timeControlStatus: TimeControlStatus {
      TimeControlStatus(rawValue: stored("timeControlStatus", else: 0)) ?? .paused
    }
    var currentItem: AVPlayerItem? { self["currentItem"] as? AVPlayerItem }
    var isMuted: Bool {
      get { stored("muted", else: false) }
      set { change("muted", to: newValue) }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["status": nil, "error": nil], methods: ["rate", "timeControlStatus", "currentItem", "isMuted"],
      getters: [
        "rate": \AVPlayer.rate, "timeControlStatus": \AVPlayer.timeControlStatus, "currentItem": \AVPlayer.currentItem,
        "isMuted": \AVPlayer.isMuted,
      ])
    override class var overriddenMethods: Set<String> { ["addObserver:forKeyPath:options:context:"] }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
      !["rate", "currentItem"].contains(key)
    }
  }

  class AVPlayerItem: ForeignNode, @unchecked Sendable {
    enum Status: Int { case unknown, readyToPlay, failed }

    var status: Status { Status(rawValue: stored("status", else: 0)) ?? .unknown }
    var duration: CMTime { stored("duration", else: CMTime(seconds: 0, preferredTimescale: 1)) }
    var presentationSize: CGSize { stored("presentationSize", else: .zero) }
    // Numbers stand for the ranges.
    var loadedTimeRanges: [Double] { stored("loadedTimeRanges", else: []) }
    var isPlaybackLikelyToKeepUp: Bool { stored("playbackLikelyToKeepUp", else: false) }
    var isPlaybackBufferEmpty: Bool { stored("playbackBufferEmpty", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["status": nil, "error": nil],
      methods: [
        "duration", "presentationSize", "loadedTimeRanges", "isPlaybackLikelyToKeepUp", "isPlaybackBufferEmpty",
      ],
      getters: [
        "status": \AVPlayerItem.status, "duration": \AVPlayerItem.duration,
        "presentationSize": \AVPlayerItem.presentationSize, "loadedTimeRanges": \AVPlayerItem.loadedTimeRanges,
        "isPlaybackLikelyToKeepUp": \AVPlayerItem.isPlaybackLikelyToKeepUp,
        "isPlaybackBufferEmpty": \AVPlayerItem.isPlaybackBufferEmpty,
      ])
    override class var overriddenMethods: Set<String> { ["addObserver:forKeyPath:options:context:"] }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
      ![
        "status", "loadedTimeRanges", "presentationSize", "playbackLikelyToKeepUp", "playbackBufferEmpty",
      ].contains(key)
    }
  }

  /// As AVCaptureFigVideoDevice, the class of the objects.
  class AVCaptureDevice: ForeignNode, @unchecked Sendable {
    var isAdjustingFocus: Bool { stored("adjustingFocus", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      methods: ["isAdjustingFocus"], getters: ["isAdjustingFocus": \AVCaptureDevice.isAdjustingFocus])
    override class var overriddenMethods: Set<String> {
      [
        "addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:", "removeObserver:forKeyPath:context:",
      ]
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  class AVPlayerLayer: CALayer, @unchecked Sendable {
    var isReadyForDisplay: Bool { stored("readyForDisplay", else: false) }

    override class var runtime: ImitatedClass? { player }
    private static let player = ImitatedClass(
      properties: ["readyForDisplay": "isReadyForDisplay"],
      getters: ["isReadyForDisplay": \AVPlayerLayer.isReadyForDisplay], inheritsFrom: CALayer.imitated)
  }

  class AVPlayerLooper: ForeignNode, @unchecked Sendable {
    var loopCount: Int { stored("loopCount", else: 0) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["loopCount": nil, "status": nil], getters: ["loopCount": \AVPlayerLooper.loopCount])
  }

  class AVCaptureSession: ForeignNode, @unchecked Sendable {
    var isRunning: Bool { stored("running", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["running": "isRunning"], getters: ["isRunning": \AVCaptureSession.isRunning])
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "running" }
  }

  class AVPictureInPictureController: ForeignNode, @unchecked Sendable {
    var isPictureInPicturePossible: Bool { stored("pictureInPicturePossible", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["pictureInPicturePossible": "isPictureInPicturePossible"],
      getters: ["isPictureInPicturePossible": \AVPictureInPictureController.isPictureInPicturePossible])
  }

  class AVAudioSession: ForeignNode, @unchecked Sendable {
    var outputVolume: Float { stored("outputVolume", else: 0) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      methods: ["outputVolume"], getters: ["outputVolume": \AVAudioSession.outputVolume])
    override class var overriddenMethods: Set<String> { ["retain", "release"] }
  }

  // MARK: UIKit, WebKit, and Core Animation

  class UIView: ForeignNode, @unchecked Sendable {
    var frame: CGRect { stored("frame", else: .zero) }
    var bounds: CGRect { stored("bounds", else: .zero) }
    var center: CGPoint { stored("center", else: .zero) }
    var layer: CALayer { stored("layer", else: CALayer()) }
    var alpha: CGFloat {
      get { stored("alpha", else: 1) }
      set { change("alpha", to: newValue) }
    }
    var isHidden: Bool {
      get { stored("hidden", else: false) }
      set { change("hidden", to: newValue) }
    }

    override class var runtime: ImitatedClass? { imitated }
    fileprivate static let imitated = ImitatedClass(
      properties: ["frame": nil, "bounds": nil, "center": nil, "layer": nil], methods: ["alpha", "isHidden"],
      getters: [
        "frame": \UIView.frame, "bounds": \UIView.bounds, "center": \UIView.center, "layer": \UIView.layer,
        "alpha": \UIView.alpha, "isHidden": \UIView.isHidden,
      ])
    override class var overriddenMethods: Set<String> { ["retain", "release"] }
  }

  class UIScrollView: UIView, @unchecked Sendable {
    var contentOffset: CGPoint { stored("contentOffset", else: .zero) }
    var contentSize: CGSize { stored("contentSize", else: .zero) }

    override class var runtime: ImitatedClass? { scroll }
    private static let scroll = ImitatedClass(
      properties: ["contentOffset": nil, "contentSize": nil],
      getters: ["contentOffset": \UIScrollView.contentOffset, "contentSize": \UIScrollView.contentSize],
      inheritsFrom: UIView.imitated)
  }

  class WKWebView: UIView, @unchecked Sendable {
    var estimatedProgress: Double { stored("estimatedProgress", else: 0) }
    var title: String? { self["title"] as? String }
    var isLoading: Bool { stored("loading", else: false) }
    var url: URL? { self["URL"] as? URL }
    var canGoBack: Bool { stored("canGoBack", else: false) }
    // A text stands for the color.
    var themeColor: String? { self["themeColor"] as? String }

    override class var runtime: ImitatedClass? { web }
    private static let web = ImitatedClass(
      properties: [
        "estimatedProgress": nil, "title": nil, "loading": "isLoading", "URL": nil, "canGoBack": nil, "themeColor": nil,
      ],
      getters: [
        "estimatedProgress": \WKWebView.estimatedProgress, "title": \WKWebView.title,
        "isLoading": \WKWebView.isLoading, "URL": \WKWebView.url, "canGoBack": \WKWebView.canGoBack,
        "themeColor": \WKWebView.themeColor,
      ], inheritsFrom: UIView.imitated)
    override class var classNames: [String] { ["WKWebView"] }
    // As from macOS 15.4 on.
    override class var overriddenMethods: Set<String> {
      super.overriddenMethods.union(["addObserver:forKeyPath:options:context:"])
    }
  }

  class WKDownload: ForeignNode, @unchecked Sendable {
    var progress: Progress { stored("progress", else: Progress()) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["progress": nil], getters: ["progress": \WKDownload.progress])
  }

  class CALayer: ForeignNode, @unchecked Sendable {
    var position: CGPoint {
      get { stored("position", else: .zero) }
      set { change("position", to: newValue) }
    }
    var bounds: CGRect {
      get { stored("bounds", else: .zero) }
      set { change("bounds", to: newValue) }
    }
    var opacity: Float {
      get { stored("opacity", else: 1) }
      set { change("opacity", to: newValue) }
    }

    override func value(forKeyPath keyPath: String) -> Any? {
      switch keyPath {
      case "position.x": position.x
      case "bounds.size.width": bounds.width
      default: super.value(forKeyPath: keyPath)
      }
    }

    override class var runtime: ImitatedClass? { imitated }
    fileprivate static let imitated = ImitatedClass(
      properties: ["position": nil, "bounds": nil, "opacity": nil],
      getters: ["position": \CALayer.position, "bounds": \CALayer.bounds, "opacity": \CALayer.opacity])
    override class var overriddenMethods: Set<String> {
      ["valueForKeyPath:", "observationInfo", "retain", "release", "allowsWeakReference", "retainWeakReference"]
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  // MARK: Foundation and Core Data

  class Progress: ForeignNode, @unchecked Sendable {
    var fractionCompleted: Double { stored("fractionCompleted", else: 0) }
    var isCancelled: Bool { stored("cancelled", else: false) }
    var completedUnitCount: Int64 = 0 { didSet { change("fractionCompleted", to: Double(completedUnitCount) / 4) } }
    func cancel() { change("cancelled", to: true) }

    convenience init(totalUnitCount: Int64) { self.init() }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["fractionCompleted": nil, "cancelled": "isCancelled"],
      getters: ["fractionCompleted": \Progress.fractionCompleted, "isCancelled": \Progress.isCancelled])
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  class OperationQueue: ForeignNode, @unchecked Sendable {
    var progress: Progress { stored("progress", else: Progress()) }
    var isSuspended: Bool {
      get { stored("suspended", else: false) }
      set { change("suspended", to: newValue) }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["suspended": "isSuspended", "progress": nil],
      getters: ["progress": \OperationQueue.progress, "isSuspended": \OperationQueue.isSuspended])
    override class var overriddenMethods: Set<String> {
      ["addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:"]
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  /// It notifies of `isFinished`, on which `finished` depends, and the other way around.
  class Operation: ForeignNode, @unchecked Sendable {
    var isFinished: Bool { stored("isFinished", else: false) }
    var isExecuting: Bool { stored("isExecuting", else: false) }
    var isCancelled: Bool { stored("isCancelled", else: false) }
    func cancel() { change("isCancelled", to: true) }

    override func value(forKey key: String) -> Any? {
      switch key {
      case "finished": isFinished
      case "executing": isExecuting
      case "cancelled": isCancelled
      default: super.value(forKey: key)
      }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["finished": "isFinished", "executing": "isExecuting", "cancelled": "isCancelled"],
      getters: [
        "isFinished": \Operation.isFinished, "isExecuting": \Operation.isExecuting,
        "isCancelled": \Operation.isCancelled,
      ])
    override class var overriddenMethods: Set<String> {
      ["addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:", "observationInfo"]
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "finished": ["isFinished"]
      case "isFinished": ["finished"]
      case "executing": ["isExecuting"]
      case "isExecuting": ["executing"]
      case "cancelled": ["isCancelled"]
      case "isCancelled": ["cancelled"]
      default: []
      }
    }
  }

  /// Its class overrides nothing that matters here; `everydaySize` is a property of an extension in Swift.
  class UserDefaults: ForeignNode, @unchecked Sendable {
    var everydaySize: Double {
      get { stored("everydaySize", else: 0) }
      set { change("everydaySize", to: newValue) }
    }
    func set(_ value: Any, forKey key: String) { change(key, to: value) }

    override var hasKeysWithDots: Bool { true }
    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["everydaySize": nil], getters: ["everydaySize": \UserDefaults.everydaySize])
  }

  class NSMetadataQuery: ForeignNode, @unchecked Sendable {
    var results: [Int] { stored("results", else: []) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["results": nil], getters: ["results": \NSMetadataQuery.results])
    override class var overriddenMethods: Set<String> { ["removeObserver:forKeyPath:"] }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  class NSManagedObjectContext: ForeignNode, @unchecked Sendable {
    var hasChanges: Bool { stored("hasChanges", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["hasChanges": nil], getters: ["hasChanges": \NSManagedObjectContext.hasChanges])
  }

  class URLSessionTask: ForeignNode, @unchecked Sendable {
    enum State: Int { case running, suspended, canceling, completed }

    var state: State { State(rawValue: stored("state", else: 0)) ?? .running }
    var countOfBytesReceived: Int64 { stored("countOfBytesReceived", else: 0) }
    var progress: Progress { stored("progress", else: Progress()) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["state": nil, "countOfBytesReceived": nil, "progress": nil],
      getters: [
        "state": \URLSessionTask.state, "countOfBytesReceived": \URLSessionTask.countOfBytesReceived,
        "progress": \URLSessionTask.progress,
      ])
  }

  /// A subclass of NSManagedObject; its own property is dynamic.
  class Note: ForeignNode, @unchecked Sendable {
    var title: String? { self["title"] as? String }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["title": nil], getters: ["title": \Note.title])
    override class var overriddenMethods: Set<String> { ["observationInfo", "retain", "release", "valueForKey:"] }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }
}
#endif
