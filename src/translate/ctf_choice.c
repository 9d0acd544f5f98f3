// SPDX-License-Identifier: GPL-2.0-only
#include "translate/ctf_choice.h"

#include "base/alloc.h"
#include "source/lttng/lttng_recorded.h"
#include "translate/translation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_host(const struct nt_survey *a, const struct nt_survey *b)
{
	return strcmp(a->host, b->host) == 0;
}

static const struct nt_survey_process *process_in(const struct nt_survey *survey, uint32_t vpid)
{
	for (size_t i = 0; i < survey->process_count; i++)
		if (survey->processes[i].vpid == vpid)
			return &survey->processes[i];
	return NULL;
}

/* A pid is one process on one host only. */
static bool is_in(const struct nt_ctf_choice *choice, const struct nt_survey *survey)
{
	return same_host(survey, choice->main) && process_in(survey, choice->process->vpid);
}

static void choose_process(struct nt_ctf_choice *choice)
{
	for (size_t t = 0; t < choice->traces.count; t++)
		for (size_t i = 0; i < choice->surveys[t].process_count; i++) {
			const struct nt_survey_process *process = &choice->surveys[t].processes[i];
			if (choice->process && process->event_count <= choice->process->event_count)
				continue;
			choice->process = process;
			choice->main = &choice->surveys[t];
		}
}

static void gather(struct nt_ctf_choice *choice)
{
	choice->whole = true;
	for (size_t t = 0; t < choice->traces.count; t++) {
		const struct nt_survey *survey = &choice->surveys[t];
		if (!is_in(choice, survey))
			continue;
		choice->places[choice->place_count++] = t;
		choice->recorded |= survey->recorded;
		choice->first = !choice->first || survey->first < choice->first ? survey->first : choice->first;
		choice->last = survey->last > choice->last ? survey->last : choice->last;
		choice->whole = choice->whole && !survey->damage.cause_count;
	}
}

static enum nt_status nothing_of_the_runtime(const struct nt_ctf_choice *choice, struct nt_error *err)
{
	for (size_t t = 0; t < choice->traces.count; t++)
		if (choice->surveys[t].lacks_vpid)
			return nt_error_set(err, NT_ERR_UNSUPPORTED,
					    "its events do not say to which process they belong; record with lttng add-context --userspace "
					    "--type=vpid --type=vtid --type=procname");
	for (size_t t = 0; t < choice->traces.count; t++)
		if (choice->surveys[t].damage.cause_count) {
			*err = choice->surveys[t].damage;
			nt_error_wrap(err, "trace %s", choice->traces.names[t]);
			return err->status;
		}
	return nt_error_set(err, NT_ERR_ABSENT, "there is no event of the runtime (DotNETRuntime:*) in it");
}

enum nt_status nt_ctf_choose(int folder, struct nt_ctf_choice *out, struct nt_error *err)
{
	memset(out, 0, sizeof(*out));
	nt_lttng_traces_find(folder, &out->traces);
	if (!out->traces.count)
		return nt_error_set(err, NT_ERR_ABSENT, "there is no trace in it: no folder with a file named metadata");
	out->surveys = nt_alloc(out->traces.count * sizeof(*out->surveys));
	for (size_t t = 0; t < out->traces.count; t++) {
		struct nt_survey *survey = &out->surveys[t];
		struct nt_error problem = { 0 };
		if (nt_lttng_survey(&out->traces, t, survey, &problem) != NT_OK)
			survey->damage = problem;
	}
	choose_process(out);
	if (!out->process)
		return nothing_of_the_runtime(out, err);
	gather(out);
	if (out->first >= NT_TRANSLATION_START_MAX)
		return nt_error_set(err, NT_ERR_MALFORMED, "it begins at a time that no clock tells");
	if (!(out->recorded & NT_RECORDED_COLLECTIONS))
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "no collection was recorded: without DotNETRuntime:GCEnd* there is no telling whether there was none");
	return NT_OK;
}

void nt_ctf_choice_fini(struct nt_ctf_choice *choice)
{
	free(choice->surveys);
	choice->surveys = NULL;
}

/* ---- what is left out ---- */

enum { NAMED = 5 /* of what is left out so many are named */, SENTENCE = 1024 };

/* Of the first of them the names, of the others how many there are. */
struct names {
	char text[SENTENCE];
	size_t count;
};

static void add_name(struct names *names, const char *name)
{
	size_t length = strlen(names->text);
	if (names->count++ < NAMED)
		snprintf(names->text + length, sizeof(names->text) - length, "%s%s", length ? ", " : "", name);
}

static const char *named(struct names *names)
{
	size_t length = strlen(names->text);
	if (names->count > NAMED)
		snprintf(names->text + length, sizeof(names->text) - length, " and %zu more", names->count - NAMED);
	return names->text;
}

static void note_processes(const struct nt_ctf_choice *choice, struct nt_recorder *out)
{
	struct names others = { .count = 0 };
	char name[2 * NT_SURVEY_NAME + 64], text[2 * SENTENCE];
	bool more = false;
	for (size_t t = 0; t < choice->traces.count; t++) {
		const struct nt_survey *survey = &choice->surveys[t];
		more |= survey->more_processes;
		for (size_t i = 0; i < survey->process_count; i++) {
			const struct nt_survey_process *process = &survey->processes[i];
			if (same_host(survey, choice->main) && process->vpid == choice->process->vpid)
				continue;
			bool elsewhere = !same_host(survey, choice->main);
			snprintf(name, sizeof(name), "%" PRIu32 "%s%s%s%s (%" PRIu64 " events)", process->vpid, *process->name ? " " : "",
				 process->name, elsewhere ? " of " : "", elsewhere ? survey->host : "", process->event_count);
			add_name(&others, name);
		}
	}
	if (!others.count)
		return;
	snprintf(text, sizeof(text), "the folder tells of other processes, too: %s%s; this is the one that it tells most of",
		 named(&others), more ? ", and of some that were not counted" : "");
	nt_recorder_note(out, text);
}

static void note_traces(const struct nt_ctf_choice *choice, struct nt_recorder *out)
{
	struct names empty = { .count = 0 };
	char reason[2 * NT_ERROR_TEXT], text[sizeof(reason) + NT_LTTNG_TRACE_NAME + SENTENCE];
	for (size_t t = 0; t < choice->traces.count; t++) {
		const struct nt_survey *survey = &choice->surveys[t];
		if (survey->damage.cause_count) {
			snprintf(text, sizeof(text),
				 survey->has_clock ? "trace %s is told up to where it is damaged: %s" : "trace %s is left out: %s",
				 choice->traces.names[t], nt_error_reason(&survey->damage, reason, sizeof(reason)));
			nt_recorder_note(out, text);
		} else if (!survey->process_count) {
			add_name(&empty, choice->traces.names[t]);
		}
	}
	if (empty.count) {
		snprintf(text, sizeof(text), "traces without an event of the runtime are left out: %s", named(&empty));
		nt_recorder_note(out, text);
	}
	if (choice->traces.more)
		nt_recorder_note(out, "the folder has more traces, or deeper ones, than nettop looks for: these are left out");
}

void nt_ctf_choice_note(const struct nt_ctf_choice *choice, struct nt_recorder *out)
{
	note_processes(choice, out);
	note_traces(choice, out);
	for (size_t i = 0; i < choice->place_count; i++)
		if (choice->surveys[choice->places[i]].lacks_vpid) {
			nt_recorder_note(out, "some events do not say to which process they belong, and are left out");
			break;
		}
}
