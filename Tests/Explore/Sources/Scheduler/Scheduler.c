#define _GNU_SOURCE

#include "Scheduler.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { max_decisions = 20000, main_owner = 255 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// MARK: Threads

enum status { idle, runnable, awaiting_lock, awaiting_number, awaiting_number_or_end, finished };

struct thread {
  pthread_t handle;
  enum status status;
  /// The lock or number that it awaits.
  const void *awaited;
  /// Its turn. 1 means that it may go on.
  uint32_t turn;
  uint32_t priority;
};

static struct thread threads[explore_max_threads];
static int started_count, count;
static uint32_t main_turn;
static _Thread_local int self = -1;
static int current;

static void (*run_body)(void *, int32_t);
static void *run_context;

static void wait_for(uint32_t *turn) {
  while (__atomic_exchange_n(turn, 0, __ATOMIC_ACQUIRE) == 0)
    syscall(SYS_futex, turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void give(uint32_t *turn) {
  __atomic_store_n(turn, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// MARK: Decisions

struct decision {
  uint8_t options[explore_max_threads];
  uint8_t count;
  uint8_t chosen;
  /// Whether the running thread could have gone on, so that any other choice is a preemption.
  bool can_go_on;
};

static struct explore_report *report;
static struct explore_options options;

enum mode { systematic, random_priorities, replay } mode;

static struct decision decisions[max_decisions];
/// The decisions that were made in this schedule, and those that are given.
static uint32_t made, given;
static int preemptions, bound;
static bool is_first, has_diverged;
static double start_time, systematic_end, end_time;
static uint64_t random_state;
static uint32_t change_points[8], change_count, longest;

static uint32_t random_number(uint32_t below) {
  // SplitMix64.
  uint64_t z = (random_state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (uint32_t)((z ^ (z >> 31)) % (below ? below : 1));
}

_Noreturn void explore_fail(const char *message) {
  report->has_failed = true;
  strncpy(report->message, message, sizeof report->message - 1);
  _exit(1);
}

/// Whether every other thread has ended, or awaits the same.
static bool can_nothing_come(int thread) {
  for (int other = 0; other < count; other++)
    if (other != thread && threads[other].status != finished && threads[other].status != awaiting_number_or_end)
      return false;
  return true;
}

static bool can_run(int thread) {
  switch (threads[thread].status) {
  case runnable: return true;
  case awaiting_lock: return *(const uint32_t *)threads[thread].awaited == 0;
  case awaiting_number: return *(const int32_t *)threads[thread].awaited != 0;
  case awaiting_number_or_end:
    return *(const int32_t *)threads[thread].awaited != 0 || can_nothing_come(thread);
  default: return false;
  }
}

static void deadlock(void) {
  char message[400] = "deadlock:";
  for (int thread = 0; thread < count; thread++) {
    const void *awaited = threads[thread].awaited;
    size_t length = strlen(message);
    if (threads[thread].status == finished) continue;
    if (threads[thread].status == awaiting_lock)
      snprintf(message + length, sizeof message - length, " thread %d waits for the lock %p, which thread %d has;", thread,
               awaited, (int)*(const uint32_t *)awaited - 1);
    else
      snprintf(message + length, sizeof message - length, " thread %d waits for a number at %p;", thread, awaited);
  }
  explore_fail(message);
}

static uint8_t choose(struct decision *decision, uint32_t number) {
  if (mode == random_priorities) {
    for (uint32_t change = 0; change < change_count; change++)
      if (change_points[change] == number && current >= 0) threads[current].priority = change;
    uint8_t best = 0;
    for (uint8_t index = 1; index < decision->count; index++)
      if (threads[decision->options[index]].priority > threads[decision->options[best]].priority) best = index;
    return best;
  }
  if (mode == replay) {
    for (uint32_t index = 0; index < options.count; index++) {
      if (options.choices[index].decision != number) continue;
      for (uint8_t option = 0; option < decision->count; option++)
        if (decision->options[option] == options.choices[index].thread) return option;
      has_diverged = true;
    }
  }
  return 0;
}

/// Decides which thread goes on.
static int next_thread(void) {
  struct decision decision = {.count = 0, .chosen = 0, .can_go_on = current >= 0 && can_run(current)};
  if (decision.can_go_on) decision.options[decision.count++] = (uint8_t)current;
  for (int thread = 0; thread < count; thread++)
    if ((thread != current || !decision.can_go_on) && can_run(thread))
      decision.options[decision.count++] = (uint8_t)thread;
  if (decision.count == 0) return -1;
  if (decision.count == 1) return decision.options[0];
  if (made == max_decisions) explore_fail("too many decisions: the threads don't come to an end");
  uint32_t number = made++;
  struct decision *known = &decisions[number];
  if (mode == systematic && number < given) {
    if (known->count == decision.count && known->can_go_on == decision.can_go_on &&
        memcmp(known->options, decision.options, decision.count) == 0) {
      decision.chosen = known->chosen;
    } else {
      has_diverged = true;
      given = number;
    }
  } else {
    decision.chosen = choose(&decision, number);
  }
  *known = decision;
  if (decision.chosen != 0) {
    preemptions += decision.can_go_on;
    if (report->count < explore_max_choices)
      report->choices[report->count++] = (struct explore_choice){number, decision.options[decision.chosen]};
  }
  return decision.options[decision.chosen];
}

/// Gives the turn to the next thread, and waits for its own, unless it has finished.
static void hand_over(void) {
  int thread = self, next = next_thread();
  report->heartbeat++;
  if (next == thread) return;
  if (next < 0) {
    for (int other = 0; other < count; other++)
      if (threads[other].status != finished) deadlock();
    return give(&main_turn);
  }
  current = next;
  bool is_finished = threads[thread].status == finished;
  give(&threads[next].turn);
  if (!is_finished) wait_for(&threads[thread].turn);
}

static void await(enum status status, const void *awaited) {
  threads[self].status = status;
  threads[self].awaited = awaited;
  hand_over();
  threads[self].status = runnable;
}

static void trace(const char *name, const void *address) {
  if (mode == replay && options.traces) {
    fprintf(stderr, "%*s%d: %s %p  [%u]\n", self * 30, "", self, name, address, made);
    fflush(stderr);
  }
}

// MARK: Points and locks

// The C module of the package declares these for its build.
void kvo_explore_point(const char *function, const void *address);
void kvo_explore_lock(uint32_t *word);
void kvo_explore_unlock(uint32_t *word);
void kvo_check_no_lock(const char *what);

void kvo_explore_point(const char *function, const void *address) {
  if (self < 0) return;
  trace(function, address);
  hand_over();
}

void explore_point(const char *name) { kvo_explore_point(name, NULL); }

void kvo_explore_lock(uint32_t *word) {
  if (self < 0) {
    if (*word != 0) explore_fail("a thread has ended with a lock");
    *word = main_owner;
    return;
  }
  trace("lock", word);
  // As in reality, another thread may take it first.
  hand_over();
  while (*word != 0) await(awaiting_lock, word);
  *word = (uint32_t)self + 1;
}

void kvo_explore_unlock(uint32_t *word) {
  *word = 0;
  if (self < 0) return;
  trace("unlock", word);
  // Another thread may go on before this one does anything else.
  hand_over();
}

void explore_require_no_lock(void) { kvo_check_no_lock("foreign code runs with a lock"); }

void explore_await(const int32_t *number) {
  trace("await", number);
  await(awaiting_number, number);
}

bool explore_await_or_end(const int32_t *number) {
  trace("await", number);
  await(awaiting_number_or_end, number);
  return *number != 0;
}

int32_t explore_thread(void) { return self; }

// MARK: Running

static void *thread_main(void *argument) {
  self = (int)(intptr_t)argument;
  while (true) {
    wait_for(&threads[self].turn);
    run_body(run_context, self);
    kvo_check_no_lock("a thread has ended with a lock");
    trace("end", NULL);
    threads[self].status = finished;
    hand_over();
  }
}

void explore_run(int32_t thread_count, void (*body)(void *, int32_t), void *context) {
  count = thread_count;
  run_body = body;
  run_context = context;
  for (int thread = 0; thread < count; thread++) {
    threads[thread].status = runnable;
  }
  while (started_count < count) {
    intptr_t number = started_count++;
    if (pthread_create(&threads[number].handle, NULL, thread_main, (void *)number) != 0)
      explore_fail("no thread could be created");
  }
  made = 0;
  preemptions = 0;
  report->count = 0;
  has_diverged = false;
  current = -1;
  current = next_thread();
  give(&threads[current].turn);
  wait_for(&main_turn);
  if (made > longest) report->decisions = longest = made;
  if (has_diverged) report->diverged++;
  if (mode == random_priorities) report->random++;
  if (mode == systematic) report->systematic++;
}

void explore_begin(struct explore_report *new_report, const struct explore_options *new_options) {
  report = new_report;
  options = *new_options;
  mode = options.replays ? replay : systematic;
  is_first = true;
  bound = 0;
  given = 0;
  random_state = options.seed;
  report->bound = -1;
  start_time = now();
  end_time = start_time + options.seconds;
  systematic_end = start_time + options.seconds * 0.75;
}

/// Changes the latest decision that another choice is left for.
static bool backtrack(void) {
  int former = preemptions;
  for (uint32_t number = made; number-- > 0;) {
    struct decision *decision = &decisions[number];
    if (decision->chosen != 0 && decision->can_go_on) former--;
    if (decision->chosen + 1 == decision->count) continue;
    if (former + (decision->can_go_on ? 1 : 0) > bound) continue;
    decision->chosen++;
    given = number + 1;
    return true;
  }
  return false;
}

static void choose_priorities(void) {
  for (int thread = 0; thread < explore_max_threads; thread++)
    threads[thread].priority = 100 + random_number(1000) * explore_max_threads + (uint32_t)thread;
  change_count = 1 + random_number(4);
  for (uint32_t change = 0; change < change_count; change++) change_points[change] = random_number(longest + 1);
}

bool explore_next(void) {
  if (mode == replay) {
    bool result = is_first;
    is_first = false;
    return result;
  }
  if (is_first) {
    is_first = false;
    return true;
  }
  double time = now();
  if (mode == systematic) {
    if (time < systematic_end) {
      if (backtrack()) return true;
      report->bound = bound;
      if (bound < options.max_bound) {
        bound++;
        given = 0;
        return true;
      }
      // All schedules were run. A few random ones have more preemptions.
      end_time = time + (time - start_time) * 0.1;
    }
    mode = random_priorities;
  }
  if (time >= end_time) return false;
  choose_priorities();
  return true;
}

// MARK: Processes

void explore_make_deterministic(char *const *arguments) {
  if (getenv("SWIFT_DETERMINISTIC_HASHING") != NULL) return;
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
  if (getenv("SWIFT_BACKTRACE") == NULL) setenv("SWIFT_BACKTRACE", "enable=no", 1);
  personality(ADDR_NO_RANDOMIZE);
  execv("/proc/self/exe", arguments);
}

static struct {
  pid_t process;
  struct explore_report *report;
  uint64_t heartbeat;
  double time;
} children[16];

struct explore_report *explore_new_report(void) {
  void *memory = mmap(NULL, sizeof(struct explore_report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

int32_t explore_start(int32_t place, struct explore_report *shared, void (*explore)(void *), void *context) {
  fflush(stdout);
  pid_t process = fork();
  if (process == 0) {
    // The threads run one at a time, and hand over faster on one processor.
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)(place % processors), &set);
    sched_setaffinity(0, sizeof set, &set);
    report = shared;
    explore(context);
    shared->is_over = true;
    fflush(stdout);
    _exit(0);
  }
  if (process < 0) return errno;
  children[place].process = process;
  children[place].report = shared;
  children[place].heartbeat = 0;
  children[place].time = now();
  return 0;
}

static void describe_end(struct explore_report *report, int status) {
  if (report->has_failed || report->is_over) return;
  report->has_failed = true;
  if (WIFSIGNALED(status)) {
    snprintf(report->message, sizeof report->message, "crash: %s", strsignal(WTERMSIG(status)));
  } else {
    snprintf(report->message, sizeof report->message, "the process ended with status %d", WEXITSTATUS(status));
  }
}

int32_t explore_wait(void) {
  while (true) {
    for (int32_t place = 0; place < 16; place++) {
      if (children[place].process == 0) continue;
      struct explore_report *report = children[place].report;
      int status;
      pid_t result = waitpid(children[place].process, &status, WNOHANG);
      if (result == children[place].process) {
        children[place].process = 0;
        describe_end(report, status);
        return place;
      }
      if (report->heartbeat != children[place].heartbeat) {
        children[place].heartbeat = report->heartbeat;
        children[place].time = now();
      } else if (now() - children[place].time > 20) {
        kill(children[place].process, SIGKILL);
        waitpid(children[place].process, &status, 0);
        children[place].process = 0;
        report->has_failed = true;
        snprintf(report->message, sizeof report->message, "no progress for 20 s");
        return place;
      }
    }
    usleep(2000);
  }
}

// MARK: Tasks

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT_CALL void swift_job_run(void *job, const void *identity, uintptr_t implementation);

static void (*enqueue_task)(void *job);

static SWIFT_CALL void enqueue(void *job, enqueue_original original) { enqueue_task(job); }

void explore_take_tasks(void (*enqueue_function)(void *)) {
  enqueue_task = enqueue_function;
  swift_task_enqueueGlobal_hook = enqueue;
}

void explore_run_job(void *job) { swift_job_run(job, NULL, 0); }
