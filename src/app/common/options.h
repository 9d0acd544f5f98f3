/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/common: options, exit statuses, rights, the way out. */
/* The command line. One table (options.c) gives the parser, --help and the man page. */
#ifndef NT_APP_OPTIONS_H
#define NT_APP_OPTIONS_H

#include <stdio.h>

#include "app/common/events_choice.h"
#include "app/common/triggers.h"
#include "base/when.h"
#include "nettop/column.h"
#include "nettop/dump_kind.h"
#include "nettop/event.h"
#include "nettop/snapshot.h"
#include "nettop/status.h"
#include "nettop/theme_name.h"
#include "output/export/export_formats.h"
#include "output/stacks/stacks_write.h"
#include "source/common/moment.h"
#include "source/eventpipe/event_pattern.h"
#include "target/launch/launch.h"

/* What the first word says; without one of these, `nettop` watches. Each is a file of its own in src/app/. */
enum nt_command {
	NT_COMMAND_WATCH,
	NT_COMMAND_RUN,
	NT_COMMAND_DOCTOR,
	NT_COMMAND_ENV,
	NT_COMMAND_PS,
	NT_COMMAND_JIT,
	NT_COMMAND_STACKS,
	NT_COMMAND_THREADS,
	NT_COMMAND_REPORT,
	NT_COMMAND_MAP,
	NT_COMMAND_SYMBOLS,
	NT_COMMAND_HEAP,
	NT_COMMAND_DUMP,
	NT_COMMAND_EVENTS,
	NT_COMMAND_RECORD,
	NT_COMMAND_REPLAY,
	NT_COMMAND_SERVE,
	NT_COMMAND_EXPORT,
	NT_COMMAND_DIFF,
	NT_COMMAND_CONFIG,
	NT_COMMAND_COMPLETION,
	NT_COMMAND_COUNT
};

enum { NT_SORTS_MAX = 8 };

enum nt_output_mode {
	NT_OUTPUT_SCREEN,
	NT_OUTPUT_TEXT,
	NT_OUTPUT_JSON,
	NT_OUTPUT_MARKDOWN,
	NT_OUTPUT_HTML,
	NT_OUTPUT_COUNTERS_CSV,
	NT_OUTPUT_COUNTERS_JSON,
	NT_OUTPUT_FLAMEGRAPH
};

/* How nettop env writes variables. */
enum nt_env_format { NT_ENV_SHELL, NT_ENV_SYSTEMD, NT_ENV_DOCKER, NT_ENV_KUBERNETES, NT_ENV_FORMAT_COUNT };

/* --fail-above: what more than that is a failure. Not known = no limit. */
struct nt_jit_limits {
	struct nt_u64 methods, ms;
};

struct nt_settings_file;

struct nt_options {
	enum nt_command command;
	const char *target; /* pid or name, in a watching also several with commas between them; borrowed from argv */
	bool all;           /* of that name all, of no name all there are; as a list */
	const char *cgroup; /* of this control group; NULL = of any */
	bool follow_children;
	enum nt_output_mode output;
	nt_time delay_ns;                                /* interval */
	uint64_t interval_count;                         /* -n; 0 = without end */
	nt_time duration_ns;                             /* 0 = without end */
	uint64_t top;                                    /* rows of methods in JSON */
	const struct nt_column *sorts[NT_SORTS_MAX + 1]; /* --sort; ends with NULL */
	uint64_t rows;                                   /* rows in batch text, and of each table of a report */
	unsigned source_mask;                            /* 1 << enum nt_source_id; procfs and the code map are always in it */
	uint64_t max_target_cost_pct;
	uint64_t perf_hz;
	enum nt_call_graph call_graph;
	enum nt_pause_side during; /* stacks of samples on that side of the pauses alone; NT_SIDE_NOT_TOLD = of all */
	const char *lttng_session; /* NULL = own */
	const char *relay;         /* the processes of all its sessions, in place of this machine's; NULL = none */
	bool want_catches;         /* who catches exceptions */
	bool want_alloc;
	bool want_calls;       /* calls that read, write, open and connect */
	bool want_jit_callers; /* who causes compilations */
	bool want_pool_items;  /* how long each work item waits */
	bool want_requests;    /* single requests */
	bool want_request_cpu; /* and which of them CPU time is for */
	bool no_payload;       /* no text that the program works on */
	bool want_waits;       /* by switches, and by many looks */
	bool want_wall;        /* wall time: by looks and switches, else by the runtime's own sampler in place of perf */
	bool all_time;         /* stacks of what ran and of what waited, by each switch */
	const char *counters;  /* --counters; NULL = only while the screen shows them */
	bool readonly;
	bool native;           /* stacks of threads with the frames of native code */
	bool want_map;         /* a perf map is switched on even where names are read in the target's memory */
	bool prefer_eventpipe; /* to LTTng, where both could bring the runtime's events */
	bool exceptions;       /* also where an LTTng session could end the target then */
	bool no_rundown;
	uint64_t max_map_bytes;                       /* of a perf map that nettop switches on; 0 = it switches none on */
	uint64_t limit_bytes;                         /* of a recording; 0 = none */
	nt_time flight_ns;                            /* so much of what was is kept, to be recorded; 0 = nothing */
	unsigned with;                                /* of a server, enum nt_demand bits: what is told besides */
	const char *otlp;                             /* likewise: the collector; NULL = none */
	const char *listen;                           /* likewise: where it listens; NULL = the usual address */
	uint64_t speed;                               /* of a replay: so many times as fast as it was */
	const struct nt_export_format *export_format; /* NULL = as the file's name says */
	bool ascii, mouse, slow, plain;
	enum nt_theme theme;
	bool delay_given, rows_given, theme_given, no_config;
	struct nt_settings_file *settings; /* what was chosen on the screens before (app/settings); NULL = nothing. Borrowed */
	bool check_replay;
	struct nt_launch_request launch; /* bridge_dir: NULL = that of this nettop */
	enum nt_env_format env_format;
	const char *compare_path; /* --compare; NULL = none */
	struct nt_jit_limits jit_limits;
	uint64_t repeat;                                          /* runs of nettop jit; 0 = one, not asked for */
	enum nt_stacks_format stacks_formats[NT_STACKS_AS_COUNT]; /* each once, in the order in which they were given */
	size_t stacks_format_count;
	struct nt_moment_asked moments[NT_MOMENTS_ASKED_MAX]; /* -e; none = samples of CPU time */
	size_t moment_count;
	bool list_moments;                         /* -e list */
	const char *output_path;                   /* -o; NULL = standard output; of symbols: a folder, NULL = debuginfod's cache */
	const char *server;                        /* --server; NULL = the usual ones */
	const char *symfs_path;                    /* --symfs; NULL = none */
	const char *replay_process;                /* --process: of a file of several; NULL = the busiest */
	const char *replay_names;                  /* --perf-map: names for a file that has none; NULL = none */
	const char *core_path;                     /* --core; NULL = a process */
	const char *replay_path;                   /* --replay; NULL = a process */
	struct nt_when from, to;                   /* of a recording: the part of it */
	struct nt_when before_from, before_to;     /* likewise of the one that it is compared with */
	const char *after_path;                    /* of two recordings the second; NULL = none was named */
	char *const *words;                        /* of nettop completion: those behind it, ends with NULL; borrowed from argv */
	char *const *run_argv;                     /* of the program to run, ends with NULL; borrowed from argv */
	const char *events[NT_EVENT_PATTERNS_MAX]; /* -e of nettop events; borrowed from argv */
	size_t event_count;
	const char *event_sources[NT_EVENT_PATTERNS_MAX],
		*event_names[NT_EVENT_PATTERNS_MAX]; /* --event-source, --event-name of it, and of a watching; likewise */
	size_t event_source_count, event_name_count;
	char event_choice[NT_EVENTS_CHOICE_TEXT];    /* the same of a watching, as words; "" = none */
	bool as_gc_log;                              /* --as gclog */
	bool event_stacks;                           /* --stacks of nettop events */
	struct nt_trigger triggers[NT_TRIGGERS_MAX]; /* --on */
	size_t trigger_count;
	enum nt_dump_kind dump_kind;
	const char *dump_folder; /* --in, as the process sees it; NULL = where the file is to be, or its temporary folder */
	bool held;               /* of a heap: also what static fields hold */
	const char *paths_of;    /* and who holds the objects of this type; NULL = of none */
	bool yes;                /* what a process feels is done without asking */
	const char *ssh_host;    /* --ssh; NULL = here. Borrowed from argv */
	char **line;             /* the words that were parsed, for nt_options_for_another(); [0] is no option. Borrowed: argv */
	int line_count;
	bool show_help, show_version;
};

/* Is it a file of counters that is written, and nothing else? */
static inline bool nt_options_counters_only(const struct nt_options *options)
{
	return options->output == NT_OUTPUT_COUNTERS_CSV || options->output == NT_OUTPUT_COUNTERS_JSON;
}

/* Defaults, then argv. USAGE on anything that is not understood, with the sentence in `err`. */
enum nt_status nt_options_parse(struct nt_options *options, int argc, char **argv, struct nt_error *err);

/*
 * The same line for a nettop on another machine: without --ssh, each option by its long name with its value in the same word, so that no value is taken for anything else. [0] is `program`. The
 * caller's, to be freed as below.
 */
char **nt_options_for_another(const struct nt_options *options, const char *program);
void nt_options_for_another_free(char **words);

/* An option as a command has it. Borrowed. */
struct nt_option_info {
	char letter; /* 0 = it has none */
	const char *name;
	const char *argument; /* NULL = it takes none */
	const char *help;
};

/* The option at `index`, from 0; false: the command has no more. */
bool nt_option_at(enum nt_command command, size_t index, struct nt_option_info *out);

/* The word that says the command, NULL = it is the one without; and what it does. */
const char *nt_command_name(enum nt_command command);
const char *nt_command_help(enum nt_command command);

/* The command of that word; NT_COMMAND_WATCH: it is none. NULL is none. */
enum nt_command nt_command_called(const char *word);

/* As with --plain: sentences, as many as one can listen to where nothing else was asked for. */
void nt_options_speak(struct nt_options *options);

/* The help text of a command, generated from the table. */
void nt_options_help(enum nt_command command, FILE *out);

/* The options of a command as man-page items (roff), for doc/nettop.1. */
void nt_options_roff(enum nt_command command, FILE *out);

#endif
