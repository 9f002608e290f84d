// Blocks as FBKVOController 1.1 and 1.2 declared them for Swift, before NSKeyValueChangeKey: keys are strings.

import KVOController
import UIKit
import WebKit

class BrowserViewController: UIViewController {
  let webView = WKWebView()
  let progressView = UIProgressView()
  // Its users named it like this.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  let KVOController = FBKVOController(observer: nil)

  func observe() {
    kvoController.observe(webView, keyPath: "estimatedProgress", options: [.new]) {
      [weak self] (observer: Any?, object: Any, change: [String: Any]) in
      self?.progressView.progress = change[NSKeyValueChangeKey.newKey.rawValue] as? Float ?? 0
    }
    kvoController.observe(webView, keyPath: "title", options: .new) { (_, _, change: [String: Any]) -> Void in
      self.title = change["new"] as? String
    }
    kvoController.observe(webView, keyPaths: ["loading", "canGoBack"], options: [.initial, .new]) {
      (observer: Any?, object: Any, change: [String: Any]) -> Void in
      print(change[FBKVONotificationKeyPathKey] as? String ?? "", change["new"] as? Bool ?? false)
    }
    kvoController.observe(webView, keyPath: "URL", options: .new) { _, _, change in
      print(change[NSKeyValueChangeKey.newKey.rawValue] as? URL ?? "none")
    }
    kvoController.observe(webView, keyPath: "canGoForward", options: .new) { _, _, change in
      print(change["new"] as? Bool ?? false)
    }
    kvoController.observe(webView, keyPath: "hasOnlySecureContent", options: .new, block: handle)
  }

  func handle(_ observer: Any?, _ object: Any, _ change: [String: Any]) {}
}
