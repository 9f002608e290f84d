// swift-tools-version: 6.2

import PackageDescription

// The fuzz target, a separate package, so that users never build it. Build it with
//
//     swift build --package-path Tests/Fuzz -Xswiftc -sanitize=fuzzer -Xswiftc -parse-as-library
let package = Package(
  name: "Fuzz",
  platforms: [.iOS("13.4"), .macOS("10.15.4"), .tvOS("13.4"), .watchOS("6.2")],
  dependencies: [.package(name: "KVOController", path: "../..")],
  targets: [
    // A link to the folder of the tests, since a package can use only the products of another.
    .target(
      name: "_RandomPrograms", dependencies: [.product(name: "KVOController", package: "KVOController")],
      swiftSettings: [.define("KVO_FUZZ")]),
    .executableTarget(
      name: "Fuzz", dependencies: ["_RandomPrograms"],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
  ]
)
