// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/triggers.h"

#include "base/numbers.h"
#include "nettop/column.h"
#include "nettop/finding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDING "finding"
#define THE_END "exit"

enum { NAME_BYTES = 64, NUMBER = 32 };

static enum nt_status refuse(const char *text, const char *reason, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_USAGE, "--on '%s': %s", text, reason);
}

/* ---- figures ---- */

/* How the key ends behind `name`, by the order in which those are meant: 0 = it is the whole key. ENDINGS: it is another one. */
enum { ENDINGS = 6 };

static unsigned ending_behind(const char *key, const char *name, size_t length)
{
	static const char *const endings[ENDINGS] = { "", "_max_ns", "_ns", "_pct", "_bytes", "_count" };
	unsigned i = ENDINGS;
	if (strncmp(key, name, length) == 0)
		for (i = 0; i < ENDINGS && strcmp(key + length, endings[i]) != 0; i++)
			continue;
	return i;
}

static const struct nt_figure *figure_called(const char *name)
{
	const struct nt_figure *best = NULL;
	unsigned best_ending = ENDINGS;
	const char *dot = strchr(name, '.');
	size_t section = dot ? (size_t)(dot - name) : 0, length = dot ? strlen(dot + 1) : 0;
	for (size_t s = 0; length && s < NT_SUBJECT_COUNT; s++)
		for (size_t f = 0; f < nt_subjects[s]->figure_count; f++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[f];
			if (strncmp(figure->section, name, section) != 0 || figure->section[section] || figure->type == NT_FIGURE_TEXT)
				continue;
			unsigned ending = ending_behind(figure->key, dot + 1, length);
			if (ending < best_ending) {
				best = figure;
				best_ending = ending;
			}
		}
	return best;
}

static bool ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), end = strlen(ending);
	return length >= end && strcmp(text + length - end, ending) == 0;
}

/* `text` has `length` characters, a number and a unit that fits the figure's. */
static bool take_value(const char *text, size_t length, const struct nt_figure *figure, double *out)
{
	static const struct {
		const char *ending, *unit;
		double factor;
	} units[] = {
		{ "_ns", "ns", 1 },         { "_ns", "us", 1e3 }, { "_ns", "ms", 1e6 },       { "_ns", "s", 1e9 },
		{ "_ns", "m", 60e9 },       { "_bytes", "", 1 },  { "_bytes", "K", 1 << 10 }, { "_bytes", "M", 1 << 20 },
		{ "_bytes", "G", 1 << 30 }, { "_pct", "", 1 },    { "_pct", "%", 1 },         { "", "", 1 },
	};
	char number[NAME_BYTES], *end;
	if (!length || length >= sizeof(number))
		return false;
	memcpy(number, text, length);
	number[length] = '\0';
	double value = strtod(number, &end);
	for (size_t i = 0; end != number && isfinite(value) && i < sizeof(units) / sizeof(units[0]); i++)
		if (ends_in(figure->key, units[i].ending) && strcmp(units[i].unit, end) == 0 && (*end || !ends_in(figure->key, "_ns"))) {
			*out = value * units[i].factor;
			return true;
		}
	return false;
}

static bool read_figure(const struct nt_figure *figure, const struct nt_figures *figures, double *out)
{
	const char *at = (const char *)figures + figure->offset;
	struct nt_u64 whole;
	struct nt_f64 real;
	if (figure->type == NT_FIGURE_U64) {
		memcpy(&whole, at, sizeof(whole));
		*out = (double)whole.v;
		return whole.known;
	}
	memcpy(&real, at, sizeof(real));
	*out = real.v;
	return real.known;
}

static const char *put_value(const struct nt_figure *figure, double value, char text[NUMBER])
{
	if (ends_in(figure->key, "_ns"))
		return nt_format_duration((nt_time)value, text, NUMBER);
	if (ends_in(figure->key, "_bytes"))
		return nt_format_bytes((uint64_t)value, text, NUMBER);
	nt_number_real(value, NT_NUMBER_DIGITS, text, NUMBER);
	return text;
}

/* ---- the grammar ---- */

static enum nt_status take_actions(const char *text, const char *actions, unsigned *out, struct nt_error *err)
{
	static const char *const names[] = { "mark", "bell", "save", "exit", "record" };
	*out = *actions ? 0 : NT_TRIGGER_MARK;
	while (*actions) {
		size_t length = strcspn(actions, ","), i = 0;
		while (i < sizeof(names) / sizeof(names[0]) && (strlen(names[i]) != length || strncmp(names[i], actions, length) != 0))
			i++;
		if (i == sizeof(names) / sizeof(names[0]))
			return refuse(text, "what is to be done is mark, bell, save, record or exit, with commas between them", err);
		*out |= 1u << i;
		actions += length + (actions[length] == ',');
	}
	return NT_OK;
}

static enum nt_status take_finding(const char *text, const char *name, struct nt_trigger *out, struct nt_error *err)
{
	out->any_finding = strcmp(name, FINDING) == 0;
	if (out->any_finding)
		return NT_OK;
	for (unsigned kind = 0; kind < NT_FINDING_KIND_COUNT; kind++)
		if (strcmp(name + sizeof(FINDING), nt_finding_kind_name((enum nt_finding_kind)kind)) == 0) {
			out->finding = (enum nt_finding_kind)kind;
			return NT_OK;
		}
	return refuse(text, "there is no finding of this name; man nettop has them", err);
}

static enum nt_status take_limit(const char *text, const char *name, const char **rest, struct nt_trigger *out, struct nt_error *err)
{
	const char *at = *rest;
	out->figure = figure_called(name);
	if (!out->figure)
		return refuse(text, "there is no figure of this name; they are called as in JSON (man nettop), gc.pause_max_ns or gc.pause",
			      err);
	bool above = *at++ == '>', equal = *at == '=';
	at += equal;
	out->limit = above ? (equal ? NT_TRIGGER_AT_LEAST : NT_TRIGGER_ABOVE) : (equal ? NT_TRIGGER_AT_MOST : NT_TRIGGER_BELOW);
	size_t length = strcspn(at, "=");
	if (!take_value(at, length, out->figure, &out->value))
		return refuse(text, "the limit has to be a number with a unit of the figure: 200ms, 1.5G, 90%, 3", err);
	*rest = at + length;
	return NT_OK;
}

enum nt_status nt_trigger_parse(const char *text, struct nt_trigger *out, struct nt_error *err)
{
	char name[NAME_BYTES];
	size_t length = strcspn(text, "<>=");
	const char *rest = text + length;
	*out = (struct nt_trigger){ .figure = NULL };
	if (!length || length >= sizeof(name))
		return refuse(text, "no figure and no finding; gc.pause>200ms=mark,exit or finding=bell", err);
	memcpy(name, text, length);
	name[length] = '\0';
	out->of_end = strcmp(name, THE_END) == 0;
	bool is_finding = strcmp(name, FINDING) == 0 || strncmp(name, FINDING ".", sizeof(FINDING)) == 0;
	if (!out->of_end && !is_finding && *rest != '<' && *rest != '>')
		return refuse(text, "no limit behind the figure; gc.pause>200ms", err);
	if ((out->of_end || is_finding) && *rest && *rest != '=')
		return refuse(text, out->of_end ? "the end has no limit" : "a finding has no limit: it holds or not", err);
	enum nt_status status = out->of_end  ? NT_OK
				: is_finding ? take_finding(text, name, out, err)
					     : take_limit(text, name, &rest, out, err);
	if (status != NT_OK)
		return status;
	return take_actions(text, *rest == '=' ? rest + 1 : "", &out->actions, err);
}

/* ---- an interval ---- */

static bool is_beyond(const struct nt_trigger *trigger, double value)
{
	switch (trigger->limit) {
	case NT_TRIGGER_ABOVE:
		return value > trigger->value;
	case NT_TRIGGER_AT_LEAST:
		return value >= trigger->value;
	case NT_TRIGGER_BELOW:
		return value < trigger->value;
	case NT_TRIGGER_AT_MOST:
		return value <= trigger->value;
	}
	return false;
}

static bool holds_of_end(const struct nt_process_snapshot *process, char said[NT_TRIGGER_TEXT])
{
	const struct nt_target_info *target = &process->target;
	if (target->ended)
		snprintf(said, NT_TRIGGER_TEXT, "the process has ended%s%s", target->end_text ? ": " : "",
			 target->end_text ? target->end_text : "");
	return target->ended;
}

static bool holds_of_findings(const struct nt_trigger *trigger, const struct nt_process_snapshot *process, char said[NT_TRIGGER_TEXT])
{
	for (size_t i = 0; i < process->finding_count; i++) {
		const struct nt_finding *finding = &process->findings[i];
		if (finding->until != NT_TIME_UNKNOWN || (!trigger->any_finding && finding->kind != trigger->finding))
			continue;
		snprintf(said, NT_TRIGGER_TEXT, "%s", finding->text);
		return true;
	}
	return false;
}

static bool holds_of_figure(const struct nt_trigger *trigger, const struct nt_process_snapshot *process, char said[NT_TRIGGER_TEXT])
{
	static const char *const words[] = { [NT_TRIGGER_ABOVE] = "over",
					     [NT_TRIGGER_AT_LEAST] = "at or over",
					     [NT_TRIGGER_BELOW] = "under",
					     [NT_TRIGGER_AT_MOST] = "at or under" };
	double value;
	char is[NUMBER], limit[NUMBER];
	const struct nt_figure *figure = trigger->figure;
	if (!read_figure(figure, &process->interval, &value) || !is_beyond(trigger, value))
		return false;
	snprintf(said, NT_TRIGGER_TEXT, "%s.%s %s, %s %s", figure->section, figure->key, put_value(figure, value, is),
		 words[trigger->limit], put_value(figure, trigger->value, limit));
	return true;
}

bool nt_trigger_fires(struct nt_trigger *trigger, const struct nt_snapshot *snapshot, char said[NT_TRIGGER_TEXT])
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	bool held = trigger->held;
	double value;
	bool known = !trigger->figure || read_figure(trigger->figure, &process->interval, &value);
	trigger->judged |= known;
	trigger->unknown = known ? 0 : trigger->unknown + 1;
	trigger->held = trigger->of_end   ? holds_of_end(process, said)
			: trigger->figure ? holds_of_figure(trigger, process, said)
					  : holds_of_findings(trigger, process, said);
	return trigger->held && !held;
}
