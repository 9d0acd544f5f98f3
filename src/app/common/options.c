// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/options.h"

#include "app/common/command_table.h"
#include "app/common/option_values.h"
#include "base/alloc.h"
#include "nettop/source.h"
#include "serve/listen_address.h"
#include "source/export/symbol_servers.h"
#include "target/process/settings.h"
#include "target/needs/readonly.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Sets of commands. */
enum {
	WATCH = 1 << NT_COMMAND_WATCH,
	RUN = 1 << NT_COMMAND_RUN,
	DOCTOR = 1 << NT_COMMAND_DOCTOR,
	ENV = 1 << NT_COMMAND_ENV,
	PS = 1 << NT_COMMAND_PS,
	CONFIG = 1 << NT_COMMAND_CONFIG,
	COMPLETION = 1 << NT_COMMAND_COMPLETION,
	JIT = 1 << NT_COMMAND_JIT,
	STACKS = 1 << NT_COMMAND_STACKS,
	MAP = 1 << NT_COMMAND_MAP,
	THREADS = 1 << NT_COMMAND_THREADS,
	SYMBOLS = 1 << NT_COMMAND_SYMBOLS,
	REPORT = 1 << NT_COMMAND_REPORT,
	HEAP = 1 << NT_COMMAND_HEAP,
	DUMP = 1 << NT_COMMAND_DUMP,
	EVENTS = 1 << NT_COMMAND_EVENTS,
	RECORD = 1 << NT_COMMAND_RECORD,
	REPLAY = 1 << NT_COMMAND_REPLAY,
	SERVE = 1 << NT_COMMAND_SERVE,
	EXPORT = 1 << NT_COMMAND_EXPORT,
	DIFF = 1 << NT_COMMAND_DIFF,
	LAUNCH = RUN | ENV,
	SHOW = WATCH | RUN,
	COLLECT = SHOW | RECORD,
	FAR = WATCH | DOCTOR | PS | STACKS | THREADS | REPORT | HEAP | EVENTS,
	ALL = (1 << NT_COMMAND_COUNT) - 1,
	RECORDED = 1 << NT_COMMAND_COUNT /* no command: it is also said of a recording (--replay), which can be asked nothing more */
};

static const struct option_entry {
	int value;
	const char *name;
	const char *argument; /* NULL = none */
	unsigned commands;    /* the set that takes it */
	const char *help;
} entries[] = {
	{ 'p', "pid", "PID|NAME", ALL & ~(WATCH | RUN | REPLAY | EXPORT | DIFF | PS | CONFIG | COMPLETION | SERVE),
	  "the process, by pid or by a name that only one process has" },
	{ 'p', "pid", "PID|NAME[,...]", WATCH,
	  "the process, by pid or name; of several, or of a name that several have, a list: Enter opens one" },
	{ 'p', "pid", "PID|NAME[,...]", SERVE, "the processes, by pid or name; those that begin later, too" },
	{ OPT_ALL, "all", NULL, SERVE, "all .NET processes: what the kernel counts of each, with --source eventpipe their events, too" },
	{ OPT_ALL, "all", NULL, WATCH, "a list of all .NET processes, with -p of all of that name, also of those that begin later" },
	{ OPT_CGROUP, "cgroup", "PATH", WATCH | SERVE,
	  "likewise of this control group and those below it: /system.slice/shop.service, or its folder" },
	{ OPT_CHILDREN, "follow-children", NULL, WATCH | SERVE, "likewise of those of -p and of all that they have started" },
	{ 'f', "format", "FORMAT", ENV, "shell (default), systemd, docker or kubernetes" },
	{ 'f', "format", "FORMAT[,FORMAT]", STACKS | RECORDED,
	  "folded (default), flamegraph (SVG), speedscope, pprof or perf-script; of several each is a file: FILE.svg, FILE.folded ..." },
	{ 'f', "format", "FORMAT", DIFF,
	  "text (default), json, or flamegraph: an SVG of AFTER, coloured by how the share of each call has changed" },
	{ 'f', "format", "FORMAT", EXPORT,
	  "speedscope, chrome (Trace Event Format: Perfetto), firefox, perf-script (FlameScope), nettrace (PerfView, dotnet-trace), "
	  "perfcollect "
	  "(PerfView), csv (default: as OUT ends: .speedscope.json, .trace.json, .firefox.json, .perf-script, .nettrace, .trace.zip, "
	  ".csv)" },
	{ 'f', "format", "FORMAT", REPORT | RECORDED,
	  "text (default), markdown, html (one page with the flame graph), or json: the summary line of nettop --json" },
	{ 'e', "event", "EVENT[,EVENT]", STACKS,
	  "stacks of where this happens in place of CPU time: page-faults, sched:sched_switch, u:libc.so.6:malloc (ur: its return), "
	  "clr:ExceptionThrown, wait; list: what can be had here" },
	{ 'e', "event", "PATTERN", EVENTS,
	  "clr/GC*, lttng/GC* (the same over LTTng, where it does no harm); NAME[/EVENT][:KEYWORDS:LEVEL:ARGUMENTS] of an EventSource; "
	  "log[:CATEGORY=LEVEL]; list: the runtime's" },
	{ OPT_AS, "as", "gclog", EVENTS,
	  "in place of -e: collections as they end, with pause, sizes and who asked for it, over LTTng or the port" },
	{ OPT_STACKS, "stacks", NULL, EVENTS,
	  "each with its call stack, some 3 us more each; at most 2000 a second are told then, and the others counted" },
	{ OPT_OFF_CPU, "off-cpu", NULL, STACKS | RECORDED,
	  "stacks of where threads wait, by the time, exact where the kernel permits: as -e " NT_MOMENT_WAIT_WORD },
	{ OPT_ALL_TIME, "wall", NULL, STACKS | RECORDED,
	  "all time of the threads, in ns: what ran by samples, what was blocked or waited for a CPU by each switch" },
	{ OPT_DURING, "during", "gc-pauses|outside", STACKS | RECORDED,
	  "only the samples that were taken while the program was paused for a collection, or all but those" },
	{ 'o', "output", "FILE", HEAP,
	  "the file; FILE.gcdump: all objects and references, for PerfView and dotnet-gcdump report (memory: as --held)" },
	{ 'o', "output", "FILE", STACKS | MAP | REPORT | DIFF | RECORDED,
	  "the file; one of yours that is there is replaced, no link is followed (default: standard output)" },
	{ 'o', "output", "OUT", EXPORT, "the file; one of yours that is there is replaced, no link is followed" },
	{ 'o', "output", "FILE", RECORD, "the file, which must not be there; it is yours alone (0600)" },
	{ OPT_LIMIT, "limit", "SIZE", RECORD, "end when the file has so many bytes (K, M, G; default: no limit)" },
	{ OPT_FLIGHT, "flight", "MIN", SHOW,
	  "keep the last minutes in memory, 24 MB at most: key w, SIGUSR2 or --on ...=record writes them" },
	{ OPT_FLIGHT, "flight", "MIN", RECORD,
	  "keep the last minutes, in memory, 24 MB at most; the file has them at the end, SIGUSR2 writes another" },
	{ OPT_SYMFS, "symfs", "DIR", MAP,
	  "a new folder for perf report --symfs: names of precompiled code; without -o in place of the map" },
	{ OPT_CORE, "core", "FILE", THREADS | STACKS | HEAP,
	  "of a core dump in place of a process; nothing that it was need be there any more" },
	{ OPT_REPLAY, "replay", "FILE", JIT | STACKS | THREADS | REPORT | RECORDED,
	  "of what nettop record has written, in place of a process: nothing is asked of any" },
	{ OPT_FROM, "from", "TIME", REPLAY | EXPORT | DIFF | JIT | STACKS | REPORT | RECORDED,
	  "of a recording from then on: +SEC since its begin, HH:MM:SS, or YYYY-MM-DDTHH:MM:SS" },
	{ OPT_TO, "to", "TIME", REPLAY | EXPORT | DIFF | JIT | STACKS | THREADS | REPORT | RECORDED, "likewise up to then" },
	{ OPT_BEFORE_FROM, "before-from", "TIME", DIFF, "likewise of BEFORE from then on" },
	{ OPT_BEFORE_TO, "before-to", "TIME", DIFF, "likewise of BEFORE up to then" },
	{ OPT_SYMFS, "symfs", "DIR", THREADS | STACKS,
	  "with --core: look below this folder for the files that the process had mapped, which must be of the same build (default: /)" },
	{ 'o', "output", "DIR", SYMBOLS,
	  "the folder, where they are called LIBRARY.dbg (default: debuginfod's cache, where nettop looks by itself)" },
	{ OPT_SERVER, "server", "URL", SYMBOLS,
	  "ask this server, as a symbol server and as debuginfod (default: " NT_SYMBOL_SERVER_DEFAULT " and $DEBUGINFOD_URLS)" },
	{ OPT_EVENTS, "events", "default|full", LAUNCH | RECORD,
	  "full: also thread-pool events, which cost the program " NT_COST_MODE_F " (mode F instead of N)" },
	{ OPT_EVENT_SOURCE, "event-source", "TEXT", ENV,
	  "also events of the EventSources whose name contains this, for an LTTng session of your own: nettop reads none of them" },
	{ OPT_EVENT_NAME, "event-name", "TEXT", LAUNCH, "of these and of the thread pool's only events whose name contains this" },
	{ OPT_EVENT_SOURCE, "event-source", "NAME", WATCH,
	  "events of this EventSource (clr: the runtime) on screen 9, and no others; with --json from the start" },
	{ OPT_EVENT_NAME, "event-name", "NAME", WATCH, "of these, or without them of the runtime, only the events of this name or number" },
	{ OPT_EVENT_SOURCE, "event-source", "NAME", EVENTS, "all events of this EventSource, as -e NAME; of several each" },
	{ OPT_EVENT_NAME, "event-name", "NAME", EVENTS,
	  "of these, or without them of the runtime, only the events of this name or number; the process makes no others for a number" },
	{ OPT_BRIDGE, "bridge", "DIR", LAUNCH | JIT | RECORD,
	  "the folder of the bridge as the program will see it; '' = none (default: that of this nettop)" },
	{ 'd', "delay", "SEC", SHOW, "seconds between two frames, 0.1 to 3600 (default 1)" },
	{ 'd', "delay", "SEC", SERVE, "length of an interval, 0.1 to 3600 s (default 1): what is no counter is of the last one" },
	{ OPT_LISTEN, "listen", "ADDRESS:PORT", SERVE,
	  "serve there (default " NT_LISTEN_DEFAULT "); there is no password and no encryption: beyond this machine only behind a proxy" },
	{ 'b', "batch", NULL, SHOW | REPLAY, "frames as text on standard output instead of the screen" },
	{ OPT_JSON, "json", NULL, SHOW | REPLAY, "one JSON object per line: each interval, and a summary at the end" },
	{ OPT_JSON, "json", NULL, RECORD,
	  "also the lines of nettop --json, on standard output: nettop replay --json writes the same ones" },
	{ 'f', "format", "FORMAT", SHOW,
	  "text, json; counters-csv, counters-json: counters alone, as dotnet-counters collect writes them" },
	{ OPT_JSON, "json", NULL, DOCTOR | PS | JIT | SYMBOLS | THREADS | REPORT | HEAP | DIFF | RECORDED, "one JSON object" },
	{ OPT_JSON, "json", NULL, EVENTS, "one JSON object per line" },
	{ OPT_PROCESS, "process", "PID|NAME", REPLAY | EXPORT | STACKS | REPORT | RECORDED,
	  "of a perf.data of several processes this one (default: that with most samples)" },
	{ OPT_PERF_MAP, "perf-map", "FILE", REPLAY | EXPORT | STACKS | REPORT | RECORDED,
	  "for a perf.data: the perf map or jitdump of the process, as it was when perf record ended; it has the names of generated code" },
	{ OPT_SPEED, "speed", "N", REPLAY, "on the screen: so many times as fast as it was, 1 to 1000 (default 1; keys , and .)" },
	{ 'n', "count", "N", SHOW | REPLAY, "end after N intervals" },
	{ 'n', "count", "N", EVENTS, "end after N events" },
	{ OPT_DURATION, "duration", "SEC", SHOW, "end after this time" },
	{ OPT_OTLP, "otlp", "URL", SERVE,
	  "send each interval to this collector (OTLP over HTTP, http://127.0.0.1:4318), with -d 10 by default; served only with --listen "
	  "then" },
	{ OPT_WITH, "with", "WHAT[,WHAT]", SERVE,
	  "also what costs the processes more: samples (of CPU time, by method), requests (by route), jit (compilations), allocations (by "
	  "type)" },
	{ OPT_DURATION, "duration", "SEC", SERVE, "end after this time (default: with Ctrl-C)" },
	{ OPT_DURATION, "duration", "SEC", JIT | STACKS | RECORD, "end after this time (default: when the program ends, or with Ctrl-C)" },
	{ OPT_DURATION, "duration", "SEC", EVENTS, "end after this time (default: with Ctrl-C, or with the process)" },
	{ OPT_DURATION, "duration", "SEC", REPORT, "watch for so long (default 30)" },
	{ OPT_COMPARE, "compare", "OLD.json", JIT | RECORDED,
	  "old, new and difference of each line; OLD.json is what --json wrote before the change" },
	{ OPT_COMPARE, "compare", "OLD", HEAP, "what grew since then; OLD is what --json wrote, or a .gcdump file" },
	{ OPT_HELD, "held", NULL, HEAP,
	  "also what each static field alone holds: references are told too, and take memory here and in the process, which is said "
	  "first" },
	{ OPT_PATHS, "paths", "TYPE", HEAP,
	  "likewise, and who holds the objects of this type (Shop.Order; Order, if no other one ends so)" },
	{ OPT_TYPE, "type", "TYPE", DUMP,
	  "full (default): all memory; heap: what objects and stacks are in; mini, triage: stacks, triage without what may be secret; "
	  "report: the stacks of all "
	  "threads as JSON" },
	{ 'o', "output", "FILE", DUMP, "the file (default: NAME.PID.core here, which must not be there)" },
	{ OPT_IN, "in", "DIR", DUMP,
	  "the folder, as the process sees it, in which its runtime writes first (default: where the file is to be, if it can; else its "
	  "temporary folder)" },
	{ OPT_YES, "yes", NULL, FAR & ~HEAP, "with --ssh: where there is no nettop, copy this one for that time without asking" },
	{ OPT_YES, "yes", NULL, HEAP | DUMP, "do it without asking: where no terminal is, nobody can be asked" },
	{ OPT_REPEAT, "repeat", "N", JIT, "run COMMAND N times, one after the other: medians, and how much the runs differ" },
	{ OPT_FAIL_ABOVE, "fail-above", "LIMIT[,LIMIT]", JIT | RECORDED,
	  "methods=N, ms=N: exit status 1 when it is more (ms of CPU time; by the clock where that is not known)" },
	{ OPT_ON, "on", "CONDITION[=ACTION]", SHOW | RECORD,
	  "FIGURE>LIMIT (gc.pause>200ms), finding[.NAME], exit: mark (default), bell, save, record, exit (5)" },
	{ OPT_GC_PAUSE, "gc-pause", "MS", SHOW, "mark each interval with a longer pause, and ring: --on 'gc.pause>MSms=mark,bell'" },
	{ OPT_TOP, "top", "N", COLLECT | REPLAY, "method rows in each JSON interval (default 50; the summary has all)" },
	{ OPT_SORT, "sort", "[TABLE.]COLUMN", COLLECT | REPLAY,
	  "the order of a table, by names as in JSON: total_pct (of methods), gc.pause_ns; more than once, too" },
	{ OPT_ROWS, "rows", "N", SHOW | REPLAY, "method rows in each text frame (default 20)" },
	{ OPT_ROWS, "rows", "N", REPORT | RECORDED, "rows of each table (default 10)" },
	{ OPT_ROWS, "rows", "N", HEAP, "types in the text (default 20; JSON has all)" },
	{ OPT_SOURCE, "source", "NAME[,NAME]", COLLECT | JIT | REPORT | SERVE,
	  "use only these sources: perf, lttng, eventpipe, runtime, map (procfs is always used)" },
	{ OPT_PREFER, "prefer", "lttng|eventpipe", COLLECT | JIT | REPORT | SERVE,
	  "who brings events that both could (default lttng; eventpipe: no port that others can read)" },
	{ 'F', "frequency", "HZ", COLLECT | STACKS | REPORT,
	  "CPU samples per second and CPU, 1 to 10000 (default 99; hybrid: at most 199)" },
	{ OPT_MAX_TARGET_COST, "max-target-cost", "PCT", COLLECT | STACKS | REPORT,
	  "percent of its CPU time that samples, calls, single requests, work items may each cost it (default 5)" },
	{ OPT_MAX_TARGET_COST, "max-target-cost", "PCT", EVENTS,
	  "percent of its CPU time that events may cost the process, by their number (default 5; 100: no limit)" },
	{ OPT_MAX_TARGET_COST, "max-target-cost", "PCT", JIT,
	  "percent of its CPU time that it may cost the process to be told when its threads have a CPU (default 5)" },
	{ OPT_CALL_GRAPH, "call-graph", "fp|leaf|hybrid", COLLECT | STACKS | REPORT,
	  "call chains by frame pointers, or also through code that has none, from a copy of the stack" },
	{ OPT_RELAY, "relay", "net://HOST[:PORT]", WATCH,
	  "a list of the .NET processes whose hosts send live sessions to this lttng-relayd" },
	{ OPT_SESSION, "session", "NAME", COLLECT | EVENTS, "read this existing local LTTng live session instead of an own one" },
	{ OPT_ALLOC, "alloc", NULL, COLLECT | REPORT, "also allocations by type from the start: about 1 event per 100 KB allocated" },
	{ OPT_CALLS, "calls", NULL, COLLECT | REPORT,
	  "also calls that read, write, open and connect from the start, by what they are on, where permitted" },
	{ OPT_JIT_CALLERS, "jit-callers", NULL, COLLECT | REPORT,
	  "also who causes compilations, from the start: costs the program 5 us or more for each" },
	{ OPT_POOL_ITEMS, "pool-items", NULL, COLLECT | REPORT,
	  "also how long each work item waits for a worker, from the start: costs half a us or more for each" },
	{ OPT_REQUESTS, "requests", NULL, COLLECT | REPORT,
	  "also each request that is served, from the start: costs the program 5 us or more (--max-target-cost)" },
	{ OPT_REQUEST_CPU, "request-cpu", NULL, COLLECT | REPORT,
	  "likewise, and which of them CPU time is for: costs the program 7 us or more a request" },
	{ OPT_NO_PAYLOAD, "no-payload", NULL, EVENTS, "no fields: which event, when and on which thread" },
	{ OPT_NO_PAYLOAD, "no-payload", NULL, COLLECT | REPORT, "never ask for texts that the program works on: paths of its requests" },
	{ OPT_WAITS, "waits", NULL, COLLECT | REPORT,
	  "also waits from the start: exactly, by each switch of a thread, where that is permitted" },
	{ OPT_WALL, "wall", NULL, COLLECT,
	  "begin with wall time of all threads; .NET 8, 9: the runtime's sampler, " NT_PRICE_WALL_SAMPLES_SHORT },
	{ OPT_COUNTERS, "counters", "NAME[,NAME]", COLLECT | REPORT,
	  "also counters from the start: .NET's (-NAME: not that one), and of EventSources and Meters so named" },
	{ OPT_CATCHES, "catches", NULL, COLLECT | REPORT,
	  "also who catches exceptions, from the start: " NT_PRICE_CATCHES " of the target's time each" },
	{ OPT_EXCEPTIONS, "exceptions", NULL, COLLECT | REPORT | SERVE,
	  "also exceptions of a target served by LTTng's own library, where an LTTng session could end it then" },
	{ OPT_SSH, "ssh", "HOST", FAR, "on that machine, shown here; where there is no nettop, it asks and copies itself" },
	{ OPT_READONLY, "readonly", NULL, WATCH | SERVE | RECORD | STACKS | MAP | DOCTOR | THREADS | REPORT,
	  "change nothing in the target" NT_CHANGE_THINGS },
	{ OPT_NATIVE, "native", NULL, THREADS, "also frames of native code, and stacks of threads that run no managed code" },
	{ OPT_NO_RUNDOWN, "no-rundown", NULL, COLLECT | REPORT,
	  "never ask the runtime for the list of its methods, which names what nothing else does" },
	{ OPT_MAP, "map", NULL, COLLECT | STACKS | REPORT,
	  "switch a perf map on even where the runtime's own data name its code (.NET 10)" },
	{ OPT_MAX_MAP, "max-map", "SIZE", COLLECT | STACKS | MAP | THREADS | REPORT,
	  "limit of a perf map that nettop switches on (default 256M, and a tenth of what is free; 0: none)" },
	{ OPT_ASCII, "ascii", NULL, SHOW | REPLAY, "draw with ASCII characters only" },
	{ OPT_MOUSE, "mouse", NULL, SHOW | REPLAY,
	  "a click selects, opens, sorts, chooses, the wheel scrolls (MOUSE); Shift and the mouse select text" },
	{ OPT_PLAIN, "plain", NULL, SHOW | PS | REPLAY,
	  "sentences to be read aloud: what is wrong first, then only what changes; each 5 s without -d" },
	{ OPT_SLOW, "slow", NULL, SHOW | REPLAY,
	  "for a line of 9600 baud: at most 960 bytes a second, the header first; each 3 seconds without -d" },
	{ OPT_THEME, "theme", "NAME", SHOW | REPLAY,
	  "colours: auto (default: by the background), dark, light, contrast, terminal (its own 16), mono" },
	{ OPT_NO_CONFIG, "no-config", NULL, SHOW | REPLAY, "leave alone what key W has kept: everything as usual" },
	{ OPT_CHECK_REPLAY, "check-replay", NULL, SHOW,
	  "keep all batches, apply them to a second model at the end, say whether all snapshots are equal" },
	{ 'h', "help", NULL, ALL | RECORDED, "this text" },
	{ 'V', "version", NULL, WATCH, "version and licence" },
};
/* By default a sample for each 5 ms of CPU time: it takes 15 to 60 us from a target in a virtual machine, which is 1 % of a program with deep stacks. */
enum { DEFAULT_HZ = 99, HYBRID_HZ_MAX = 199, DEFAULT_MAX_MAP = 256 << 20 };
/* What can be listened to. */
#define SPOKEN_DELAY_NS (5 * NT_NS_PER_S)
enum { SPOKEN_ROWS = 5 };
enum { ENTRY_COUNT = sizeof(entries) / sizeof(entries[0]) };

/* 0 = it has none. -d is the delay of frames; where there are none, it is the duration. */
static char letter_of(const struct option_entry *entry)
{
	if (entry->value == OPT_DURATION && !(entry->commands & SHOW))
		return 'd';
	return entry->value < 256 ? (char)entry->value : '\0';
}

/* By its value or its letter, whichever getopt says; NULL = the command does not take it. */
static const struct option_entry *find_entry(enum nt_command command, int value)
{
	for (size_t i = 0; i < ENTRY_COUNT; i++)
		if (entries[i].commands & 1u << command && (entries[i].value == value || letter_of(&entries[i]) == value))
			return &entries[i];
	return NULL;
}

/* getopt's own tables for one command, made from ours. */
static void make_tables(enum nt_command command, struct option long_options[ENTRY_COUNT + 1], char short_options[2 * ENTRY_COUNT + 3])
{
	char *at = short_options;
	size_t count = 0;
	if (command == NT_COMMAND_RUN || command == NT_COMMAND_JIT || command == NT_COMMAND_RECORD || command == NT_COMMAND_COMPLETION)
		*at++ = '+'; /* the first word that is no option begins the program's own */
	*at++ = ':';         /* a missing argument is told apart from an unknown option */
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct option_entry *entry = &entries[i];
		if (!(entry->commands & 1u << command))
			continue;
		long_options[count++] =
			(struct option){ entry->name, entry->argument ? required_argument : no_argument, NULL, entry->value };
		if (letter_of(entry)) {
			*at++ = letter_of(entry);
			if (entry->argument)
				*at++ = ':';
		}
	}
	*at = '\0';
	long_options[count] = (struct option){ 0 };
}

/* What getopt did not understand. It names a letter in `optopt`; a word that is no option at all is the one it has just passed. */
static enum nt_status not_understood(enum nt_command command, int value, const char *word, struct nt_error *err)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	const struct option_entry *entry = optopt ? find_entry(command, optopt) : NULL;
	if (entry && value == ':')
		return nt_error_set(err, NT_ERR_USAGE, "option '--%s' needs a value (%s); see nettop --help", entry->name, entry->argument);
	if (entry)
		return nt_error_set(err, NT_ERR_USAGE, "option '--%s' takes no value; see nettop --help", entry->name);
	if (command != NT_COMMAND_WATCH)
		return nt_error_set(err, NT_ERR_USAGE, "nettop %s has no option '%s'; see nettop %s --help", nt_command_name(command),
				    optopt ? letter : word, nt_command_name(command));
	return nt_error_set(err, NT_ERR_USAGE, "there is no option '%s'; see nettop --help", optopt ? letter : word);
}

/* The rate that is not given, and one that is too high for copies of whole stacks. */
static enum nt_status settle_rate(struct nt_options *options, struct nt_error *err)
{
	bool hybrid = options->call_graph == NT_CALL_GRAPH_HYBRID;
	if (!options->perf_hz)
		options->perf_hz = DEFAULT_HZ;
	if (hybrid && options->perf_hz > HYBRID_HZ_MAX)
		return nt_error_set(err, NT_ERR_USAGE,
				    "--call-graph hybrid copies 16 KB of the stack with each sample: at most %d of them per second (-F %d)",
				    HYBRID_HZ_MAX, HYBRID_HZ_MAX);
	return NT_OK;
}

/* `asks`: an option that only a process can answer; NULL = there is none. */
static enum nt_status check_recording(const struct nt_options *options, const char *asks, struct nt_error *err)
{
	bool part = options->from.sort != NT_WHEN_NEVER || options->to.sort != NT_WHEN_NEVER;
	if (options->replay_path && asks)
		return nt_error_set(err, NT_ERR_USAGE, "--%s is of a process: a recording (--replay) can be asked for nothing more", asks);
	if (options->replay_path || options->command == NT_COMMAND_REPLAY || options->command == NT_COMMAND_EXPORT ||
	    options->command == NT_COMMAND_DIFF)
		return NT_OK;
	if (part)
		return nt_error_set(err, NT_ERR_USAGE, "--from and --to are a part of a recording: --replay FILE");
	if (options->replay_process || options->replay_names)
		return nt_error_set(err, NT_ERR_USAGE, "--process and --perf-map are of a file that is replayed: --replay FILE");
	return NT_OK;
}

/* Who writes counters to a file makes the process do nothing else; conditions may be about anything. */
static void settle_counters(struct nt_options *options)
{
	options->counters = options->counters ? options->counters : "";
	if (options->source_mask == ~0u && !options->trigger_count)
		options->source_mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_EVENTPIPE;
}

static enum nt_status take_program(struct nt_options *options, char *const *words, struct nt_error *err)
{
	if (!words[0] || !*words[0])
		return nt_error_set(err, NT_ERR_USAGE, "which program? Say nettop run -- dotnet App.dll");
	options->run_argv = words;
	return NT_OK;
}

/* Nobody keeps what would be recorded. */
static enum nt_status check_flight(const struct nt_options *options, struct nt_error *err)
{
	if (options->flight_ns && options->limit_bytes)
		return nt_error_set(err, NT_ERR_USAGE,
				    "--limit ends a recording, and --flight writes one at the end: leave one of them out");
	for (size_t i = 0; i < options->trigger_count && !options->flight_ns; i++)
		if (options->triggers[i].actions & NT_TRIGGER_RECORD)
			return nt_error_set(err, NT_ERR_USAGE, "--on ...=record needs --flight MINUTES, which keeps what is recorded then");
	return NT_OK;
}

/* A process that runs, or a program to start. */
static enum nt_status take_either(struct nt_options *options, char *const *words, struct nt_error *err)
{
	if (options->replay_path && !options->target && !words[0])
		return NT_OK;
	if (options->replay_path || !options->target == !words[0])
		return nt_error_set(err, NT_ERR_USAGE, "one process or one program: nettop %s -p PID, or nettop %s -- dotnet App.dll",
				    nt_command_name(options->command), nt_command_name(options->command));
	if (options->target && options->repeat)
		return nt_error_set(err, NT_ERR_USAGE, "--repeat is for a program to start: nettop jit --repeat 5 -- dotnet App.dll");
	return options->target ? NT_OK : take_program(options, words, err);
}

/* nettop help [COMMAND], as people try it first. A process of that name is `-p help`. */
static enum nt_status take_help(struct nt_options *options, int argc, char **argv, struct nt_error *err)
{
	enum nt_command about = nt_command_called(argc > 2 ? argv[2] : NULL);
	*options = (struct nt_options){ .command = about, .show_help = true };
	if (argc > 3 || (argc > 2 && about == NT_COMMAND_WATCH))
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is no command of nettop; see nettop --help", argv[argc - 1]);
	return NT_OK;
}

/* Several are no wish that nettop can fulfil; the last would be watched, and nobody told. */
static enum nt_status only_one(const struct nt_options *options, const char *another, struct nt_error *err)
{
	if (!options->target)
		return NT_OK;
	return options->command == NT_COMMAND_WATCH || options->command == NT_COMMAND_SERVE
		       ? nt_error_set(err, NT_ERR_USAGE, "several processes are one list: -p %s,%s", options->target, another)
		       : nt_error_set(err, NT_ERR_USAGE, "nettop looks at one process at a time: -p %s or -p %s", options->target, another);
}

void nt_options_speak(struct nt_options *options)
{
	options->plain = true;
	if (options->output == NT_OUTPUT_SCREEN)
		options->output = NT_OUTPUT_TEXT;
	if (!options->delay_given)
		options->delay_ns = SPOKEN_DELAY_NS;
	if (!options->rows_given)
		options->rows = SPOKEN_ROWS;
}

/* --ssh HOST before a command's word: the host, and the words behind it; NULL = it is not there. */
static const char *take_ssh(int *argc, char ***argv)
{
	static const char joined[] = "--ssh=";
	const char *first = *argc > 1 ? (*argv)[1] : "", *host = NULL;
	if (strncmp(first, joined, sizeof(joined) - 1) == 0)
		host = first + sizeof(joined) - 1;
	else if (*argc > 2 && strcmp(first, "--ssh") == 0)
		host = (*argv)[2];
	int words = !host ? 0 : first[sizeof(joined) - 2] ? 1 : 2;
	*argc -= words;
	*argv += words;
	return host;
}

enum nt_status nt_options_parse(struct nt_options *options, int argc, char **argv, struct nt_error *err)
{
	struct option long_options[ENTRY_COUNT + 1];
	char short_options[2 * ENTRY_COUNT + 3];
	if (argc > 1 && strcmp(argv[1], "help") == 0)
		return take_help(options, argc, argv, err);
	const char *ssh_host = take_ssh(&argc, &argv);
	enum nt_command command = nt_command_called(argc > 1 ? argv[1] : NULL);
	if (ssh_host && !(FAR & 1u << command))
		return nt_error_set(err, NT_ERR_USAGE, "nettop %s is not for another machine", argv[1]);
	if (command != NT_COMMAND_WATCH) {
		argc--;
		argv++;
	}
	make_tables(command, long_options, short_options);
	*options = (struct nt_options){ .command = command,
					.delay_ns = NT_NS_PER_S,
					.speed = 1,
					.top = 50,
					.rows = command == NT_COMMAND_REPORT ? 10 : 20,
					.duration_ns = command == NT_COMMAND_REPORT ? 30 * NT_NS_PER_S : 0,
					.source_mask = ~0u,
					.max_map_bytes = DEFAULT_MAX_MAP,
					.launch.perf_map = true,
					.ssh_host = ssh_host,
					.line = argv,
					.line_count = argc };
	const char *asks = NULL; /* an option that only a process can answer */
	opterr = 0;
	optind = 0; /* glibc: forget an earlier command line */
	for (int value; (value = getopt_long(argc, argv, short_options, long_options, NULL)) != -1;) {
		if (value == ':' || value == '?')
			return not_understood(command, value, argv[optind - 1], err);
		const struct option_entry *entry = find_entry(command, value);
		asks = asks || entry->commands & RECORDED ? asks : entry->name;
		options->rows_given = options->rows_given || entry->value == OPT_ROWS;
		options->delay_given = options->delay_given || (entry->value == 'd' && command != NT_COMMAND_REPORT);
		enum nt_status status = entry->value == 'p' ? only_one(options, optarg, err) : NT_OK;
		if (status == NT_OK)
			status = nt_option_set(options, entry->value, entry->name, optarg, err);
		if (status != NT_OK)
			return status;
	}
	if (options->plain)
		nt_options_speak(options);
	if (options->show_help || options->show_version)
		return NT_OK;
	if (check_recording(options, asks, err) != NT_OK)
		return NT_ERR_USAGE;
	if (settle_rate(options, err) != NT_OK)
		return NT_ERR_USAGE;
	if (command == NT_COMMAND_WATCH && nt_events_choice_of(options->event_sources, options->event_source_count, options->event_names,
							       options->event_name_count, options->event_choice, err) != NT_OK)
		return NT_ERR_USAGE;
	if (nt_readonly_check(options->readonly && options->want_map, NT_CHANGE_PERF_MAP, err) != NT_OK)
		return NT_ERR_USAGE;
	if (check_flight(options, err) != NT_OK)
		return NT_ERR_USAGE;
	if (nt_options_counters_only(options))
		settle_counters(options);
	if (!options->stacks_format_count)
		options->stacks_formats[options->stacks_format_count++] = NT_STACKS_AS_FOLDED;
	if (command == NT_COMMAND_RUN)
		return take_program(options, argv + optind, err);
	options->words = argv + optind;
	if (command == NT_COMMAND_COMPLETION)
		return NT_OK;
	if (command == NT_COMMAND_JIT || command == NT_COMMAND_RECORD)
		return take_either(options, argv + optind, err);
	if (optind < argc && !options->target && command != NT_COMMAND_PS && command != NT_COMMAND_CONFIG)
		options->target = argv[optind++];
	if (optind < argc && command == NT_COMMAND_DIFF)
		options->after_path = argv[optind++];
	if (optind < argc)
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is one word too many; see nettop --help", argv[optind]);
	if (options->target && options->replay_path)
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is a process, and --replay a recording: one of them", options->target);
	bool named = options->target && *options->target;
	if (!named && options->target)
		return nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop -p PID");
	return NT_OK;
}

char **nt_options_for_another(const struct nt_options *options, const char *program)
{
	struct option long_options[ENTRY_COUNT + 1];
	char short_options[2 * ENTRY_COUNT + 3];
	char **words = nt_alloc(((size_t)options->line_count + 4) * sizeof(*words)), **at = words;
	*at++ = nt_strdup(program);
	if (nt_command_name(options->command))
		*at++ = nt_strdup(nt_command_name(options->command));
	make_tables(options->command, long_options, short_options);
	optind = 0;
	for (int value; (value = getopt_long(options->line_count, options->line, short_options, long_options, NULL)) != -1;) {
		const struct option_entry *entry = find_entry(options->command, value);
		if (entry && entry->value != OPT_SSH)
			nt_assert(asprintf(at++, entry->argument ? "--%s=%s" : "--%s", entry->name, optarg) > 0);
	}
	*at++ = nt_strdup("--");
	for (int i = optind; i < options->line_count; i++)
		*at++ = nt_strdup(options->line[i]);
	return words;
}

void nt_options_for_another_free(char **words)
{
	for (char **word = words; *word; word++)
		free(*word);
	free(words);
}

bool nt_option_at(enum nt_command command, size_t index, struct nt_option_info *out)
{
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		if (!(entries[i].commands & 1u << command) || index--)
			continue;
		*out = (struct nt_option_info){ letter_of(&entries[i]), entries[i].name, entries[i].argument, entries[i].help };
		return true;
	}
	return false;
}

void nt_options_help(enum nt_command command, FILE *out)
{
	nt_command_put_about(command, out);
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct option_entry *entry = &entries[i];
		char left[64], letter[8] = "   ";
		if (!(entry->commands & 1u << command))
			continue;
		if (letter_of(entry))
			snprintf(letter, sizeof(letter), "-%c,", letter_of(entry));
		snprintf(left, sizeof(left), "  %s --%s %s", letter, entry->name, entry->argument ? entry->argument : "");
		fprintf(out, "%-30s %s\n", left, entry->help);
	}
	fputs("\nExit status: 0 ok, 1 failure, 2 usage, 3 something needed is missing, 4 the target ended early, 5 --on said exit.\n", out);
}

void nt_options_roff(enum nt_command command, FILE *out)
{
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct option_entry *entry = &entries[i];
		if (!(entry->commands & 1u << command))
			continue;
		fputs(".TP\n", out);
		if (letter_of(entry))
			fprintf(out, "\\fB\\-%c\\fR, ", letter_of(entry));
		fprintf(out, "\\fB\\-\\-%s\\fR", entry->name);
		if (entry->argument)
			fprintf(out, " \\fI%s\\fR", entry->argument);
		fprintf(out, "\n%s\n", entry->help);
	}
}
