// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/option_words.h"

#include <string.h>

/* Of several entries the first holds; test_completion.c has each word parsed. */
static const struct {
	const char *option;
	int command; /* -1 = of each that has it */
	const char *words;
} entries[] = {
	{ "format", NT_COMMAND_ENV, "shell systemd docker kubernetes" },
	{ "format", NT_COMMAND_STACKS, "folded flamegraph speedscope pprof perf-script" },
	{ "format", NT_COMMAND_EXPORT, "speedscope chrome firefox perf-script nettrace perfcollect csv" },
	{ "format", NT_COMMAND_DIFF, "text json flamegraph" },
	{ "format", NT_COMMAND_REPORT, "text markdown html json" },
	{ "format", -1, "text json counters-csv counters-json" },
	{ "as", -1, "gclog" },
	{ "events", -1, "default full" },
	{ "type", NT_COMMAND_DUMP, "full heap mini triage report" },
	{ "source", -1, "perf lttng eventpipe runtime map" },
	{ "prefer", -1, "lttng eventpipe" },
	{ "call-graph", -1, "fp leaf hybrid" },
	{ "during", -1, "gc-pauses outside" },
	{ "with", -1, "samples requests jit allocations" },
	{ "theme", -1, "auto dark light contrast terminal mono" },
};

const char *nt_option_words(enum nt_command command, const char *name)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (strcmp(entries[i].option, name) == 0 && (entries[i].command < 0 || entries[i].command == (int)command))
			return entries[i].words;
	return NULL;
}
