// SPDX-License-Identifier: GPL-2.0-only
#include "translate/perf_data_translator.h"

#include "base/text.h"
#include "translate/perf_data_tell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool nt_perf_data_is_meant(const uint8_t *begin, size_t size)
{
	return nt_perf_data_head_read(begin, size).form != NT_PERF_DATA_NONE;
}

/* ---- notes ---- */

static void __attribute__((format(printf, 2, 3))) note(struct nt_recorder *out, const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	nt_recorder_note(out, text);
}

static void note_end(const struct nt_perf_data_file *file, struct nt_recorder *out)
{
	if (file->was_killed)
		note(out, "perf record was killed before it ended the file: what is in it is told up to there");
	if (file->facts_missing && file->end == NT_PERF_DATA_WHOLE)
		note(out, "the file is cut behind its records: what perf says there of the machine and of its events is missing");
	if (file->end == NT_PERF_DATA_CUT)
		note(out, "the file is cut: it ends in the middle, at byte %" PRIu64, file->end_at);
	else if (file->end == NT_PERF_DATA_DAMAGED)
		note(out, "the file is damaged at byte %" PRIu64 ": what comes after that is not told", file->end_at);
}

static void note_processes(const struct nt_perf_data_survey *survey, const struct nt_perf_data_process *process, struct nt_recorder *out)
{
	uint64_t others = survey->samples - process->samples;
	size_t count = 0;
	for (size_t i = 0; i < survey->count; i++)
		count += survey->processes[i].samples > 0;
	if (others)
		note(out,
		     "process %" PRIu32 " is told of, which has %" PRIu64 " of the file's %" PRIu64
		     " samples of %zu processes (--process chooses)",
		     process->pid, process->samples, survey->samples, count);
}

static void note_rest(const struct nt_perf_data_survey *survey, const struct nt_perf_data_told *told, struct nt_recorder *out)
{
	if (told->over)
		note(out, "its times go on for longer than %d seconds: what is later is not told", NT_TRANSLATION_TICKS_MAX);
	if (survey->others)
		note(out, "%" PRIu64 " samples are of other events than CPU time, and left out%s%s", survey->others,
		     *survey->other_event ? ": " : "", survey->other_event);
	if (survey->unreadable)
		note(out, "%" PRIu64 " records cannot be read, and are left out", survey->unreadable);
	if (told->throttled)
		note(out, "the kernel stopped sampling %" PRIu64 " times because it took too long: there are fewer samples than CPU time",
		     told->throttled);
	if (told->walked)
		note(out, "%" PRIu64 " call stacks are from copies of the stack (--call-graph dwarf), followed by frame pointers",
		     told->walked);
	if (told->names.cut)
		note(out, "the file with names is cut: it ends in the middle, after %" PRIu64 " of them", told->names.line_count);
	if (told->names.unreadable)
		note(out, "the file with names cannot be read");
	else if (told->names.bad_count)
		note(out, "%" PRIu64 " lines of the file with names cannot be read, and are left out", told->names.bad_count);
	if (told->outgrew || told->late)
		note(out, "%" PRIu64 " records came later in the file than their time says", told->late);
}

/* ---- time ---- */

/* What to add to the file's times: what it says of that, or as if it had been ended when it was last written. */
static int64_t realtime_offset(int fd, const struct nt_perf_data_file *file, nt_time last)
{
	struct stat stat;
	if (file->facts.has_clock)
		return (int64_t)(file->facts.wall_ns - file->facts.clock_ns);
	return fstat(fd, &stat) == 0 ? (int64_t)((uint64_t)stat.st_mtim.tv_sec * NT_NS_PER_S + (uint64_t)stat.st_mtim.tv_nsec - last) : 0;
}

/* ---- all of it ---- */

static enum nt_status judge(const struct nt_perf_data_survey *survey, const struct nt_translation_wish *wish, struct nt_error *err)
{
	const struct nt_perf_data_process *busiest = nt_perf_data_choose(survey, "");
	char name[4 * NT_PERF_DATA_COMM] = "";
	bool timed = survey->first && survey->first < NT_TIME_UNKNOWN / 2;
	if (nt_perf_data_choose(survey, wish->process) && timed)
		return NT_OK;
	if (busiest)
		nt_text_escape(busiest->comm, strlen(busiest->comm), name, sizeof(name));
	if (busiest && timed)
		return nt_error_set(err, NT_ERR_ABSENT, "it has no samples of a process %s: most are of %" PRIu32 " (%s)", wish->process,
				    busiest->pid, name);
	if (survey->samples)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "its records have no times that can be");
	if (survey->others)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "it has no samples of CPU time (cpu-clock, or cycles by -F): only of other events");
	return nt_error_set(err, NT_ERR_UNSUPPORTED, "it has no samples");
}

static void say_absent(const struct nt_translation *translation)
{
	static const enum nt_source_id absent[] = { NT_SOURCE_PROCFS, NT_SOURCE_LTTNG, NT_SOURCE_EVENTPIPE, NT_SOURCE_RUNTIME };
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		nt_translation_absent(translation, absent[i], "a file of perf record has only what the kernel told perf");
}

static enum nt_status tell(int fd, const struct nt_translation_wish *wish, struct nt_perf_data_file *again,
			   const struct nt_perf_data_survey *survey, int64_t offset_ns, struct nt_recorder *out, struct nt_error *err)
{
	const struct nt_perf_data_process *process = nt_perf_data_choose(survey, wish->process);
	struct nt_translation translation;
	struct nt_perf_data_told told;
	enum nt_status status = nt_perf_data_file_begin(again, fd, err);
	if (status != NT_OK)
		return status;
	nt_translation_begin(&translation, out, process->pid, survey->first, offset_ns);
	say_absent(&translation);
	nt_perf_data_tell(again, survey, process, wish->names, &translation, &told);
	note_end(again, out);
	if (!*wish->process)
		note_processes(survey, process, out);
	note_rest(survey, &told, out);
	return NT_OK;
}

enum nt_status nt_perf_data_translate(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err)
{
	struct nt_perf_data_survey survey = { 0 };
	struct nt_perf_data_file file, again = { 0 };
	enum nt_status status = nt_perf_data_file_begin(&file, fd, err);
	if (status == NT_OK) {
		nt_perf_data_survey(&file, &survey);
		status = judge(&survey, wish, err);
	}
	if (status == NT_OK)
		status = tell(fd, wish, &again, &survey, realtime_offset(fd, &file, survey.last), out, err);
	nt_perf_data_survey_fini(&survey);
	nt_perf_data_file_end(&file);
	nt_perf_data_file_end(&again);
	return status;
}
