import KVOController
import Testing
import _KVOTestSupport

/// A typed form that traps names the file and the line of the call, in release builds too.
@Suite struct CallSiteTests {
  // Exit tests that capture values need Swift 6.3.
  #if compiler(>=6.3)
  @Test(arguments: TypedForm.allCases) func messageNamesTheLineOfTheCall(of form: TypedForm) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
      form.observeConstant()
    }
    #expect(said("KVOControllerTests/CallSiteTests.swift:\(form.line)", "Cannot observe the key path", in: result))
  }
  #endif
}

/// The forms with typed key paths.
enum TypedForm: String, CaseIterable, Codable, Sendable {
  case handler, handlerWithObserver, handlerOnAnyThread, handlerWithObserverOnAnyThread, changes, values
  case observer, observerOnAnyThread, severalKeyPaths, severalKeyPathsOnAnyThread
  case binding, bindingToOptional, bindingOnAnyThread, bindingToOptionalOnAnyThread

  private static let firstLine = #line + 11
  /// Each call is on the next line but one, in the order of the cases.
  var line: Int { Self.firstLine + 2 * (Self.allCases.firstIndex(of: self) ?? 0) }

  /// Observes a property that can't be observed. Within an exit test, each line would be that of the macro.
  func observeConstant() {
    let (song, screen) = (Song(), CallSiteScreen())
    let controller = screen.kvoController
    // swift-format-ignore
    switch self {
    case .handler:
      controller.observe(song, \.constant) { _, _ in }
    case .handlerWithObserver:
      controller.observe(song, \.constant) { (_: CallSiteScreen, _, _) in }
    case .handlerOnAnyThread:
      controller.observe(song, \.constant, isolation: nil) { _, _ in }
    case .handlerWithObserverOnAnyThread:
      controller.observe(song, \.constant, isolation: nil) { (_: CallSiteScreen, _, _) in }
    case .changes:
      _ = controller.changes(of: song, \.constant)
    case .values:
      _ = controller.values(of: song, \.constant)
    case .observer:
      screen.observe(song, \.constant) { _, _, _ in }
    case .observerOnAnyThread:
      screen.observe(song, \.constant, isolation: nil) { _, _, _ in }
    case .severalKeyPaths:
      screen.observe(song, [\.title, \.constant]) { _, _ in }
    case .severalKeyPathsOnAnyThread:
      screen.observe(song, [\.title, \.constant], isolation: nil) { _, _ in }
    case .binding:
      screen.bind(song, \.constant, to: \.number)
    case .bindingToOptional:
      screen.bind(song, \.constant, to: \.optional)
    case .bindingOnAnyThread:
      screen.bind(song, \.constant, to: \.number, isolation: nil)
    case .bindingToOptionalOnAnyThread:
      screen.bind(song, \.constant, to: \.optional, isolation: nil)
    }
    withExtendedLifetime(screen) {}
  }
}

final class CallSiteScreen: KeyValueObject {
  var number = 0
  var optional: Int?
}

extension Song {
  fileprivate var constant: Int { 1 }
}
