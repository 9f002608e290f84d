import Foundation
import Scheduler

explore_make_deterministic(CommandLine.unsafeArgv)
exit(explore(Options(Array(CommandLine.arguments.dropFirst()))))
