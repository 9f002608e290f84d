// A scheduler that runs the threads of a program one at a time, under one schedule after another.
//
// A thread hands over only at points: before accesses to shared memory, which KVO_SHARED marks in the C module, at locks, and
// where a program says so. At each point where more than one thread could go on, the scheduler makes a decision. A schedule is
// the list of decisions that differ from the default, which is to go on with the same thread, or, if that can't, with the
// first one that can. So any schedule can be run again.

#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
  explore_max_threads = 4,
  explore_max_choices = 2000,
  explore_max_message = 1000,
};

/// A decision that differs from the default.
struct explore_choice {
  uint32_t decision;
  uint32_t thread;
};

/// What a process that explores a program reports. Its parent shares the memory, and reads it even after a crash.
struct explore_report {
  /// Grows while the process makes progress.
  uint64_t heartbeat;
  uint64_t systematic;
  uint64_t random;
  /// The decisions in the longest schedule.
  uint32_t decisions;
  /// How many preemptions all schedules were run with; -1 if not even those without.
  int32_t bound;
  /// Schedules that couldn't be replayed, because the program took another way.
  uint64_t diverged;
  bool is_over;
  bool has_failed;
  char message[explore_max_message];
  /// The schedule that is being run.
  uint32_t count;
  struct explore_choice choices[explore_max_choices];
};

/// How schedules are chosen.
struct explore_options {
  double seconds;
  int32_t max_bound;
  uint64_t seed;
  /// Whether to print each point of a replayed schedule.
  bool traces;
  bool replays;
  uint32_t count;
  struct explore_choice choices[explore_max_choices];
};

/// Starts the process again, with hashes and addresses that are the same each time, so that schedules can be run again.
void explore_make_deterministic(char *_Nullable const *_Nonnull arguments);

/// Runs `explore` in a child process. A child that makes no progress for 20 seconds is ended.
///
/// Called before the process has other threads. Several can run at the same time, each with a place below `places`.
int32_t explore_start(int32_t place, struct explore_report *report, void (*explore)(void *context), void *context);
struct explore_report *explore_new_report(void);
/// Waits until one of the processes has ended.
///
/// - Returns: Its place.
int32_t explore_wait(void);

// MARK: Within the child process

/// Begins to explore.
void explore_begin(struct explore_report *report, const struct explore_options *options);
/// Whether there is another schedule to run. Called between schedules.
bool explore_next(void);
/// Runs a schedule: calls `body` with each number below `count` on a thread of its own.
void explore_run(int32_t count, void (*body)(void *context, int32_t thread), void *context);
/// The number of the running thread; -1 outside of a schedule.
int32_t explore_thread(void);
/// Reports a failure, with the schedule, and ends the process.
_Noreturn void explore_fail(const char *message);
/// A point at which another thread may go on.
void explore_point(const char *name);
/// Waits until a number isn't 0.
void explore_await(const int32_t *number);
/// Waits until a number isn't 0, or until no other thread can change it any longer.
///
/// - Returns: Whether it isn't 0.
bool explore_await_or_end(const int32_t *number);
/// Fails if the running thread owns locks.
void explore_require_no_lock(void);

// MARK: Tasks

/// Makes tasks without an executor of their own wait for ``explore_run_task``.
void explore_take_tasks(void (*enqueue)(void *job));
/// Runs a job of a task.
void explore_run_job(void *job);

#pragma clang assume_nonnull end

#endif
