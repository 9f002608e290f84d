/// The same module under another name, for models that don't speak of controllers.
@_exported import KVOController
