/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots made by hand, for the golden screens. Each is the caller's: nt_snapshot_release(). Texts in them are constants. */
#ifndef NT_TESTS_GOLDEN_FIXTURE_H
#define NT_TESTS_GOLDEN_FIXTURE_H

#include "nettop/log.h"
#include "nettop/snapshot.h"

/* The start of nettop in every fixture. */
#define FIXTURE_START (1000 * NT_NS_PER_S)

/* The process of the screens' pictures, after 250 intervals of 1 s. */
struct nt_snapshot *fixture_shop(void);

/* The same, one interval later, with other shares. */
struct nt_snapshot *fixture_shop_later(void);

/* The same as a span of a minute that was compared with another one; in which nothing differs; of which nothing is kept. */
struct nt_snapshot *fixture_compared(void);
struct nt_snapshot *fixture_compared_alike(void);
struct nt_snapshot *fixture_compared_nothing(void);

/* The same, ended. */
struct nt_snapshot *fixture_shop_ended(void);
struct nt_snapshot *fixture_shop_crashed(void); /* by an exception that nobody caught */
struct nt_snapshot *fixture_shop_aborted(void); /* nobody knows why */
struct nt_snapshot *fixture_shop_failed_fast(void);
struct nt_snapshot *fixture_shop_overflowed(void);

/* One source alone: lttng missing, perf forbidden; everything that is not known from /proc is unknown, with its reason. */
struct nt_snapshot *fixture_procfs_only(void);

/* The shop, but four of ten call chains are deeper than the kernel hands them out. */
struct nt_snapshot *fixture_cut(void);

/* The shop, of whose events 0.4 s were not told: of the interval, and of 20 s since attach. */
struct nt_snapshot *fixture_partial(void);

/* perf forbidden, the runtime's own sampler in its place. */
struct nt_snapshot *fixture_wall(void);

/* Mode none: the target was started without the runtime's log and without a perf map, and does nothing. */
struct nt_snapshot *fixture_mode_none(void);

/* The shop, of which events are told one by one: chosen ones; those that there are anyway; with names that try to break the screen. */
struct nt_snapshot *fixture_told(void);
struct nt_snapshot *fixture_told_anyway(void);
struct nt_snapshot *fixture_told_hostile(void);
struct nt_snapshot *fixture_told_refused(void); /* what was chosen cannot be had */
struct nt_snapshot *fixture_told_waiting(void); /* events were chosen, and none has come */
struct nt_snapshot *fixture_told_none(void);    /* nothing was chosen, and nothing has come anyway */

/* The shop by a source that brings no call stacks. */
struct nt_snapshot *fixture_no_stacks(void);
struct nt_snapshot *fixture_waiting(void);
struct nt_snapshot *fixture_polled(void);
struct nt_snapshot *fixture_timed(void);

/* Everything is delivered, and nothing has happened. */
struct nt_snapshot *fixture_idle(void);

/* The shop without allocations by type: nettop must not ask for them; the runtime has none; none came yet. */
struct nt_snapshot *fixture_readonly(void);
struct nt_snapshot *fixture_old_runtime(void);
/* Allocations are told by ticks. */
struct nt_snapshot *fixture_ticks(void);
struct nt_snapshot *fixture_no_samples_yet(void);

/* Nothing yet: the first frame. */
struct nt_snapshot *fixture_first_frame(void);

/* Names that try to break the screen: wide, combining, escape sequences, bidi, very long, empty. */
struct nt_snapshot *fixture_hostile(void);

/* The shop with a finding for each sort of screen: collections, compilations, one thread's methods, threads. */
struct nt_snapshot *fixture_troubled(void);

/* What nettop and a program said, some of it hostile: nt_log_free(). */
struct nt_log *fixture_log(void);

/* The list of processes: of all kinds, of users who may and may not be looked at, with a hostile name; one interval later one has ended. */
struct nt_snapshot *fixture_processes(void);
struct nt_snapshot *fixture_processes_later(void);

/* Several that are watched, with the headlines of their tiles; one has a finding, one has ended by a failure, one has been taken up, one is closed; and the rest of the machine. */
struct nt_snapshot *fixture_watched(void);

/* The list without one. */
struct nt_snapshot *fixture_no_processes(void);

/* The largest numbers there are. */
struct nt_snapshot *fixture_huge(void);

#endif
