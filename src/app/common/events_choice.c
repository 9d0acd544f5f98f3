// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/events_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t", stacks[] = "stacks";

static enum nt_status take_word(const char *word, struct nt_events_choice *out, struct nt_error *err)
{
	if (nt_lttng_is_chosen(word))
		return nt_lttng_chosen_add(&out->lttng, word, err);
	enum nt_status status = nt_event_pattern_parse(word, &out->patterns[out->count], err);
	out->count += status == NT_OK;
	return status;
}

enum nt_status nt_events_choice_parse(const char *text, struct nt_events_choice *out, struct nt_error *err)
{
	char word[NT_EVENTS_CHOICE_TEXT];
	struct nt_event_request request;
	out->count = 0;
	out->lttng.count = out->lttng.left_out_count = 0;
	out->with_stacks = false;
	if (strlen(text) >= sizeof(out->text))
		return nt_error_set(err, NT_ERR_USAGE, "too long a choice of events: at most %zu bytes", sizeof(out->text) - 1);
	snprintf(out->text, sizeof(out->text), "%s", text);
	for (const char *at = text; *(at += strspn(at, blanks));) {
		size_t length = strcspn(at, blanks);
		if (length == sizeof(stacks) - 1 && memcmp(at, stacks, length) == 0) {
			out->with_stacks = true;
			at += length;
			continue;
		}
		if (out->count == NT_EVENT_PATTERNS_MAX)
			return nt_error_set(err, NT_ERR_USAGE, "too many events are chosen: at most %d words at once",
					    NT_EVENT_PATTERNS_MAX);
		snprintf(word, sizeof(word), "%.*s", (int)length, at);
		enum nt_status status = take_word(word, out, err);
		if (status != NT_OK)
			return status;
		at += length;
	}
	if (out->lttng.count && (out->count || out->with_stacks))
		return nt_error_set(err, NT_ERR_USAGE, "%s",
				    out->count ? "lttng/... and others: events come over LTTng or over EventPipe, not both at once"
					       : "LTTng-UST has no call stacks for its events; clr/... in place of lttng/... has them");
	if (out->with_stacks && !out->count)
		return nt_error_set(err, NT_ERR_USAGE, "stacks of which events? clr/GC* stacks");
	for (size_t i = 0; i < out->count; i++)
		out->patterns[i].with_stack = out->with_stacks;
	return nt_event_request_make(out->patterns, out->count, &request, err);
}

const char *nt_events_choice_note(const struct nt_event_pattern *patterns, size_t count, const struct nt_lttng_chosen *lttng, char *out,
				  size_t size)
{
	size_t used = 0;
	uint32_t level = 0;
	out[0] = '\0';
	for (size_t i = 0; i < count && used < size; i++) {
		const struct nt_event_pattern *pattern = &patterns[i];
		if (!nt_event_pattern_leaves_out_levels(pattern) || (used && pattern->level != level))
			continue;
		level = used ? level : pattern->level;
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", pattern->provider);
	}
	if (used && used < size)
		snprintf(out + used, size - used, " up to level %u; NAME:-1:5 has Verbose ones, too", (unsigned)level);
	struct nt_text_buffer left_out = { 0 };
	nt_lttng_chosen_put_left_out(lttng, &left_out);
	if (!used)
		snprintf(out, size, "%.*s", (int)left_out.length, left_out.length ? left_out.bytes : "");
	nt_text_buffer_fini(&left_out);
	return out;
}

/* A word has no blanks. That all events of a provider are meant goes without saying. */
static enum nt_status add(char text[NT_EVENTS_CHOICE_TEXT], const char *word, struct nt_error *err)
{
	static const char all[] = "/*";
	size_t used = strlen(text), length = strlen(word), end = sizeof(all) - 1;
	if (length > end && strcmp(word + length - end, all) == 0)
		length -= end;
	if (!length || word[0] == '/' || strpbrk(word, blanks) || used + length + 2 > NT_EVENTS_CHOICE_TEXT)
		return nt_error_set(err, NT_ERR_USAGE, "--event-source, --event-name: '%s' is no event that could be chosen", word);
	snprintf(text + used, NT_EVENTS_CHOICE_TEXT - used, "%s%.*s", used ? " " : "", (int)length, word);
	return NT_OK;
}

enum nt_status nt_events_choice_of(const char *const *sources, size_t source_count, const char *const *names, size_t name_count,
				   char text[NT_EVENTS_CHOICE_TEXT], struct nt_error *err)
{
	char *words[NT_EVENT_PATTERNS_MAX];
	struct nt_events_choice choice;
	size_t count = 0;
	text[0] = '\0';
	if (!source_count && !name_count)
		return NT_OK;
	enum nt_status status = nt_event_patterns_choose(sources, source_count, names, name_count, words, &count, err);
	for (size_t i = 0; i < count; i++) {
		status = status == NT_OK ? add(text, words[i], err) : status;
		free(words[i]);
	}
	return status == NT_OK ? nt_events_choice_parse(text, &choice, err) : status;
}
