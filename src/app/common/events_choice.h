/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events are told one by one: the words of `nettop events -e`, with blanks between them, as they are typed on the screen and as --event-source and --event-name say them. On the screen the word `stacks` among them asks for their call stacks.
 */
#ifndef NT_APP_EVENTS_CHOICE_H
#define NT_APP_EVENTS_CHOICE_H

#include "source/eventpipe/event_pattern.h"
#include "source/lttng/lttng_chosen.h"

enum { NT_EVENTS_CHOICE_TEXT = 512 };

struct nt_events_choice {
	char text[NT_EVENTS_CHOICE_TEXT]; /* "" = none */
	struct nt_event_pattern patterns[NT_EVENT_PATTERNS_MAX];
	size_t count;
	struct nt_lttng_chosen lttng; /* in place of patterns: none of both together */
	bool with_stacks;
};

/* USAGE, with the sentence: a word is no pattern, or they do not go together. "" is none. */
enum nt_status nt_events_choice_parse(const char *text, struct nt_events_choice *out, struct nt_error *err);

/*
 * What is not told of what was chosen though it was named, in words: events above the level that is asked for, and those that are left out over LTTng. "" = nothing. Returns `out`.
 */
const char *nt_events_choice_note(const struct nt_event_pattern *patterns, size_t count, const struct nt_lttng_chosen *lttng, char *out,
				  size_t size);

/* What --event-source and --event-name choose (nt_event_patterns_choose()), as such a text. USAGE: as above. */
enum nt_status nt_events_choice_of(const char *const *sources, size_t source_count, const char *const *names, size_t name_count,
				   char text[NT_EVENTS_CHOICE_TEXT], struct nt_error *err);

#endif
