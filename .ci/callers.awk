# Writes callers of the functions that a sample of the documentation declares, for the check .ci/samples.
#
# A sample that compiles alone may still be impossible to call, because its arguments can't leave the caller's isolation,
# for example. So each function is called from the main actor, from an actor, and from main.swift; if it needs `await`,
# also in a task. Receiver and arguments are properties of the caller.
#
#   awk -v mode=nonisolated -v main=FILE -f callers.awk SAMPLE
#
# Callers in types go to standard output, those of main.swift to FILE. The mode is the module's default isolation.
BEGIN { print "nonisolated func made<T>(_ type: T.Type) -> sending T { fatalError() }" }

# The type that the lines belong to. Generic ones, suites of tests, and views of SwiftUI aren't called.
/^[^ }\/]/ && /(^| )(class|actor|struct|extension) [A-Z]/ {
  type = $0
  sub(/^(.* )?(class|actor|struct|extension) /, "", type)
  sub(/[^A-Za-z0-9_].*/, "", type)
  if ($0 ~ /(^| )actor /) isActor[type] = 1
  if ($0 ~ /@MainActor/ || previous == "@MainActor") onMain[type] = 1
  if ($0 ~ /^(file)?private |<|@Suite|View \{/) type = ""
}
/^}/ { type = "" }
{ before = previous; previous = $0; sub(/^ +/, "", previous) }

isOpen { signature = signature " " previous }
/^(  )?(@MainActor |@discardableResult |public |nonisolated(\(nonsending\))? )*func [a-z][A-Za-z]*\(/ {
  if ($0 ~ /^ / && type == "") next
  # Called by the runtime, with what it consumes.
  if ($0 ~ /consuming /) next
  receiver = $0 ~ /^ / ? type : ""
  onMainActor = (receiver in onMain) || $0 ~ /@MainActor/ || before == "@MainActor"
  signature = previous
  isOpen = 1
}
isOpen && /\{[^}]*(\}[^}]*)?$/ { isOpen = 0; parse(); call() }

function parse(    rest, depth, i, character, text) {
  name = rest = signature
  sub(/^.*func /, "", name)
  sub(/\(.*/, "", name)
  sub(/^[^(]*func [A-Za-z]+\(/, "", rest)
  if (signature ~ /nonsending/) sub(/^.*func [A-Za-z]+\(/, "", rest)
  count = depth = 0
  for (i = 1; i <= length(rest); i++) {
    character = substr(rest, i, 1)
    if (depth == 0 && (character == "," || character == ")")) {
      parameter(text)
      text = ""
      if (character == ")") break
      continue
    }
    if (character ~ /[(\[<]/) depth++
    if (character ~ /[])]/ || (character == ">" && substr(rest, i - 1, 1) != "-")) depth--
    text = text character
  }
  rest = substr(rest, i + 1)
  unused = (rest ~ /->/ ? "_ = " : "") (rest ~ / throws/ ? "try! " : "")
  isAsync = rest ~ / async/
}

function parameter(text) {
  gsub(/^ +| +$/, "", text)
  if (text == "" || text ~ / = /) return
  count++
  label[count] = text
  sub(/[ :].*/, "", label[count])
  label[count] = label[count] == "_" ? "" : label[count] ": "
  sub(/^[^:]*: */, "", text)
  gsub(/@escaping /, "", text)
  kind[count] = text ~ /->/ ? "(" text ")" : text
}

# The call, with a prefix before the names of receiver and arguments, or with values that are made for it.
function expression(prefix,    i, text) {
  text = receiver == "" ? name "(" : (prefix == "" ? "made(" receiver ".self)" : prefix "receiver") "." name "("
  for (i = 1; i <= count; i++)
    text = text (i > 1 ? ", " : "") label[i] (prefix == "" ? "made(" kind[i] ".self)" : prefix "argument" i)
  return text ")"
}

function declarations(prefix,    i, text) {
  if (receiver != "") text = prefix "receiver = made(" receiver ".self)\n"
  for (i = 1; i <= count; i++) text = text prefix "argument" i " = made(" kind[i] ".self)\n"
  return text
}

function call(    keyword, mine) {
  number++
  keyword = isAsync || (receiver in isActor) ? "await " : ""
  print "@MainActor final class MainActorCaller" number " {\n" declarations("  let ")
  print "  func call() " (keyword ? "async " : "") "{ " unused keyword expression("self.") " }"
  if (keyword) print "  func start() { Task { " unused keyword expression("self.") " } }"
  print "}"
  mine = "caller" number
  printf "%s", declarations("let " mine) >main
  print unused keyword expression(mine) >main
  if (keyword) print "Task { " unused keyword expression(mine) " }" >main
  # What is on the main actor gets new values, because those of another actor can't leave it.
  if (mode == "MainActor") return
  if (onMainActor) keyword = "await "
  print "actor ActorCaller" number " {\n" (onMainActor ? "" : declarations("  let "))
  print "  func call() " (keyword ? "async " : "") "{ " unused keyword expression(onMainActor ? "" : "self.") " }\n}"
}
