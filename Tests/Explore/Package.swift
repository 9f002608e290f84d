// swift-tools-version: 6.2

import PackageDescription

// The explorer, a separate package, so that users never build it. It compiles the sources of the library itself, through
// links to their folders, because the C functions have points for the scheduler in this build only.
let package = Package(
  name: "Explore",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "Scheduler"),
    .target(
      name: "CKeyValueObserving", dependencies: ["Scheduler"],
      cSettings: [.define("KVO_EXPLORE"), .define("KVO_CHECK_LOCKS")]),
    .target(
      name: "KVOController", dependencies: ["CKeyValueObserving"], swiftSettings: [.unsafeFlags(explored)]),
    // Threads share objects, and run one at a time, which the compiler can't know.
    .executableTarget(
      name: "explore", dependencies: ["KVOController", "Scheduler"],
      swiftSettings: [.unsafeFlags(explored), .swiftLanguageMode(.v5)]),
  ]
)

var explored: [String] { ["-Xcc", "-DKVO_EXPLORE", "-Xcc", "-DKVO_CHECK_LOCKS"] }
