// SPDX-License-Identifier: GPL-2.0-only
#include "translate/perf_data_survey.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void nt_perf_data_survey_fini(struct nt_perf_data_survey *survey)
{
	free(survey->processes);
	nt_index_fini(&survey->of_pid);
	*survey = (struct nt_perf_data_survey){ 0 };
}

/* NULL: it is nobody's (the idle CPU, the kernel itself), or one of too many. */
static struct nt_perf_data_process *process_of(struct nt_perf_data_survey *survey, uint32_t pid)
{
	uint32_t place = nt_index_get(&survey->of_pid, pid);
	if (place != NT_INDEX_NONE)
		return &survey->processes[place];
	if (!pid || pid == UINT32_MAX || survey->count == NT_PERF_DATA_PROCESSES_MAX)
		return NULL;
	nt_index_put(&survey->of_pid, pid, (uint32_t)survey->count);
	survey->processes = nt_grow(survey->processes, &survey->capacity, survey->count + 1, sizeof(*survey->processes));
	survey->processes[survey->count] = (struct nt_perf_data_process){ .pid = pid };
	return &survey->processes[survey->count++];
}

static void take_sample(struct nt_perf_data_survey *survey, const struct nt_perf_data_event *event, const struct nt_perf_record *record)
{
	if (!nt_perf_data_event_weight_ns(event, record->sample.period)) {
		if (!survey->others++)
			memcpy(survey->other_event, event->name, sizeof(survey->other_event));
		return;
	}
	struct nt_perf_data_process *process = process_of(survey, record->pid);
	if (process)
		process->samples++;
	survey->samples += record->pid != 0;
}

static void take_name(struct nt_perf_data_survey *survey, const struct nt_perf_record *record)
{
	struct nt_perf_data_process *process = record->pid == record->tid ? process_of(survey, record->pid) : NULL;
	size_t length = record->comm.name_length < NT_PERF_DATA_COMM ? record->comm.name_length : NT_PERF_DATA_COMM - 1;
	if (!process)
		return;
	memcpy(process->comm, record->comm.name, length);
	process->comm[length] = '\0';
}

/* What perf says of the time before it began has none. */
static void take_time(struct nt_perf_data_survey *survey, nt_time time)
{
	if (!time || time == NT_TIME_UNKNOWN)
		return;
	survey->first = survey->first && survey->first < time ? survey->first : time;
	survey->last = survey->last > time ? survey->last : time;
}

void nt_perf_data_survey(struct nt_perf_data_file *file, struct nt_perf_data_survey *out)
{
	const uint8_t *bytes;
	size_t length;
	uint32_t type;
	*out = (struct nt_perf_data_survey){ 0 };
	while (nt_perf_data_file_next(file, &bytes, &length, &type)) {
		const struct nt_perf_data_event *event;
		struct nt_perf_record record;
		if (type >= NT_PERF_DATA_ATTR)
			continue;
		if (nt_perf_data_parse(&file->events, bytes, length, &record, &event) != NT_OK) {
			out->unreadable++;
			continue;
		}
		take_time(out, record.time);
		out->has_switches |= record.kind == NT_PERF_SWITCH;
		if (record.kind == NT_PERF_SAMPLE)
			take_sample(out, event, &record);
		else if (record.kind == NT_PERF_COMM)
			take_name(out, &record);
	}
}

static bool is_wished(const struct nt_perf_data_process *process, const char *wished)
{
	char *end;
	unsigned long pid = strtoul(wished, &end, 10);
	return !*wished || (*wished && !*end && pid == process->pid) || strcmp(process->comm, wished) == 0;
}

const struct nt_perf_data_process *nt_perf_data_choose(const struct nt_perf_data_survey *survey, const char *wished)
{
	const struct nt_perf_data_process *busiest = NULL;
	for (size_t i = 0; i < survey->count; i++) {
		const struct nt_perf_data_process *process = &survey->processes[i];
		if (process->samples && is_wished(process, wished) && (!busiest || process->samples > busiest->samples))
			busiest = process;
	}
	return busiest;
}
