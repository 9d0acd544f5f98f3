/* SPDX-License-Identifier: GPL-2.0-only */
/* Room nettop: contracts that cross folders. */
/*
 * The neutral event, and the batch that carries events from a source to the model.
 *
 * A source translates what the runtime, the tracer or the kernel says into struct nt_event at its border: times become CLOCK_MONOTONIC ns,
 * pids and tids those of nettop's own pid namespace, texts and stacks small ids. An id is announced in the batch that first uses it and is
 * valid for the pair (batch source, batch epoch). The same batch object crosses a thread ring, is recorded, and replayed.
 *
 * "0 = none" holds for every nt_str and nt_stack. Fields that a carrier did not deliver are marked by `known` bits where 0 would lie.
 */
#ifndef NETTOP_EVENT_H
#define NETTOP_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"
#include "nettop/code_event.h"
#include "nettop/event_kind.h"
#include "nettop/gc_event.h"
#include "nettop/gc_settings.h"
#include "nettop/host_event.h"
#include "nettop/input_output.h"
#include "nettop/jit_setting.h"
#include "nettop/moment_event.h"
#include "nettop/naming.h"
#include "nettop/pool_event.h"
#include "nettop/request_event.h"
#include "nettop/status.h"
#include "nettop/told_said.h"
#include "nettop/wait.h"

/* Their numbers are written in batches, as those of the kinds are. */
enum nt_source_id {
	NT_SOURCE_PROCFS = 0,
	NT_SOURCE_PERF = 1,
	NT_SOURCE_LTTNG = 2,
	NT_SOURCE_EVENTPIPE = 3,
	NT_SOURCE_CODEMAP = 4,
	NT_SOURCE_RECORDING = 5,
	NT_SOURCE_APP = 6, /* what app/ itself states: own cost, what is wanted of the model (nettop/event_kind.h) */
	NT_SOURCE_ALLOCATIONS =
		7,             /* no source of batches: samples of EventPipe or LTTng that come and go, a line of their own for people */
	NT_SOURCE_RUNTIME = 8, /* the runtime's own data in the target's memory, read from outside */
	NT_SOURCE_COUNT
};

/* ---- payloads; the names and enumerations are the runtime's (doc/EVENTS.md) ---- */

enum nt_source_state {
	NT_STATE_UNUSED,     /* not asked for */
	NT_STATE_STARTING,   /* opened, nothing delivered yet */
	NT_STATE_DELIVERING, /* has delivered, or has said that there is nothing */
	NT_STATE_ABSENT,     /* cannot exist here; reason says why */
	NT_STATE_FORBIDDEN,  /* a permission is missing; fix says which */
	NT_STATE_STALLED,    /* was delivering, peer is silent or gone; tries to come back */
	NT_STATE_ENDED,      /* stopped, nothing will come */
};

/* Why EventPipe does not ask for exceptions: model/arrival/why.c has the sentences. */
enum nt_withheld {
	NT_WITHHELD_NOTHING,
	NT_WITHHELD_EXCEPTIONS, /* an LTTng session could end the target then */
	NT_WITHHELD_UNKNOWN,    /* perhaps one could: the target's libraries cannot be looked at */
	NT_WITHHELD_FILE,       /* nobody is asked: what it tells is from a file, in which there are none */
};

/* Why switches of threads are not told. */
enum nt_no_switches {
	NT_NO_SWITCHES_SAID, /* they are, or nobody has asked */
	NT_NO_SWITCHES_FORBIDDEN,
	NT_NO_SWITCHES_DEAR,   /* over --max-target-cost */
	NT_NO_SWITCHES_KERNEL, /* it does not tell them in this way */
};

struct nt_ev_source_state {
	uint32_t state;     /* enum nt_source_state */
	nt_str reason;      /* one sentence; 0 when delivering normally */
	nt_str fix;         /* command to paste or the least thing to do; 0 = none */
	uint32_t open;      /* 1 = takes part in the watermark: an interval waits for it */
	uint32_t brings;    /* of a source that brings what it is asked for: enum nt_demand bits. 0 = it brings what it can */
	uint32_t rate_hz;   /* of samples: at most so many in a second of a CPU's time; 0 = does not apply */
	uint32_t withheld;  /* of EventPipe: enum nt_withheld, why the target is not asked for something that is wanted */
	uint32_t postpones; /* of EventPipe: 1 = the target has just been started, and is not asked yet for what can wait */
	uint32_t naming;    /* of the code map: enum nt_naming, why generated code has no names. 0 = nothing is wrong with the perf map */
	/* Of perf, as long as switches are wanted: why they are not told, or nothing but when they are (enum nt_no_switches), and the same as sentence and fix. */
	uint32_t no_switches;
	nt_str no_switches_reason, no_switches_fix;
	nt_str requests_reason, requests_fix; /* of EventPipe: why single requests that are wanted are not asked for; 0 = they are */
	nt_str items_reason, items_fix;       /* likewise, of the thread pool's work items */
};

/* Without it nobody knows whether silence means that nothing happened. */
struct nt_ev_cover {
	uint32_t what;    /* enum nt_demand bits; UINT32_MAX = all that it brings */
	uint32_t covered; /* 1: everything from the event's time on comes; 0: everything before it has come, and no more does */
};

enum nt_lost_what { NT_LOST_SAMPLES, NT_LOST_EVENTS, NT_LOST_PACKETS, NT_LOST_GAP };

struct nt_ev_lost {
	uint64_t count;       /* how many; meaningful only when count_known */
	uint32_t count_known; /* 0: "packets lost, events unknown", or a gap in time */
	uint32_t what;        /* enum nt_lost_what */
	nt_time from;         /* start of the gap, NT_TIME_UNKNOWN when not known; the event's time is its end */
	uint32_t of;          /* of EventPipe: enum nt_demand bits of what that may have been; 0 = of anything */
};

struct nt_ev_sample {
	uint64_t weight_ns; /* CPU time that the sample stands for */
	nt_stack stack;     /* leaf first; kernel part first (see nt_batch_stack) */
	uint32_t cpu;
	uint32_t besides; /* how many samples of the rate asked for it stands for besides itself, because they were left out */
	uint32_t cut;     /* 1: the stack has as many frames as the source may take: there may be more callers */
};

enum nt_thread_op { NT_THREAD_SEEN, NT_THREAD_NAMED, NT_THREAD_ENDED };

struct nt_ev_thread {
	uint64_t start_ticks; /* field 22 of /proc/PID/task/TID/stat; 0 = not known. A thread is (tid, start time) */
	nt_str name;
	uint32_t op; /* enum nt_thread_op */
};

struct nt_ev_proc {
	uint64_t user_ns, kernel_ns;                               /* CPU time of the whole process since its start */
	uint64_t rss_bytes;                                        /* the sum of the next three, where they are known */
	uint64_t anon_bytes, file_bytes, shared_bytes, swap_bytes; /* of what the memory is; meaningful only when split_known */
	uint64_t
		waited_ns; /* what its threads have waited for a CPU since the first reading, all together; meaningful only when waited_known */
	uint32_t thread_count;
	uint32_t running_count; /* threads in state R at the reading */
	uint32_t pool_count;    /* threads named `.NET TP Worker` */
	uint32_t pool_known;
	uint32_t waited_known;
	uint32_t split_known;
};

struct nt_ev_thread_stat {
	uint64_t user_ns, kernel_ns;
	uint64_t start_ticks;
	nt_str name;
	uint32_t state; /* the letter of /proc/PID/task/TID/stat: R S D T t Z */
};

struct nt_ev_self {
	uint64_t self_ns;    /* CPU time of nettop, its keeper, its decoder and its openers since start */
	uint64_t daemons_ns; /* CPU time of the LTTng daemons that serve us; meaningful only when daemons_known */
	uint64_t
		rss_bytes; /* resident memory of nettop, and what its decoders have for themselves; not that of the keeper, a copy of nettop's first moment */
	uint64_t
		target_ns; /* CPU time that the sources have taken from the target so far, an estimate; meaningful only when target_known */
	uint32_t daemons_known;
	uint32_t target_known;
};

/*
 * The samples of this method are told apart by instruction from now on, and its code is asked for; the newest samples from before count, too.
 */
struct nt_ev_look {
	uint64_t method; /* id of a struct nt_method_row; 0 = of none */
};

/* What was kept is forgotten, unless `wanted` is what it was. Nothing is kept at first: it costs time per sample and up to some megabytes. */
struct nt_ev_keep_stacks {
	uint32_t wanted; /* enum nt_stacks_wanted */
};

/* Samples are kept one by one in each snapshot: it costs time per sample and some 20 KB per snapshot. Not at first. */
struct nt_ev_keep_samples {
	uint32_t wanted; /* 0 = no more */
};

struct nt_ev_interval {
	nt_time ns; /* NT_INTERVAL_MIN_NS .. NT_INTERVAL_MAX_NS; another one is ignored */
};

#define NT_INTERVAL_MIN_NS NT_NS_PER_MS
#define NT_INTERVAL_MAX_NS (3600 * NT_NS_PER_S)

enum nt_target_mode { NT_MODE_UNKNOWN, NT_MODE_NONE, NT_MODE_N, NT_MODE_F, NT_MODE_ALL };

enum nt_end_how {
	NT_END_UNKNOWN,
	NT_END_EXITED,
	NT_END_SIGNALED,    /* an exception ended it only if the event's stack shows the runtime looking for its handler */
	NT_END_UNHANDLED,   /* by a signal, and the runtime said that nobody caught an exception */
	NT_END_FAILED_FAST, /* by a signal: the program called Environment.FailFast, with that message */
	NT_END_OVERFLOWED, /* by a signal: a thread's stack was full; the event's stack is of its innermost frames, with the outermost behind them */
};

struct nt_ev_target {
	uint64_t start_ticks; /* with the pid: the identity */
	uint64_t uptime_ns;   /* at the event's time */
	nt_str name, runtime, command;
	uint32_t mode; /* enum nt_target_mode */
	uint32_t cpu_count;
	uint32_t server_gc; /* 0 no, 1 yes, 2 not known */
	uint32_t kind;      /* enum nt_deployment */
	uint32_t ended;     /* 1 = the target ended at the event's time */
	nt_str end_text;    /* how, as a sentence; only with ended */
	/* Only with ended: struct nt_target_end (nettop/target_end.h). */
	uint32_t end_how;    /* enum nt_end_how */
	uint32_t end_number; /* of the signal; the exit status */
	uint32_t end_frames; /* of a stack that was full: so many at least, those of the event's stack among them; 0 = not known */
	nt_str exception, message, stack, end_reason;
	/* What LTTng does not tell of it, or not whole, because of its start or its version, in the words of `nettop doctor`; 0 = nothing. */
	nt_str jit_reason, jit_fix, lock_reason, lock_fix, pool_reason, pool_fix;
	nt_str alloc_reason; /* why its runtime does not sample allocations, likewise; 0 = it does */
};

/* What the numbers of a counter are. */
enum nt_counter_kind {
	NT_COUNTER_GAUGE,     /* a state: value, as it is or its mean over the period */
	NT_COUNTER_INCREMENT, /* events: change; their total is not told */
	NT_COUNTER_TOTAL,     /* events: change, and their total as value */
	NT_COUNTER_UP_DOWN,   /* a state that is told by its changes: change and value */
	NT_COUNTER_HISTOGRAM, /* measurements: how many (change), and how they are distributed */
	NT_COUNTER_KIND_COUNT
};

/* Which members hold. */
enum nt_counter_part { NT_COUNTER_VALUE = 1, NT_COUNTER_CHANGE = 2, NT_COUNTER_RANGE = 4, NT_COUNTER_QUANTILES = 8 };

/*
 * What a counter says at the end of one of its periods: an EventCounter of an EventSource, or an instrument of a Meter with one set of tags. The event's
 * time is the end of the period. Numbers are in the counter's own unit; any of them may be negative. Without a name: the runtime has left out further
 * counters of that provider.
 */
struct nt_ev_counter {
	nt_str provider;     /* EventSource or Meter */
	nt_str name;         /* as in code: threadpool-queue-length, http.server.request.duration; 0 = see above */
	nt_str display_name; /* for people; 0 = none */
	nt_str unit;         /* as the program wrote it: MB, By, s, {request} */
	nt_str tags;         /* k=v,k=v */
	uint32_t kind;       /* enum nt_counter_kind */
	uint32_t known;      /* enum nt_counter_part bits */
	uint32_t instrument; /* tells instruments of one name apart; 0 = not said */
	uint64_t period_ns;  /* 0 = not said */
	double value, change;
	double least, greatest; /* of the values measured in the period */
	double p50, p95, p99;   /* likewise, of a histogram */
};

/* What a Meter says of one of its instruments, before the first values. */
struct nt_ev_instrument {
	nt_str provider, name;   /* as in nt_ev_counter */
	nt_str description;      /* for people; 0 = none */
	nt_str tags, meter_tags; /* of the instrument itself, of its Meter: k=v,k=v; 0 = none */
	uint32_t number;         /* as nt_ev_counter.instrument */
};

struct nt_ev_switch {
	uint32_t on;        /* 1: it has a CPU from now on; 0: it has none */
	uint32_t preempted; /* of 0: it could have gone on, and waits for a CPU from now on; it waits for something else when this is 0 */
	nt_stack stack;     /* of 0: where it was, leaf first, kernel part first; 0 = not told */
	uint32_t partial;   /* 1: callers are missing in the stack */
};

/* A thread is woken: it waits for a CPU from now on, no more for what it waited for. */
struct nt_ev_wake {
	uint32_t waker_tid; /* nettop's pid namespace; 0 = not known, or it is an interrupt, or no thread of the process */
	uint32_t interrupt; /* 1: an interrupt woke it: a timer, a disk, the network */
	nt_stack stack;     /* of the waker, leaf first; 0 = not told */
};

/*
 * A thread was looked at from outside. What it says holds from `since` (or the look before) up to the event's time, and nt_event.stack is where it was then: managed frames and
 * what native ones are known, leaf first. A thread that has not run since the look before is told of at least once in an interval.
 */
struct nt_ev_stack {
	uint64_t weight_ns; /* time of the wall clock that it stands for: since this thread was told of before */
	nt_time since;      /* it has not run since then; NT_TIME_UNKNOWN = not known, or it runs */
	uint64_t
		object; /* what it waits for, when that is an object: tells objects apart; an address is no id, objects move. 0 = not known */
	nt_str what;    /* the same for people: type of the object, peer, path; 0 = not known */
	uint32_t wait;         /* enum nt_wait_kind */
	uint32_t owner_tid;    /* if it waits for a lock: who holds that; nettop's pid namespace; 0 = nobody, or not known */
	uint32_t looks;        /* how often it was looked at for this */
	uint32_t partial;      /* 1: callers are missing in the stack, or it has none for a reason that SOURCE_STATE tells */
	uint32_t managed_id;   /* Environment.CurrentManagedThreadId; 0 = it is no managed thread, or that is not known */
	uint32_t since_before; /* 1: it had not run for some time at `since`: nobody has seen since when */
};

/* A lock that somebody waits for, at a moment. */
struct nt_ev_lock_state {
	uint64_t object;       /* as in struct nt_ev_stack */
	nt_str type;           /* of the object; 0 = not known */
	uint32_t owner_tid;    /* nettop's pid namespace; 0 = nobody holds it; UINT32_MAX = not known */
	uint32_t waiter_count; /* of threads that wait to get it; UINT32_MAX = not known */
	uint32_t recursion;    /* how often its owner has it, beyond once */
};

/* Of the wall clock: a thread is sampled whether it runs or waits. Its managed frames, leaf first, are nt_event.stack. */
struct nt_ev_wall_sample {
	uint32_t managed; /* 1: in managed code. 0: in native code, or waiting there; it has no stack then */
};

struct nt_ev_alloc {
	uint64_t object_bytes; /* ALLOC_SAMPLED: size of the sampled object; ALLOC_TICK: 0 when not said */
	uint64_t amount_bytes; /* ALLOC_TICK: bytes since the last tick of this kind; ALLOC_SAMPLED: 0 */
	uint64_t type_id;
	nt_str type_name;
	uint32_t alloc_kind; /* 0 small, 1 large, 2 pinned */
};

struct nt_ev_jit_start {
	uint64_t method_id, module_id;
	uint32_t il_bytes, token;
	nt_str name; /* display form, as in nt_ev_code */
};

struct nt_ev_method {
	uint64_t method_id, module_id;
	uint64_t start, size; /* code range */
	uint64_t rejit_id;
	uint32_t flags;   /* MethodFlags of the runtime */
	uint32_t tier;    /* enum nt_tier, bits 7..9 of flags */
	nt_str name;      /* display form */
	nt_str namespace; /* of its type; 0 = it has none, or no name is said */
};

struct nt_ev_module_load {
	uint64_t module_id;
	uint32_t flags; /* ModuleFlags of the runtime */
	nt_str path;    /* of the file with its IL; a name alone when there is no such file */
};

enum nt_tiering_op { NT_TIERING_SETTINGS, NT_TIERING_PAUSE, NT_TIERING_RESUME, NT_TIERING_BG_START, NT_TIERING_BG_STOP };

struct nt_ev_tiering {
	uint32_t op;           /* enum nt_tiering_op */
	uint32_t method_count; /* RESUME: new methods; BG_*: pending methods (backlog) */
	uint32_t jitted_count; /* BG_STOP */
	uint32_t flags;        /* SETTINGS */
};

/* As the runtime's own counters have it at the event's time. */
struct nt_ev_thread_allocated {
	uint64_t bytes; /* since the thread began */
};

struct nt_ev_contention {
	uint64_t lock_id, object_id, owner_id; /* owner: a tid; 0 = not said */
	uint64_t duration_ns;                  /* STOP_V1 only; meaningful only when duration_known */
	uint32_t flags;                        /* 0 managed, 1 native */
	uint32_t duration_known;
};

struct nt_ev_lock_created {
	uint64_t lock_id, object_id; /* as in nt_ev_contention */
};

struct nt_ev_exception {
	uint64_t eip;
	nt_str type, message;
	uint32_t hresult, flags;
};

struct nt_ev_exception_catch {
	uint64_t entry_eip, method_id;
	nt_str method;
};

enum nt_exception_step {
	NT_EXCEPTION_CATCH_STOP,   /* the catch block that was entered last has come to its end */
	NT_EXCEPTION_FILTER_START, /* a filter is asked; what is thrown in it nobody ever catches outside */
	NT_EXCEPTION_FILTER_STOP,  /* it has answered; runtimes before .NET 9 say that only of one that throws nothing */
};

struct nt_ev_exception_step {
	uint32_t op; /* enum nt_exception_step */
};

struct nt_ev_clr_thread {
	uint64_t managed_id;
	uint32_t flags, index, os_tid;
};

struct nt_ev_clr_unknown {
	nt_str name; /* as the carrier called it */
};

struct nt_ev_file {
	uint64_t bytes;
};

struct nt_event {
	uint16_t kind;   /* enum nt_event_kind */
	uint8_t version; /* of the runtime's event; 0 elsewhere */
	bool beside;     /* told beside the stream that counts: for its stack, or as a detail that that one leaves out */
	uint32_t pid;    /* nettop's pid namespace; 0 = no process: see enum nt_event_of */
	uint32_t tid;    /* nettop's pid namespace; 0 = no thread */
	nt_stack
		stack; /* what the thread was doing; of runtime events managed frames only. 0 = the carrier has none, or nobody asks. Samples have their own */
	nt_time time;
	union {
		struct nt_ev_source_state source_state;
		struct nt_ev_lost lost;
		struct nt_ev_cover cover;
		struct nt_ev_sample sample;
		struct nt_ev_thread thread;
		struct nt_ev_proc proc;
		struct nt_ev_thread_stat thread_stat;
		struct nt_ev_io io;
		struct nt_ev_host host;
		struct nt_ev_cgroup cgroup;
		struct nt_ev_descriptor descriptor;
		struct nt_ev_descriptors descriptors;
		struct nt_ev_calls calls;
		struct nt_ev_calls_told calls_told;
		struct nt_ev_caller caller;
		struct nt_ev_self self;
		struct nt_ev_look look;
		struct nt_ev_keep_stacks keep_stacks;
		struct nt_ev_keep_samples keep_samples;
		struct nt_ev_interval interval;
		struct nt_ev_target target;
		struct nt_ev_map map;
		struct nt_ev_code code;
		struct nt_ev_code_end code_end;
		struct nt_ev_file file;
		struct nt_ev_name name;
		struct nt_ev_assembly assembly;
		struct nt_ev_il_map il_map;
		struct nt_ev_source_lines source_lines;
		struct nt_ev_rundown rundown;
		struct nt_ev_counter counter;
		struct nt_ev_instrument instrument;
		struct nt_ev_request request;
		struct nt_ev_request_made request_made;
		struct nt_ev_activity activity;
		struct nt_ev_connections connections;
		struct nt_ev_switch switched;
		struct nt_ev_wake wake;
		struct nt_ev_stack found;
		struct nt_ev_moment moment;
		struct nt_ev_lock_state lock_state;
		struct nt_ev_wall_sample wall_sample;
		struct nt_ev_gc_start gc_start;
		struct nt_ev_gc_end gc_end;
		struct nt_ev_gc_heap_stats gc_heap_stats;
		struct nt_ev_gc_suspend_begin gc_suspend_begin;
		struct nt_ev_gc_triggered gc_triggered;
		struct nt_ev_gc_global_history gc_global_history;
		struct nt_ev_gc_heap_history gc_heap_history;
		struct nt_ev_gc_mark gc_mark;
		struct nt_ev_gc_setting gc_setting;
		struct nt_ev_jit_setting jit_setting;
		struct nt_ev_finalizers_end finalizers_end;
		struct nt_ev_alloc alloc;
		struct nt_ev_jit_start jit_start;
		struct nt_ev_method method;
		struct nt_ev_module_load module_load;
		struct nt_ev_tiering tiering;
		struct nt_ev_pool_workers pool_workers;
		struct nt_ev_pool_adjust pool_adjust;
		struct nt_ev_pool_sample pool_sample;
		struct nt_ev_pool_minmax pool_minmax;
		struct nt_ev_pool_counts pool_counts;
		struct nt_ev_pool_item pool_item;
		struct nt_ev_thread_allocated thread_allocated;
		struct nt_ev_contention contention;
		struct nt_ev_lock_created lock_created;
		struct nt_ev_exception exception;
		struct nt_ev_exception_catch exception_catch;
		struct nt_ev_exception_step exception_step;
		struct nt_ev_clr_thread clr_thread;
		struct nt_ev_clr_unknown clr_unknown;
		struct nt_ev_told told;
		struct nt_ev_told_more told_more;
		struct nt_ev_telling telling;
		struct nt_ev_tell tell;
	} u;
};

/* ---- batch ---- */

/* An announced text: bytes[offset .. offset+length), not NUL-terminated, any bytes. */
struct nt_batch_str {
	nt_str id;
	uint32_t length;
	uint64_t offset;
};

/* An announced call chain: addresses[offset .. offset+count), leaf first; the first kernel_count are kernel addresses. */
struct nt_batch_stack {
	nt_stack id;
	uint16_t kernel_count;
	uint16_t count;
	uint64_t offset;
};

/*
 * A line of the perf map: code in [start, start+size), named bytes[offset .. offset+length) of the batch, as the runtime wrote it (any bytes, not
 * NUL-terminated). Tier, assembly and display name are in this text; nt_method_name_from_perfmap() reads them.
 */
struct nt_batch_line {
	uint64_t start;
	uint32_t size, offset;
	uint16_t length;
	uint16_t kind; /* enum nt_code_kind: JIT or STUB */
};

/*
 * A line whose text stays in the map file, at `offset`. No more is said of it than what the model keeps, because there are so many. Of an IL_MAP event: code that
 * was made of the IL at `offset`.
 */
struct nt_batch_place {
	uint64_t start;
	uint32_t size, offset;
};

struct nt_batch {
	enum nt_source_id source;
	/*
	 * 0: its ids are those of the source, whatever process an event is of. Else it was made for this process: all its events are that one's, its epoch
	 * and ids have nothing to do with those of another, and what it announces before the model knows that process is lost.
	 */
	uint32_t pid;
	uint32_t epoch;    /* ids of another epoch of this source (and process) are forgotten; set by nt_interner_begin() */
	nt_time newest_ns; /* greatest time of an event that tells of the target; 0 = none */
	size_t own_count;  /* of the other events: what the source says about itself */

	struct nt_event *events; /* owned */
	size_t event_count, event_capacity;
	struct nt_batch_str *strs; /* owned */
	size_t str_count, str_capacity;
	struct nt_batch_stack *stacks; /* owned */
	size_t stack_count, stack_capacity;
	struct nt_batch_line *lines; /* owned; of CODE, ASSEMBLY and TOLD events */
	size_t line_count, line_capacity;
	struct nt_batch_place *places; /* owned; of CODE and IL_MAP events */
	size_t place_count, place_capacity;
	char *bytes; /* owned; text of strs and lines */
	size_t byte_count, byte_capacity;
	uint64_t *addresses; /* owned; of stacks */
	size_t address_count, address_capacity;
};

/* A batch has one owner at a time: the source fills it, the loop takes it, applies it and gives it back. */
struct nt_batch *nt_batch_new(enum nt_source_id source);
void nt_batch_free(struct nt_batch *batch); /* NULL is allowed */

/* Empty the batch, keep its memory. */
void nt_batch_reset(struct nt_batch *batch);

/* A deep copy that the caller owns; for retaining (replay check, recording). */
struct nt_batch *nt_batch_copy(const struct nt_batch *batch);

/* Append one zeroed event with kind, time, pid and tid set. The pointer is valid until the next append. Never NULL. */
struct nt_event *nt_batch_add(struct nt_batch *batch, enum nt_event_kind kind, nt_time time, uint32_t pid, uint32_t tid);

/* Undo the newest nt_batch_add(): what the event was made from turned out to be damaged. The bounds of the times keep its own. */
void nt_batch_take_back(struct nt_batch *batch);
/* Leave out the events for which `stays` is false; what they announced stays. */
void nt_batch_leave_out(struct nt_batch *batch, bool (*stays)(const void *context, const struct nt_event *event), const void *context);

/*
 * Append lines to the newest event of the batch, which is a CODE event with `map` 0. Their names, at their offsets in `text`, are copied into the batch,
 * which holds less than 4 GB of text.
 */
void nt_batch_add_lines(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text);

/* Append places to the newest event of the batch, which is a CODE event with `map` above 0. */
void nt_batch_add_places(struct nt_batch *batch, const struct nt_batch_place *places, size_t count);

/* Append the places of a map to the newest event, which is an IL_MAP event. */
void nt_batch_add_il_map(struct nt_batch *batch, const struct nt_batch_place *places, size_t count);

/* Append instructions to the newest event, which is an ASSEMBLY event; their texts as those of lines. Their kind means nothing. */
void nt_batch_add_instructions(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text);

/*
 * Append points to the newest event, which is a SOURCE_LINES event. `text` with their paths, several of which may be the same, is copied once; offsets beyond it
 * are the caller's fault.
 */
void nt_batch_add_source_lines(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text, size_t length);

/* Append the fields of the newest event of the batch, which is a TOLD event: text of base/told_text.h, less than 64 KB. */
void nt_batch_add_told(struct nt_batch *batch, const char *fields, size_t length);

/* Low-level announcements; sources use struct nt_interner (src/base/interner.h), which calls these for new texts and stacks only. */
void nt_batch_announce_str(struct nt_batch *batch, nt_str id, const char *text, size_t length);
void nt_batch_announce_stack(struct nt_batch *batch, nt_stack id, const uint64_t *addresses, unsigned kernel_count, unsigned count);

/* Stable lower-case names for logs, the details writer, JSON and documents. Never NULL; "?" for a value out of range. */
const char *nt_source_name(enum nt_source_id source);
const char *nt_source_state_name(enum nt_source_state state);
const char *nt_code_kind_name(enum nt_code_kind kind);       /* jit stub r2r runtime native kernel unknown */
const char *nt_tier_name(enum nt_tier tier);                 /* "" tier0 tier1 osr ...; "" for NT_TIER_UNKNOWN */
bool nt_gc_reason_is_large(uint64_t reason);                 /* large objects made it necessary: their budget, or no room for one */
const char *nt_gc_reason_name(uint64_t reason);              /* gen0 budget, LOH allocation ...; "unheard-of" */
const char *nt_gc_generation_name(unsigned index);           /* gen0 gen1 gen2, and of 3: gen2 bg, those in the background; "?" beyond */
const char *nt_target_mode_name(enum nt_target_mode mode);   /* unknown none N F all */
const char *nt_counter_kind_name(enum nt_counter_kind kind); /* gauge increment total up_down histogram */

#endif
