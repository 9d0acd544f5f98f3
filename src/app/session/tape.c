// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/tape.h"

#include "base/alloc.h"
#include "base/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NAME_BYTES = 96, SAME_SECOND = 20 };

void nt_tape_init(struct nt_tape *tape, uint32_t pid, nt_time reach_ns)
{
	*tape = (struct nt_tape){ .pid = pid, .reach_ns = reach_ns };
	if (reach_ns)
		nt_tape_keep(tape);
}

void nt_tape_keep(struct nt_tape *tape)
{
	if (!tape->flight)
		tape->flight = nt_flight_new(tape->reach_ns, NT_FLIGHT_BYTES);
}

void nt_tape_fini(struct nt_tape *tape)
{
	nt_recorder_free(tape->recorder);
	nt_recorder_free(tape->ending);
	nt_flight_free(tape->flight);
	free(tape->path);
	free(tape->ending_path);
	*tape = (struct nt_tape){ .pid = 0 };
}

/* ---- what comes ---- */

void nt_tape_settings(struct nt_tape *tape, const struct nt_model_config *config, int64_t realtime_offset_ns)
{
	if (tape->flight)
		nt_flight_settings(tape->flight, config, realtime_offset_ns);
	if (tape->recorder)
		nt_recorder_settings(tape->recorder, config, realtime_offset_ns);
}

void nt_tape_batch(struct nt_tape *tape, const struct nt_batch *batch)
{
	if (tape->flight)
		nt_flight_batch(tape->flight, batch);
	if (tape->recorder)
		nt_recorder_batch(tape->recorder, batch);
}

void nt_tape_tick(struct nt_tape *tape, const struct nt_tick *tick)
{
	if (tape->flight)
		nt_flight_tick(tape->flight, tick);
	if (tape->recorder)
		nt_recorder_tick(tape->recorder, tick);
}

/* ---- files ---- */

/* A session that has begun has told the flight its settings. */
static bool has_begun(const struct nt_tape *tape)
{
	return tape->flight && nt_flight_now(tape->flight);
}

bool nt_tape_records(const struct nt_tape *tape)
{
	return tape->recorder && !nt_recorder_problem(tape->recorder);
}

/* One that has a problem, which was told. */
static void drop(struct nt_tape *tape)
{
	nt_recorder_free(tape->recorder);
	free(tape->path);
	tape->recorder = NULL;
	tape->path = NULL;
}

enum nt_status nt_tape_record(struct nt_tape *tape, const char *path, uint64_t limit_bytes, struct nt_error *err)
{
	if (nt_tape_records(tape))
		return nt_error_set(err, NT_ERR_USAGE, "it is recorded into %s already", tape->path);
	drop(tape);
	enum nt_status status = nt_recorder_open(path, limit_bytes, &tape->recorder, err);
	if (status != NT_OK)
		return status;
	tape->path = nt_strdup(path);
	tape->told_problem = false;
	if (has_begun(tape))
		nt_flight_put(tape->flight, tape->recorder);
	return NT_OK;
}

/* The summary is of what came until now; the session's own end has been recorded. */
static void finish(const struct nt_tape *tape, struct nt_recorder *recorder)
{
	if (!nt_flight_has_ended(tape->flight))
		nt_recorder_tick(recorder, &(struct nt_tick){ .now = nt_flight_now(tape->flight), .how = NT_TICK_FINAL });
	nt_recorder_finish(recorder);
}

bool nt_tape_stop(struct nt_tape *tape)
{
	if (tape->ending || !nt_tape_records(tape))
		return false;
	finish(tape, tape->recorder);
	tape->ending = tape->recorder;
	tape->ending_path = tape->path;
	tape->recorder = NULL;
	tape->path = NULL;
	return true;
}

enum nt_status nt_tape_write(struct nt_tape *tape, const char *path, struct nt_error *err)
{
	if (!has_begun(tape) || !tape->reach_ns)
		return nt_error_set(err, NT_ERR_USAGE, "nothing is kept of what was: start nettop with --flight MINUTES");
	if (tape->ending)
		return nt_error_set(err, NT_ERR_USAGE, "%s is still being written", tape->ending_path);
	enum nt_status status = nt_recorder_open(path, 0, &tape->ending, err);
	if (status != NT_OK)
		return status;
	tape->ending_path = nt_strdup(path);
	nt_flight_put(tape->flight, tape->ending);
	finish(tape, tape->ending);
	return NT_OK;
}

void nt_tape_write_somewhere(struct nt_tape *tape, char said[NT_TAPE_SAID])
{
	char name[NAME_BYTES], when[32];
	time_t now = time(NULL);
	struct tm parts;
	struct nt_error err = { 0 };
	enum nt_status status = NT_ERR_USAGE;
	if (tape->file_count == NT_TAPE_FILES_MAX) {
		snprintf(said, NT_TAPE_SAID, "not recorded: %d files are enough", NT_TAPE_FILES_MAX);
		return;
	}
	localtime_r(&now, &parts);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &parts);
	/* Another nettop at the same process may have taken the name. */
	for (unsigned i = 0; i < SAME_SECOND && status == NT_ERR_USAGE; i++) {
		snprintf(name, sizeof(name), "nettop-%" PRIu32 "-%s-%u.nettop", tape->pid, when, tape->file_count + 1 + i);
		err = (struct nt_error){ 0 };
		status = nt_tape_write(tape, name, &err);
	}
	tape->file_count += status == NT_OK;
	if (status == NT_OK)
		snprintf(said, NT_TAPE_SAID, "recording what is kept into %s", name);
	else
		snprintf(said, NT_TAPE_SAID, "not recorded: %s", err.cause[0]);
}

/* ---- what became of them ---- */

static void tell_ended(struct nt_tape *tape, nt_tape_say *say, void *context)
{
	const struct nt_file_written written = nt_recorder_said(tape->ending);
	const char *problem = nt_recorder_problem(tape->ending);
	char bytes[16], said[NT_TAPE_SAID];
	nt_number_bytes(written.bytes, NT_NUMBER_DIGITS, bytes, sizeof(bytes));
	snprintf(said, sizeof(said), "recorded %.1f s, %s in %s", (double)(written.last - written.first) / (double)NT_NS_PER_S, bytes,
		 tape->ending_path);
	say(context, problem ? problem : said);
	nt_recorder_free(tape->ending);
	free(tape->ending_path);
	tape->ending = NULL;
	tape->ending_path = NULL;
}

void nt_tape_tell(struct nt_tape *tape, bool wait, nt_tape_say *say, void *context)
{
	const char *problem = tape->recorder ? nt_recorder_problem(tape->recorder) : NULL;
	if (problem && !tape->told_problem)
		say(context, problem);
	tape->told_problem |= problem != NULL;
	if (tape->ending && wait)
		nt_recorder_end(tape->ending);
	if (tape->ending && nt_recorder_has_finished(tape->ending))
		tell_ended(tape, say, context);
}

void nt_tape_end(struct nt_tape *tape, nt_tape_say *say, void *context)
{
	nt_tape_tell(tape, true, say, context);
	nt_tape_stop(tape);
	nt_tape_tell(tape, true, say, context);
}
