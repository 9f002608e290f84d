#if canImport(UIKit)
import KVOController
import UIKit

/// Puts the screens side by side in a tab bar. Use it as the scene delegate of a new app without a storyboard.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene else { return }
    let tabs = UITabBarController()
    tabs.viewControllers = screens.map { screen, title, image in
      let navigation = UINavigationController(rootViewController: screen)
      navigation.tabBarItem = UITabBarItem(title: title, image: UIImage(systemName: image), selectedImage: nil)
      return navigation
    }
    window = UIWindow(windowScene: scene)
    window?.rootViewController = tabs
    window?.makeKeyAndVisible()
  }

  private var screens: [(UIViewController, title: String, image: String)] {
    let playlist = Playlist("Road trip", songs: [Song("Blackbird", rating: 5), Song("Help!")])
    var screens: [(UIViewController, title: String, image: String)] = [
      (PlaylistViewController(playlist), "Playlist", "music.note.list")
    ]
    if let url = URL(string: "https://devstreaming-cdn.apple.com/videos/streaming/examples/bipbop_16x9/index.m3u8") {
      screens.append((PlayerViewController(url: url), "Player", "play.rectangle"))
      #if canImport(Observation)
      if #available(iOS 17.0, *) {
        screens.append((RecipeViewController(Recipe(name: "Lentil soup"), video: url), "Recipe", "fork.knife"))
      }
      #endif
    }
    if let url = URL(string: "https://www.swift.org") {
      screens.append((BrowserViewController(url: url), "Browser", "globe"))
    }
    return screens
  }
}
#endif
