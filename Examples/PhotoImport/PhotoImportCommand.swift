import KVOController

/// The program: runs an import on a background thread, and shows it on the main actor.
@main
struct PhotoImportCommand {
  static func main() async {
    await show(PhotoImport(total: 5))
  }

  @MainActor
  private static func show(_ photoImport: PhotoImport) async {
    // Three observations, registered before the import starts. A sequence begins with the current value; it keeps every
    // value until it is read, unless a buffering policy says otherwise.
    let view = ImportView()
    view.count(photoImport)
    let all = view.kvoController.values(of: photoImport, \.copied)
    let latest = view.kvoController.values(of: photoImport, \.copied, bufferingPolicy: .bufferingNewest(1))

    let work = Task.detached { photoImport.run() }
    await view.show(all, of: photoImport.total)
    await work.value

    for await copied in latest {  // Everything before the latest value was dropped.
      print("the latest value is \(copied)")
      break
    }
    print("the handler was called \(view.calls) times, on the main actor")
  }
}
