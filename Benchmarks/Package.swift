// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "KVOController", path: "..")],
  targets: [
    .target(name: "Probes"),
    .executableTarget(
      name: "kvo-benchmarks",
      dependencies: ["Probes", .product(name: "KVOController", package: "KVOController")],
      // Valgrind stops at the debugging information of Swift 6.3.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux]))]
    ),
  ]
)
