// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "KVOController",
  platforms: [.iOS(.v13), .macOS(.v10_15), .tvOS(.v13), .watchOS(.v6)],
  products: [
    .library(name: "KVOController", targets: ["KVOController"]),
    .library(name: "KeyValueObserving", targets: ["KeyValueObserving"]),
  ],
  targets: [
    .systemLibrary(name: "CSwiftRuntime"),
    .target(name: "KeyValueObserving", dependencies: ["CSwiftRuntime"]),
    .target(
      name: "KVOController",
      dependencies: ["KeyValueObserving"],
      swiftSettings: [.enableExperimentalFeature("BuiltinModule")]
    ),
    .executableTarget(name: "Clock", dependencies: ["KVOController"], path: "Examples/Clock"),
    .testTarget(name: "KeyValueObservingTests", dependencies: ["KeyValueObserving"]),
    .testTarget(name: "KVOControllerTests", dependencies: ["KVOController"]),
  ]
)
