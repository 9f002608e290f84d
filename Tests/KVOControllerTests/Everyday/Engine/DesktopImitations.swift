#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport

// Imitations of classes of AppKit and MetalKit, with what the headers have that were dumped from macOS 12.1 to 26.4, in
// https://github.com/rrk567301/Runtime-Headers. As in Imitations, what has a method that may say so notifies by hand.

extension Everyday {
  class NSAppearance: ForeignNode, @unchecked Sendable {
    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(properties: ["name": nil], getters: ["name": \NSAppearance.name])
  }

  class NSResponder: ForeignNode, @unchecked Sendable {}

  class NSApplication: NSResponder, @unchecked Sendable {
    var effectiveAppearance: NSAppearance { stored("effectiveAppearance", else: NSAppearance()) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["effectiveAppearance": nil], getters: ["effectiveAppearance": \NSApplication.effectiveAppearance])
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  class NSView: NSResponder, @unchecked Sendable {
    var window: NSWindow? { self["window"] as? NSWindow }
    var effectiveAppearance: NSAppearance { stored("effectiveAppearance", else: NSAppearance()) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["window": nil, "effectiveAppearance": nil],
      getters: ["window": \NSView.window, "effectiveAppearance": \NSView.effectiveAppearance])
  }

  class NSViewController: NSResponder, @unchecked Sendable {
    var view: NSView {
      get { stored("view", else: NSView()) }
      set { change("view", to: newValue) }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(properties: ["view": nil], getters: ["view": \NSViewController.view])
  }

  /// Its own methods that register and remove observers call Foundation's.
  class NSWindow: NSResponder, @unchecked Sendable {
    var title: String {
      get { stored("title", else: "") }
      set { change("title", to: newValue) }
    }
    var firstResponder: NSResponder? { self["firstResponder"] as? NSResponder }
    var contentLayoutRect: CGRect { stored("contentLayoutRect", else: .zero) }
    var contentView: NSView? {
      get { self["contentView"] as? NSView }
      set { change("contentView", to: newValue ?? NSNull()) }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["title": nil, "firstResponder": nil, "contentLayoutRect": nil, "contentView": nil],
      getters: [
        "title": \NSWindow.title, "firstResponder": \NSWindow.firstResponder,
        "contentLayoutRect": \NSWindow.contentLayoutRect, "contentView": \NSWindow.contentView,
      ])
    override class var classNames: [String] { ["NSWindow", "NSResponder", "NSObject"] }
    override class var overriddenMethods: Set<String> {
      ["addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:context:"]
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
      !["firstResponder", "contentLayoutRect"].contains(key)
    }
  }

  class MTKView: NSView, @unchecked Sendable {
    override class var classNames: [String] { ["MTKView", "NSView", "NSResponder", "NSObject"] }
    override class var overriddenMethods: Set<String> { ["addObserver:forKeyPath:options:context:"] }
  }

  class NSWorkspace: ForeignNode, @unchecked Sendable {
    var frontmostApplication: NSRunningApplication? { self["frontmostApplication"] as? NSRunningApplication }
    var runningApplications: [Int] { stored("runningApplications", else: []) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["frontmostApplication": nil], methods: ["runningApplications"],
      getters: [
        "frontmostApplication": \NSWorkspace.frontmostApplication,
        "runningApplications": \NSWorkspace.runningApplications,
      ])
    override class var classNames: [String] { ["NSWorkspace", "NSObject"] }
    override class var overriddenMethods: Set<String> {
      ["addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:"]
    }
  }

  class NSRunningApplication: ForeignNode, @unchecked Sendable {
    var localizedName: String? { self["localizedName"] as? String }
    var isTerminated: Bool { stored("terminated", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["localizedName": nil, "terminated": "isTerminated"],
      getters: [
        "localizedName": \NSRunningApplication.localizedName, "isTerminated": \NSRunningApplication.isTerminated,
      ])
    override class var classNames: [String] { ["NSRunningApplication", "NSObject"] }
    override class var overriddenMethods: Set<String> {
      ["addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:", "observationInfo"]
    }
  }

  class NSSplitViewItem: ForeignNode, @unchecked Sendable {
    var isCollapsed: Bool {
      get { stored("collapsed", else: false) }
      set { change("collapsed", to: newValue) }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["collapsed": "isCollapsed"], getters: ["isCollapsed": \NSSplitViewItem.isCollapsed])
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "collapsed" }
  }

  class NSDocument: ForeignNode, @unchecked Sendable {
    var isDocumentEdited: Bool { stored("documentEdited", else: false) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["documentEdited": "isDocumentEdited"], getters: ["isDocumentEdited": \NSDocument.isDocumentEdited])
  }

  // MARK: Controllers

  /// It notifies without values.
  class NSController: ForeignNode, @unchecked Sendable {
    override var omitsValues: Bool { true }
    override class var overriddenMethods: Set<String> {
      ["addObserver:forKeyPath:options:context:", "removeObserver:forKeyPath:"]
    }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
      context: UnsafeMutableRawPointer?
    ) {
      super.addObserver(observer, forKeyPath: keyPath, options: [], context: context)
    }
  }

  class NSArrayController: NSController, @unchecked Sendable {
    var selectionIndex: Int { stored("selectionIndex", else: -1) }
    func setSelectionIndex(_ index: Int) { change("selectionIndex", to: index) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["selectionIndex": nil], getters: ["selectionIndex": \NSArrayController.selectionIndex])
  }

  class NSTreeController: NSController, @unchecked Sendable {
    var selectedNodes: [Int] { stored("selectedNodes", else: []) }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(
      properties: ["selectedNodes": nil], getters: ["selectedNodes": \NSTreeController.selectedNodes])
    override class var overriddenMethods: Set<String> {
      super.overriddenMethods.union(["removeObserver:forKeyPath:context:"])
    }
  }

  class NSUserDefaultsController: NSController, @unchecked Sendable {}
}
#endif
