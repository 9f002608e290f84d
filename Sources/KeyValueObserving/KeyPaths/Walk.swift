#if !canImport(ObjectiveC)
/// Finds the stops of a route: every key of every object whose change concerns the value at the end of a key path.
///
/// The observance is tied to each stop before its value is read. So whoever replaces that value on another thread
/// either did so before it was read, or finds the observance there and has it walk again.
struct Walk {
  /// The stops, each once, in their order.
  private(set) var stops: [Route.Stop] = []
  private let observance: Observance

  init(_ course: Route.Course, from root: KeyValueObject, for observance: Observance) {
    self.observance = observance
    switch course {
    case .components(let components):
      follow(components, from: root, .endpoint)
    case .reads(let read):
      ReadTracker.track(root, willRead: { visit(KeyName($1), of: $0, .waypoint) }, read)
    }
    if stops.count > 1 { stops.sort() }
  }

  /// Goes along `components`; the last one plays `role`, those before it lead to it.
  private mutating func follow(_ components: [KeyName], from start: KeyValueObject, _ role: ObserverList.Entry.Role) {
    var object = start
    for (index, component) in components.enumerated() {
      guard !component.isOperator else { return }
      let isLast = index == components.count - 1
      guard let key = visit(component, of: object, isLast ? role : .waypoint), !isLast else { return }
      if let next = key.object(of: object) {
        guard let next else { return }
        object = next
      } else if let value = key.value(of: object) {
        guard let next = keyValueObject(value) else {
          return refuse(value, components[(index + 1)...].map(\.text), at: component.text, of: object)
        }
        object = next
      } else {
        return
      }
    }
  }

  /// Stops at a key, and at all that it depends on.
  @discardableResult
  private mutating func visit(_ name: KeyName, of object: KeyValueObject, _ role: ObserverList.Entry.Role) -> Key? {
    guard let info = object.madeObservationInfo else { return nil }
    let key = info.keys.key(name)
    var stop = Route.Stop(info: info, lentKey: .passUnretained(key), role: role)
    if let index = stops.firstIndex(of: stop) {
      guard !stops[index].role.isSuperset(of: role) else { return key }
      stop.role.formUnion(stops[index].role)
      stops[index] = stop
    } else {
      stops.append(stop)
    }
    info.insert(observance, stop.role, key)
    for affecting in key.affectingKeyPaths {
      follow(affecting, from: object, role.intersection(.waypoint))
    }
    for read in key.affectingReads {
      ReadTracker.track(object, willRead: { visit(KeyName($1), of: $0, .waypoint) }, read)
    }
    return key
  }

  private func refuse(_ value: Any, _ rest: [String], at key: String, of object: KeyValueObject) {
    guard value is any ObjectCollection, rest.first?.hasPrefix("@") == false else { return }
    let path = rest.joined(separator: ".")
    misuse(
      apple: "[<\(type(of: value))> addObserver:forKeyPath:options:context:] is not supported. Key path: \(path).",
      remedy: "Observe \"\(key)\" of <\(name(object))>, or \"\(path)\" of each element.")
  }
}
#endif
