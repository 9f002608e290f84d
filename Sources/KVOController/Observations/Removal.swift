/// An observation that was taken out of its controller: there is still its registration to be ended.
struct Removal {
  /// The object that was observed; nil if it is in its `deinit`, and takes its registrations along by itself.
  let object: KeyValueObservable?
}
