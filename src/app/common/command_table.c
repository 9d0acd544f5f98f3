// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/command_table.h"

#include <string.h>

/* What somebody wants of it: the order in which the help has them. */
enum group { WATCHES, ASKS_ONCE, RECORDS, SETS_UP, GROUPS };
static const char *const groups[GROUPS] = { "watch", "ask once", "record, and for other tools", "set up" };

static const struct command {
	enum group group;
	const char *name;      /* NULL = the one without a word */
	const char *arguments; /* behind the name, in the help */
	const char *help;
} commands[NT_COMMAND_COUNT] = {
	[NT_COMMAND_WATCH] = { WATCHES, NULL, "[[-p] PID|NAME[,...]] [options]", "watch a .NET process, or several" },
	[NT_COMMAND_RUN] = { WATCHES, "run", "[options] [--] COMMAND [ARGUMENT...]",
			     "start a .NET program and watch it from its first event" },
	[NT_COMMAND_ENV] = { SETS_UP, "env", "[-p PID|NAME] [options]",
			     "the variables that a .NET program is started with to be seen whole, and what each costs" },
	[NT_COMMAND_DOCTOR] = { SETS_UP, "doctor", "[-p PID|NAME] [--readonly] [--json]",
				"what is missing for a full screen, and the least command that brings it" },
	[NT_COMMAND_JIT] = { RECORDS, "jit", "[options] -p PID|NAME | --replay FILE | [--] COMMAND [ARGUMENT...]",
			     "what was compiled, as one table at the end" },
	[NT_COMMAND_MAP] = { RECORDS, "map", "-p PID|NAME [-o FILE] [--symfs DIR]",
			     "a perf map of all managed code, for perf, bcc and bpftrace" },
	[NT_COMMAND_SYMBOLS] = { SETS_UP, "symbols", "-p PID|NAME [options]",
				 "fetch the debug files of its stripped libraries from a symbol server" },
	[NT_COMMAND_STACKS] = { RECORDS, "stacks", "-p PID|NAME | --core|--replay FILE [options]",
				"all call stacks on CPU, as a file for other tools" },
	[NT_COMMAND_THREADS] = { ASKS_ONCE, "threads", "-p PID|NAME | --core|--replay FILE [--native] [--json]",
				 "what each thread does: its stack, what it waits for" },
	[NT_COMMAND_REPORT] = { ASKS_ONCE, "report", "-p PID|NAME | --replay FILE [-d SEC] [-f FORMAT] [-o FILE]",
				"all of it as one text to pass on" },
	[NT_COMMAND_HEAP] = { ASKS_ONCE, "heap", "-p PID|NAME|FILE.gcdump | --core FILE [options]",
			      "all objects by type, once; it stands still for that" },
	[NT_COMMAND_DUMP] = { RECORDS, "dump", "-p PID|NAME [--type TYPE] [-o FILE]",
			      "a core dump, or a crash report, by the runtime; it stands still for that" },
	[NT_COMMAND_EVENTS] = { WATCHES, "events", "-p PID|NAME -e PATTERN [-e PATTERN...] [--json]",
				"events as they happen, and the log" },
	[NT_COMMAND_RECORD] = { RECORDS, "record", "[options] -o FILE -p PID|NAME | [--] COMMAND [ARGUMENT...]",
				"all that nettop is told of it, for nettop replay" },
	[NT_COMMAND_REPLAY] = { RECORDS, "replay", "FILE [-b|--json] [--from TIME] [--to TIME]",
				"what nettop record has written: screens, frames, lines of JSON" },
	[NT_COMMAND_SERVE] = { RECORDS, "serve", "-p PID|NAME[,...] | --all [--listen ADDRESS:PORT]",
			       "figures for Prometheus, which it fetches here (OpenMetrics)" },
	[NT_COMMAND_EXPORT] = { RECORDS, "export", "FILE -o OUT [-f FORMAT]", "a recording as a file of another tool, in order of time" },
	[NT_COMMAND_DIFF] = { RECORDS, "diff", "BEFORE AFTER [options]", "two recordings: what changed beyond noise" },
	[NT_COMMAND_CONFIG] = { SETS_UP, "config", "",
				"all settings of the screens that key W keeps, with what they are for and where they come from" },
	[NT_COMMAND_COMPLETION] = { SETS_UP, "completion", "bash|zsh|fish",
				    "what that shell reads to complete nettop's options, processes and names" },
	[NT_COMMAND_PS] = { WATCHES, "ps", "[--json|--plain]", "all .NET processes, and what nettop would see of each" },
};

enum nt_command nt_command_called(const char *word)
{
	for (int i = 0; word && i < NT_COMMAND_COUNT; i++)
		if (commands[i].name && strcmp(commands[i].name, word) == 0)
			return (enum nt_command)i;
	return NT_COMMAND_WATCH;
}

const char *nt_command_name(enum nt_command command)
{
	return commands[command].name;
}

const char *nt_command_help(enum nt_command command)
{
	return commands[command].help;
}

static void put_usage(enum nt_command command, FILE *out)
{
	const struct command *entry = &commands[command];
	fprintf(out, "nettop %s%s%s", entry->name ? entry->name : "", entry->name && *entry->arguments ? " " : "", entry->arguments);
}

static void put_group(enum group group, FILE *out)
{
	fprintf(out, "  %s\n", groups[group]);
	for (int i = NT_COMMAND_WATCH + 1; i < NT_COMMAND_COUNT; i++) {
		if (commands[i].group != group)
			continue;
		fputs("       ", out);
		put_usage((enum nt_command)i, out);
		fprintf(out, ": %s\n", commands[i].help);
	}
}

void nt_command_put_about(enum nt_command command, FILE *out)
{
	fputs("Usage: ", out);
	put_usage(command, out);
	if (command != NT_COMMAND_WATCH) {
		fprintf(out, "\n%s\n\n", commands[command].help);
		return;
	}
	fputs("\nWatch the inside of a .NET process: CPU by method, collections, JIT, thread pool, locks, exceptions, allocations.\n"
	      "Without a process: the list of all of them; Enter opens one.\n\nOther commands (nettop COMMAND --help):\n\n",
	      out);
	for (int group = 0; group < GROUPS; group++)
		put_group((enum group)group, out);
	fputs("\nOptions:\n\n", out);
}
