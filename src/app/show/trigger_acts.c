// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/trigger_acts.h"

#include "app/common/new_file.h"
#include "app/common/print.h"
#include "output/frame/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME_BYTES = 96, LINE_BYTES = NT_TRIGGER_TEXT + NT_TAPE_SAID + 4 };

struct nt_trigger_acts nt_trigger_acts_of(const struct nt_options *options, struct nt_tape *tape)
{
	struct nt_trigger_acts acts = { .count = options->trigger_count, .top = options->top, .tape = tape };
	memcpy(acts.triggers, options->triggers, sizeof(acts.triggers));
	return acts;
}

struct saving {
	const struct nt_snapshot *snapshot;
	uint64_t top;
};

static void write_interval(FILE *out, const void *context)
{
	const struct saving *saving = context;
	const struct nt_json_options options = { .top = saving->top, .replay_equal = -1 };
	char *line = nt_json_line(saving->snapshot, &options);
	if (line)
		fprintf(out, "%s\n", line);
	free(line);
}

/* The name, or why there is no such file. */
static void save(struct nt_trigger_acts *acts, const struct nt_snapshot *snapshot, char said[LINE_BYTES])
{
	char name[NAME_BYTES], when[32], reason[NT_ERROR_TEXT];
	time_t now = time(NULL);
	struct tm parts;
	struct nt_error err = { 0 };
	const struct saving saving = { snapshot, acts->top };
	size_t length = strlen(said);
	if (acts->saved == NT_TRIGGER_SAVES_MAX) {
		snprintf(said + length, LINE_BYTES - length, "; not saved: %d files are enough", NT_TRIGGER_SAVES_MAX);
		return;
	}
	localtime_r(&now, &parts);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &parts);
	snprintf(name, sizeof(name), "nettop-%" PRIu32 "-%s-%u.json", snapshot->processes[0].target.pid, when, ++acts->saved);
	if (nt_new_file_write(name, write_interval, &saving, &err) == NT_OK)
		snprintf(said + length, LINE_BYTES - length, "; saved as %s", name);
	else
		snprintf(said + length, LINE_BYTES - length, "; not saved: %s", nt_error_reason(&err, reason, sizeof(reason)));
}

static void record(struct nt_trigger_acts *acts, char said[LINE_BYTES])
{
	char what[NT_TAPE_SAID];
	size_t length = strlen(said);
	nt_tape_write_somewhere(acts->tape, what);
	snprintf(said + length, LINE_BYTES - length, "; %s", what);
}

void nt_trigger_acts_look(struct nt_trigger_acts *acts, const struct nt_snapshot *snapshot, void (*say)(void *context, const char *line),
			  void *context)
{
	for (size_t i = 0; i < acts->count; i++) {
		struct nt_trigger *trigger = &acts->triggers[i];
		char said[LINE_BYTES];
		if ((snapshot->final && !trigger->of_end) || !nt_trigger_fires(trigger, snapshot, said))
			continue;
		if (trigger->actions & NT_TRIGGER_SAVE)
			save(acts, snapshot, said);
		if (trigger->actions & NT_TRIGGER_RECORD)
			record(acts, said);
		if (trigger->actions & (NT_TRIGGER_MARK | NT_TRIGGER_SAVE | NT_TRIGGER_RECORD))
			say(context, said);
		if (trigger->actions & NT_TRIGGER_BELL)
			nt_print_bell();
		acts->ends |= trigger->actions & NT_TRIGGER_EXIT;
	}
}

void nt_trigger_acts_watch(struct nt_trigger_acts *acts, void (*say)(void *context, const char *line), void *context)
{
	for (size_t i = 0; i < acts->count; i++) {
		const struct nt_trigger *trigger = &acts->triggers[i];
		char line[LINE_BYTES];
		bool unjudged = acts->unjudged[i] ? trigger->unknown > 0 : trigger->unknown == NT_TRIGGER_UNKNOWN_FOR;
		if (unjudged == acts->unjudged[i])
			continue;
		acts->unjudged[i] = unjudged;
		snprintf(line, sizeof(line), "--on: %s.%s is %s", trigger->figure->section, trigger->figure->key,
			 unjudged ? "not known: whether it comes true nobody can say" : "known again");
		say(context, line);
	}
}

void nt_trigger_acts_end(const struct nt_trigger_acts *acts, void (*say)(void *context, const char *line), void *context)
{
	for (size_t i = 0; i < acts->count; i++) {
		const struct nt_trigger *trigger = &acts->triggers[i];
		char line[LINE_BYTES];
		if (trigger->judged || !trigger->figure)
			continue;
		snprintf(line, sizeof(line), "--on: %s.%s was not known in any interval: whether it came true nobody can say",
			 trigger->figure->section, trigger->figure->key);
		say(context, line);
	}
}
