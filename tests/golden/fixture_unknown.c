// SPDX-License-Identifier: GPL-2.0-only
/* Where little is known, or nothing has happened. Reasons and fixes are those of the table of prerequisites. */
#include "../unit/covered.h"
#include "fixture.h"
#include "fixture_rows.h"

#include "target/process/settings.h"

#define MS NT_NS_PER_MS

#define NO_LIBRARY     "no LTTng events: the runtime found no liblttng-ust.so.0 on its library path when the target started"
#define NO_LIBRARY_FIX NT_AT_START "LD_LIBRARY_PATH=/usr/local/lib/nettop/ust0 " NT_VARIABLES_MODE_N
#define NO_LOG         "no JIT, lock and allocation events, and no start of collections: the target runs without " NT_SET_EVENT_LOG
#define NO_POOL        "no thread-pool events: the target runs without " NT_SET_EVENT_LOG
#define NO_MAP         "no names from a perf map: the target writes no perf map"

static struct nt_snapshot *of_shop(nt_time age_ns)
{
	struct nt_snapshot *snapshot = fixture_new(age_ns);
	snapshot->processes[0].target = (struct nt_target_info){ .pid = 4711, .name = "shop-web" };
	return snapshot;
}

static void add_sources(struct nt_snapshot *snapshot, const struct nt_source_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fixture_add_source(snapshot, &rows[i]);
}

#define ADD_SOURCES(snapshot, rows) add_sources(snapshot, rows, sizeof(rows) / sizeof((rows)[0]))

static const struct nt_source_row from_proc = {
	.id = NT_SOURCE_PROCFS, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(35), .lag_ns = NT_KNOWN(12 * MS)
};
static const struct nt_source_row without_map = {
	.id = NT_SOURCE_CODEMAP, .state = NT_STATE_ABSENT, .reason = NO_MAP, .fix = NT_AT_START NT_SET_PERF_MAP
};

/* Of all threads what /proc alone tells. */
static void add_threads(struct nt_process_snapshot *process)
{
	fixture_add_threads(process);
	process->pause_samples = (struct nt_pause_samples){ 0 };
	for (size_t i = 0; i < process->thread_count; i++) {
		process->threads[i].samples = process->threads[i].hot_count = 0;
		process->threads[i].lock_ns.known = process->threads[i].marked = false;
		process->threads[i].lock_owner_tid = 0;
	}
}

struct nt_snapshot *fixture_procfs_only(void)
{
	static const struct nt_why no_events = { NO_LIBRARY, NO_LIBRARY_FIX };
	struct nt_snapshot *snapshot = of_shop(30 * NT_NS_PER_S);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->interval = (struct nt_figures){
		.span_ns = NT_NS_PER_S,
		.cpu = { .usage_pct = NT_KNOWN(41) },
		.threads = { .count = NT_KNOWN(31), .running_count = NT_KNOWN(1) },
		.gc = { .why = no_events, .alloc_why = no_events },
		.jit = { .why = no_events },
		.pool = { .worker_count = NT_KNOWN(4),
			  .worker_from_procfs = true,
			  .items = { .why = { "work items are no longer told: there are so many that it costs the process ~12 % of its CPU "
					      "time",
					      "open the screen again when there are less, or start nettop with --max-target-cost 13" } },
			  .why = no_events },
		.exceptions = { .why = no_events },
		.locks = { .why = no_events },
		.io = { .why = { "what it reads and writes is known from the second reading on", NULL },
			.open_why = { "what a process of another user has open only root may read, or who has CAP_SYS_PTRACE", NULL } },
		.waits = { .why = { "the runtime is not read from outside", NULL } },
		.requests = { .single_why = { "single requests are no longer told: there are so many that it costs the process ~12 % of "
					      "its CPU time",
					      "open the screen again when there are less, or start nettop with --max-target-cost 13" },
			      .times_why = { "single requests are no longer told: there are so many that it costs the process ~12 % of "
					     "its CPU time",
					     "open the screen again when there are less, or start nettop with --max-target-cost 13" } },
	};
	process->total = process->interval;
	add_threads(process);
	const struct nt_source_row rows[] = {
		from_proc,
		{ .id = NT_SOURCE_PERF,
		  .state = NT_STATE_FORBIDDEN,
		  .reason = "no CPU samples: kernel.perf_event_paranoid is 4 and nettop runs without CAP_PERFMON",
		  .fix = "sudo sysctl kernel.perf_event_paranoid=1   or: sudo setcap cap_perfmon=ep /usr/local/bin/nettop",
		  .events_per_s = NT_KNOWN(0) },
		{ .id = NT_SOURCE_LTTNG, .state = NT_STATE_ABSENT, .reason = no_events.reason, .fix = no_events.fix },
		without_map,
	};
	ADD_SOURCES(snapshot, rows);
	return snapshot;
}

struct nt_snapshot *fixture_mode_none(void)
{
	static const struct nt_why no_log = { NO_LOG, NT_AT_START NT_VARIABLES_MODE_N };
	static const struct nt_why no_port = {
		"no EventPipe, no perf map by command: the target runs with its diagnostics port switched off", NULL
	};
	static const struct nt_why too_early = { "estimated from the second collection on", NULL };
	struct nt_snapshot *snapshot = of_shop(30 * NT_NS_PER_S);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->target.mode = NT_MODE_NONE;
	process->interval = (struct nt_figures){
		.span_ns = NT_NS_PER_S,
		.cpu = { .usage_pct = NT_KNOWN(0), .samples = NT_KNOWN(0) },
		.threads = { .count = NT_KNOWN(31), .running_count = NT_KNOWN(0) },
		.gc = { .count = { NT_KNOWN(0), NT_KNOWN(0), NT_KNOWN(0) }, .pause_ns = NT_KNOWN(0), .alloc_why = too_early },
		.jit = { .why = no_log },
		.pool = { .worker_count = NT_KNOWN(4), .worker_from_procfs = true, .why = { NO_POOL, NT_AT_START NT_VARIABLES_MODE_F } },
		.exceptions = { .why = no_port },
		.locks = { .why = no_log },
	};
	process->total = process->interval;
	const struct nt_source_row rows[] = {
		from_proc,
		{ .id = NT_SOURCE_PERF, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(0) },
		{ .id = NT_SOURCE_LTTNG, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(0) },
		without_map,
	};
	ADD_SOURCES(snapshot, rows);
	return snapshot;
}

struct nt_snapshot *fixture_idle(void)
{
	struct nt_snapshot *snapshot = fixture_mode_none();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->target.mode = NT_MODE_F;
	process->interval.jit = (struct nt_jit_figures){ .method_count = NT_KNOWN(0), .time_ns = NT_KNOWN(0) };
	process->interval.pool.why = (struct nt_why){ 0 };
	process->interval.exceptions = (struct nt_exception_figures){ .count = NT_KNOWN(0) };
	process->interval.locks = (struct nt_lock_figures){ .count = NT_KNOWN(0) };
	process->interval.requests = (struct nt_request_figures){ .serves = true,
								  .count = NT_KNOWN(49),
								  .per_s = NT_KNOWN(49),
								  .error_count = NT_KNOWN(0),
								  .error_per_s = NT_KNOWN(0),
								  .p99_ns = NT_KNOWN(816 * MS),
								  .worst = "GET /reserve 200",
								  .in_flight_count = NT_KNOWN(40) };
	cover_all(&process->interval);
	process->total = process->interval;
	static const char *const checked[] = { "pool", "locks", "GC", "JIT", "exceptions", "allocation", "threads" };
	memcpy(process->checked, checked, sizeof(checked));
	process->checked_count = sizeof(checked) / sizeof(checked[0]);
	process->unchecked[process->unchecked_count++] = "pool queue";
	process->unchecked[process->unchecked_count++] = "heap growth";
	process->unchecked[process->unchecked_count++] = "RSS growth";
	process->quiet_since = snapshot->t1 - 105 * NT_NS_PER_S;
	return snapshot;
}

struct nt_snapshot *fixture_partial(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	nt_time untold_ns = 400 * MS, interval_ns = process->interval.span_ns, total_ns = 20 * NT_NS_PER_S;
	cover_span(&process->interval, interval_ns - untold_ns);
	cover_span(&process->total, total_ns - untold_ns);
	process->interval.lived_ns = interval_ns;
	process->total.lived_ns = total_ns;
	return snapshot;
}

struct nt_snapshot *fixture_first_frame(void)
{
	static const struct nt_why starting = { "lttng is starting: nothing delivered yet", NULL };
	struct nt_snapshot *snapshot = of_shop(40 * MS);
	fixture_shop_target(&snapshot->processes[0].target);
	snapshot->processes[0].interval = (struct nt_figures){ .span_ns = 40 * MS,
							       .threads = { .count = NT_KNOWN(78), .running_count = NT_KNOWN(9) },
							       .gc = { .why = starting, .alloc_why = starting },
							       .jit = { .why = starting },
							       .pool = { .why = starting },
							       .exceptions = { .why = starting },
							       .locks = { .why = starting } };
	const struct nt_source_row rows[] = {
		{ .id = NT_SOURCE_PROCFS, .state = NT_STATE_DELIVERING },
		{ .id = NT_SOURCE_PERF, .state = NT_STATE_STARTING },
		{ .id = NT_SOURCE_LTTNG, .state = NT_STATE_STARTING },
	};
	ADD_SOURCES(snapshot, rows);
	return snapshot;
}

/* Threads looked at from outside. */
struct nt_snapshot *fixture_waiting(void)
{
	static const struct nt_call_frame frames[] = { { .name = "__futex_abstimed_wait_common", .module = "libc.so.6", .native = true },
						       { .name = "System.Threading.Tasks.Task.Wait()", .module = "System.Private.CoreLib" },
						       { .name = "Shop.Cart.Total(ref Cart)", .module = "Shop.Web" },
						       { .name = "Shop.Api.Checkout(HttpContext)", .module = "Shop.Web" } };
	static const struct nt_call_stack stack = { .frames = frames, .count = 4, .site = 2 };
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	for (size_t i = 1; i < process->thread_count; i++) {
		struct nt_thread_row *row = &process->threads[i];
		row->waits = !row->ended && row->state == 'S';
		row->wait = row->role == NT_ROLE_POOL ? NT_WAIT_LOCK : row->role == NT_ROLE_APPLICATION ? NT_WAIT_TASK : NT_WAIT_IDLE;
		row->wait_ns = nt_u64_of(9100 * NT_NS_PER_MS);
		row->looked_at = true;
		row->managed_id = (uint32_t)i;
		if (row->waits && row->wait == NT_WAIT_LOCK) {
			row->wait_what = "System.Threading.Lock";
			row->wait_owner_tid = process->threads[0].tid;
		}
		row->wait_from = &stack;
		row->wait_at = frames[2].name;
		row->wait_means = frames[1].name;
		/* Some wait for work, at a place that is not said: how many there are stands with their name. */
		row->alike.count = row->role == NT_ROLE_APPLICATION ? 61 : row->role == NT_ROLE_RUNTIME ? 4 : 0;
		row->alike.cpu_pct = row->cpu_pct;
	}
	return snapshot;
}

struct nt_snapshot *fixture_polled(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_wait_figures *waits = &snapshot->processes[0].interval.waits;
	waits->method = "polled";
	waits->less = "too dear";
	waits->less_why =
		(struct nt_why){ "waits are no longer exact: threads are switched so often that to be told of each would cost the "
				 "process ~31 % of its CPU time, and --max-target-cost is 5 %",
				 "start nettop with --max-target-cost 32" };
	return snapshot;
}

struct nt_snapshot *fixture_timed(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_wait_figures *waits = &snapshot->processes[0].interval.waits;
	waits->method = "timed";
	waits->less = "no right";
	waits->less_why =
		(struct nt_why){ "waits are exact only with CAP_BPF and CAP_PERFMON; now timed: places by looks, no wakers and no "
				 "run queue",
				 "run nettop as root" };
	return snapshot;
}

struct nt_snapshot *fixture_no_stacks(void)
{
	static const struct nt_why why = { "LTTng brings no call stacks; EventPipe does", "start nettop with --source perf,eventpipe,map" };
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	struct nt_figures *figures = &process->interval;
	figures->gc.stack_why = figures->exceptions.stack_why = figures->locks.stack_why = why;
	for (size_t i = 0; i < process->exception_count; i++) {
		process->exceptions[i].thrown_at = NULL;
		process->exceptions[i].thrown_from = NULL;
	}
	fixture_no_throw_stacks(process);
	return snapshot;
}
