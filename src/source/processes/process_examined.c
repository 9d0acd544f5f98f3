// SPDX-License-Identifier: GPL-2.0-only
#include "source/processes/process_examined.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/perf/perf_opening.h"
#include "target/needs/usable.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSWD_BYTES = 4096 };

struct nt_process_examined {
	struct nt_target *target; /* owned */
	char *user;               /* owned */
	enum nt_usable_state states[NT_LISTED_SOURCES];
	char *why[NT_LISTED_SOURCES]; /* owned */
};

/* The name of a user, or the number of one without. A directory service may take its time to answer. */
static char *user_name(uid_t uid)
{
	struct passwd entry, *found = NULL;
	char buf[PASSWD_BYTES];
	if (getpwuid_r(uid, &entry, buf, sizeof(buf), &found) == 0 && found)
		return nt_text_escaped(found->pw_name, strlen(found->pw_name));
	return nt_format("%u", (unsigned)uid);
}

/* Nothing can be judged of it, and nothing would deliver. */
static void judge_closed(struct nt_process_examined *examined)
{
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++) {
		examined->states[i] = NT_USABLE_FORBIDDEN;
		examined->why[i] =
			nt_format("process %u belongs to %s: run nettop as that user or as root", examined->target->pid, examined->user);
	}
}

static void judge(struct nt_process_examined *examined, struct nt_facts *facts, unsigned perf_hz)
{
	struct nt_perf_features features;
	char why[NT_USABLE_BYTES];
	nt_facts_read_target(facts, examined->target);
	if (perf_hz)
		facts->perf_error = nt_perf_opening_try(examined->target->pid, examined->target->proc_dir,
							&(struct nt_perf_wish){ .hz = perf_hz }, &features);
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++) {
		examined->states[i] = nt_usable_judge(facts, nt_listed_sources[i], why);
		examined->why[i] = *why ? nt_strdup(why) : NULL;
	}
}

static void run(struct nt_errand *errand)
{
	struct nt_process_examination *examination = (struct nt_process_examination *)errand;
	struct nt_target *target;
	if (nt_target_see(examination->proc_root, examination->pid, &target, NULL) != NT_OK)
		return;
	if (!target->is_dotnet && target->deployment != NT_DEPLOYED_NATIVE_AOT) {
		nt_target_free(target);
		return;
	}
	struct nt_process_examined *done = examination->done = nt_alloc(sizeof(*done));
	done->target = target;
	done->user = user_name(target->uid);
	if (target->closed)
		judge_closed(done);
	else
		judge(done, examination->machine, examination->perf_hz);
}

static void release(struct nt_errand *errand)
{
	struct nt_process_examination *examination = (struct nt_process_examination *)errand;
	nt_process_examined_free(examination->done);
	free(examination->machine);
	free(examination->proc_root);
	free(examination);
}

struct nt_process_examination *nt_process_examination_new(const char *proc_root, uint32_t pid, unsigned perf_hz,
							  const struct nt_facts *machine)
{
	struct nt_process_examination *examination = nt_alloc(sizeof(*examination));
	examination->errand = (struct nt_errand){ run, release };
	examination->proc_root = nt_strdup(proc_root);
	examination->pid = pid;
	examination->perf_hz = perf_hz;
	examination->machine = nt_realloc(NULL, 1, sizeof(*machine));
	*examination->machine = *machine;
	return examination;
}

void nt_process_examined_free(struct nt_process_examined *examined)
{
	if (!examined)
		return;
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		free(examined->why[i]);
	nt_target_free(examined->target);
	free(examined->user);
	free(examined);
}

const struct nt_target *nt_process_examined_target(const struct nt_process_examined *examined)
{
	return examined->target;
}

void nt_process_examined_fill(const struct nt_process_examined *examined, nt_time now, struct nt_process_row *row)
{
	const struct nt_target *target = examined->target;
	row->name = target->name;
	row->command = target->command;
	row->runtime = target->runtime;
	row->user = examined->user;
	row->deployment = target->deployment;
	row->mode = target->is_dotnet && target->environment_readable ? target->mode : NT_MODE_UNKNOWN;
	row->closed = target->closed;
	row->uptime_ns = nt_u64_of(now > target->start ? now - target->start : 0);
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		row->usable[i] = (struct nt_usable){ examined->states[i], examined->why[i] };
}
