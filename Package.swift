// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "KVOController",
  platforms: [
    .iOS("13.4"), .macCatalyst("13.4"), .macOS("10.15.4"), .tvOS("13.4"), .watchOS("6.2"), .visionOS(.v1),
  ],
  products: [
    // It lists KeyValueObserving too, so that those who depend on it can import that.
    .library(name: "KVOController", targets: ["KVOController", "KeyValueObserving", "FBKVOController"]),
    .library(name: "KeyValueObserving", targets: ["KeyValueObserving"]),
  ],
  targets: [
    .target(name: "KVOController", dependencies: ["CKeyValueObserving"]),
    // The same module under another name.
    .target(name: "KeyValueObserving", dependencies: ["KVOController"]),
    // Atomic operations, a lock, and functions of Swift's runtime.
    .target(name: "CKeyValueObserving"),
    // Headers for Objective-C, under the names of FBKVOController's. On other platforms than Apple's they are empty.
    .target(name: "FBKVOController", dependencies: ["KVOController"]),
    .executableTarget(name: "Clock", dependencies: ["KVOController"], path: "Examples/Clock"),
    .executableTarget(name: "Download", dependencies: ["KVOController"], path: "Examples/Download"),
    // Isolated like new projects of Xcode. Its models and observers say that they are not on the main actor.
    .executableTarget(
      name: "Meeting", dependencies: ["KVOController"], path: "Examples/Meeting",
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(name: "PhotoImport", dependencies: ["KVOController"], path: "Examples/PhotoImport"),
    .target(name: "PortableModels", dependencies: ["KVOController"], path: "Examples/PortableModels/Models"),
    .testTarget(
      name: "PortableModelsTests", dependencies: ["PortableModels"], path: "Examples/PortableModels/Tests"),
    // Support for tests. Users never build it, because no product contains it.
    .target(name: "_KVOTestSupport", dependencies: ["KVOController"], path: "Tests/_KVOTestSupport"),
    .target(name: "_RandomPrograms", dependencies: ["KVOController"], path: "Tests/_RandomPrograms"),
    .testTarget(
      name: "KVOControllerTests", dependencies: ["KeyValueObserving", "_KVOTestSupport", "_RandomPrograms"]),
  ]
)

#if os(macOS)
// FBKVOController's interface for Objective-C, with XCTest.
package.targets.append(
  .testTarget(name: "FBKVOControllerTests", dependencies: ["FBKVOController", "KVOController"]))
#endif
