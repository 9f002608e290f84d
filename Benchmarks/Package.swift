// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "KVOController", path: "..")],
  targets: [
    .target(name: "Probes"),
    .target(name: "OtherModule", dependencies: [.product(name: "KVOController", package: "KVOController")]),
    .executableTarget(
      name: "kvo-benchmarks",
      dependencies: ["OtherModule", "Probes", .product(name: "KVOController", package: "KVOController")],
      // A short loop takes twice the time if its end crosses a cache line. So where it is must not depend on the code
      // before it.
      swiftSettings: [
        .unsafeFlags(["-Xllvm", "-align-all-functions=6", "-Xllvm", "-align-all-nofallthru-blocks=6"])
      ],
      // Valgrind stops at the debugging information of Swift 6.3.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux]))]
    ),
  ]
)
