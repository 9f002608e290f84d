/// What a call of `observe` asks for: all about an observation but its object and its observer.
@usableFromInline
struct Request {
  let path: ObservedPath
  /// Those of the registration.
  var options: NSKeyValueObservingOptions
  /// Those that the user has passed, if they are others.
  var requestedOptions: NSKeyValueObservingOptions?
  let identity: Identity
  let destination: Destination
  var delivery = KVODelivery.each
  var form = ObservationForm.handler
  /// Where changes wait for an actor, if they share that with others that begin together.
  var lane: Lane?
  /// The line of the client's source, if it is known.
  var site: CallSite?
  var handler: KVOInfo.Handler
  /// A block of FBKVOController's, which is called in place of the handler.
  var block: KVOInfo.Block?
}

extension Request {
  /// That of a typed form, for a key path or for a list. The isolation is that of the handler.
  @usableFromInline
  init(
    _ path: ObservedPath, _ options: NSKeyValueObservingOptions, _ identifier: AnyHashable?,
    _ isolation: (any Actor)?, _ delivery: KVODelivery, _ site: CallSite,
    _ handler: @escaping (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void
  ) {
    let isList = path.list != nil
    self.path = path
    self.options = isList ? options.intersection([.initial, .prior]) : options
    requestedOptions = options
    identity = Identity(identifier, isList ? .list : .typed)
    destination = Destination(isolation)
    form = path.isOfAllKeys ? .allKeys : .handler
    (self.delivery, self.site, self.handler) = (delivery, site, handler)
  }

  /// Whether the handler is called for each change as it is.
  var isOfEachChange: Bool { delivery.isEmpty && form != .valueHandler }

  /// Traps if the handler can't be called so.
  func requireDeliverable(of object: KeyValueObservable) {
    if options.contains(.prior), !delivery.isEmpty {
      refuse(of: object, because: "a call before each change has its counterpart after it", "Leave out .prior.")
    }
    if delivery.contains(.coalesced), !destination.isActor {
      refuse(
        of: object, because: "no actor could make the call later", "Observe from the main actor, or another one.")
    }
    if delivery.contains(.distinct), let type = path.valueTypes.first(where: { !canBeCompared($0) }) {
      refuse(
        of: object, because: "values of type \(type) can't be compared",
        "Make it Equatable, or compare in the handler.")
    }
  }

  private func refuse(of object: KeyValueObservable, because reason: String, _ remedy: String) -> Never {
    misuse(
      "Cannot observe \(path.currentName) of <\(debugName(of: object))> with delivery: "
        + (delivery.contains(.coalesced) ? ".coalesced" : ".distinct"), because: reason, remedy: remedy, site: site)
  }
}
