#if canImport(UIKit)
import KVOController
import UIKit
import WebKit

/// Shows a web page, with its title, a progress bar, and buttons to go back and forward.
///
/// The web view reports all of that by Key-Value Observing, and by nothing else.
final class BrowserViewController: UIViewController {
  private let url: URL
  private let webView = WKWebView()
  private let progressView = UIProgressView(progressViewStyle: .bar)
  private let backButton = UIBarButtonItem(
    image: UIImage(systemName: "chevron.left"), style: .plain, target: nil, action: nil)
  private let forwardButton = UIBarButtonItem(
    image: UIImage(systemName: "chevron.right"), style: .plain, target: nil, action: nil)

  init(url: URL) {
    self.url = url
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("This view controller isn't in a storyboard.")
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    layOut()

    observe(webView, \.estimatedProgress) { screen, webView, _ in
      screen.progressView.setProgress(Float(webView.estimatedProgress), animated: true)
    }
    observe(webView, \.isLoading, options: [.initial, .new]) { screen, webView, _ in
      screen.progressView.isHidden = !webView.isLoading
    }
    observe(webView, \.title) { screen, webView, _ in
      screen.navigationItem.title = webView.title
    }
    observe(webView, \.canGoBack, options: [.initial, .new]) { screen, webView, _ in
      screen.backButton.isEnabled = webView.canGoBack
    }
    observe(webView, \.canGoForward, options: [.initial, .new]) { screen, webView, _ in
      screen.forwardButton.isEnabled = webView.canGoForward
    }
    webView.load(URLRequest(url: url))
  }

  private func layOut() {
    view.backgroundColor = .systemBackground
    backButton.target = webView
    backButton.action = #selector(WKWebView.goBack as (WKWebView) -> () -> WKNavigation?)
    backButton.accessibilityLabel = "Back"
    forwardButton.target = webView
    forwardButton.action = #selector(WKWebView.goForward as (WKWebView) -> () -> WKNavigation?)
    forwardButton.accessibilityLabel = "Forward"
    navigationItem.leftBarButtonItems = [backButton, forwardButton]

    for subview in [webView, progressView] {
      subview.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(subview)
    }
    NSLayoutConstraint.activate([
      webView.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
      webView.bottomAnchor.constraint(equalTo: view.bottomAnchor),
      webView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
      webView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      progressView.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
      progressView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
      progressView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
    ])
  }
}
#endif
