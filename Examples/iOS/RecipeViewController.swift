#if canImport(UIKit) && canImport(SwiftUI) && canImport(Observation)
import AVFoundation
import KVOController
import Observation
import SwiftUI
import UIKit

/// A model that a UIKit screen observes, and that SwiftUI views track.
final class Recipe: KeyValueObject {
  @Observed var name: String
  @Observed var servings = 2

  var summary: String { "\(name) for \(servings)" }

  init(name: String) {
    self.name = name
  }
}

// On older systems the model is the same, without SwiftUI's updates.
@available(iOS 17.0, *)
extension Recipe: Observable {}

/// A UIKit screen with a SwiftUI view in it. Both show and change one recipe, and stay in step.
@available(iOS 17.0, *)
final class RecipeViewController: UIViewController {
  private let recipe: Recipe
  private let player: AVPlayer
  private let nameField = UITextField()
  private let stepper = UIStepper()

  init(_ recipe: Recipe, video: URL) {
    self.recipe = recipe
    player = AVPlayer(url: video)
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("This view controller isn't in a storyboard.")
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    layOut()
    nameField.addTarget(self, action: #selector(nameDidChange), for: .editingChanged)
    stepper.addTarget(self, action: #selector(servingsDidChange), for: .valueChanged)

    observe(recipe, \.name, options: [.initial, .new]) { screen, recipe, _ in
      screen.title = recipe.name
      if !screen.nameField.isEditing { screen.nameField.text = recipe.name }
    }
    observe(recipe, \.servings, options: [.initial, .new]) { screen, recipe, _ in
      screen.stepper.value = Double(recipe.servings)
    }
  }

  @objc private func nameDidChange() {
    recipe.name = nameField.text ?? ""
  }

  @objc private func servingsDidChange() {
    recipe.servings = Int(stepper.value)
  }

  private func layOut() {
    view.backgroundColor = .systemBackground
    nameField.borderStyle = .roundedRect
    nameField.font = .preferredFont(forTextStyle: .body)
    nameField.adjustsFontForContentSizeCategory = true
    nameField.accessibilityLabel = "Name"
    stepper.minimumValue = 1
    stepper.accessibilityLabel = "Servings"

    let host = UIHostingController(rootView: RecipeView(recipe: recipe, player: KVOObservable(player)))
    addChild(host)
    let stack = UIStackView(arrangedSubviews: [nameField, stepper, host.view])
    stack.axis = .vertical
    stack.spacing = 16
    stack.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(stack)
    NSLayoutConstraint.activate([
      stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 16),
      stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
      stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
    ])
    host.didMove(toParent: self)
  }
}

/// Shows the recipe, and the state of a player, whose class doesn't take part in Observation.
@available(iOS 17.0, *)
struct RecipeView: View {
  let recipe: Recipe
  let player: KVOObservable<AVPlayer>

  var body: some View {
    VStack(spacing: 16) {
      // Reads the name and the servings, and is updated when one of them changes.
      Text(recipe.summary)
      Button("One more") { recipe.servings += 1 }
      Button(player.timeControlStatus == .paused ? "Play" : "Pause") {
        if player.timeControlStatus == .paused { player.object.play() } else { player.object.pause() }
      }
    }
  }
}
#endif
