/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What somebody wants to see of a process, in a word:
 *
 *	clr/GC*				events of the runtime, by their names
 *	System.Net.Http			all events of an EventSource
 *	System.Net.Http/RequestStart	one of them
 *	System.Net.Http/1		the same by its number, which the process is told: it makes no other one then (.NET 10)
 *	System.Net.Http:0x2:5		with these keywords, at this level (default: all, 4)
 *	Shop-Orders:-1:4:A=b;C=d	and with arguments
 *	log				what the program writes by ILogger, as its own filters let through
 *	log:Shop.Checkout=Debug		of this category at this level, whatever its filters say; several with ; between them
 */
#ifndef NT_SOURCE_EVENT_PATTERN_H
#define NT_SOURCE_EVENT_PATTERN_H

#include "decode/eventpipe/ipc.h"
#include "nettop/status.h"

enum {
	NT_EVENT_PATTERNS_MAX = 16,
	NT_EVENT_PROVIDER_BYTES = 128,
	NT_EVENT_NAME_BYTES = 128,
	NT_EVENT_ARGUMENT_BYTES = 1024,
	NT_EVENT_IDS_MAX = 512
};

struct nt_event_pattern {
	char provider[NT_EVENT_PROVIDER_BYTES];
	char event[NT_EVENT_NAME_BYTES]; /* with * and ?; "*" = all */
	bool by_id;                      /* `event` is a number, this one */
	uint32_t id;
	uint64_t keywords;
	uint32_t level;
	char arguments[NT_EVENT_ARGUMENT_BYTES]; /* "" = none */
	bool is_log;
	bool with_stack; /* with its call stack; one of several wants it for all, because the session has them or has not */
};

/* USAGE, with the sentence: it is none, or asks for what nettop does not ask for in this way, and what does. */
enum nt_status nt_event_pattern_parse(const char *text, struct nt_event_pattern *out, struct nt_error *err);

/*
 * Is it of an EventSource's events only those up to its level? A program gives them levels as it likes, and those above do not come: nobody would know that there are any.
 */
bool nt_event_pattern_leaves_out_levels(const struct nt_event_pattern *pattern);

/* Is this event among what the pattern means? */
bool nt_event_pattern_has(const struct nt_event_pattern *pattern, const char *provider, const char *event, uint32_t id);

/*
 * What --event-source and --event-name choose, as texts of patterns: all events of each source, or those of each name of each source; names without a source are the runtime's. They are the caller's
 * (free()), *out_count of them, also behind an error. USAGE: they are too many.
 */
enum nt_status nt_event_patterns_choose(const char *const *sources, size_t source_count, const char *const *names, size_t name_count,
					char *out[NT_EVENT_PATTERNS_MAX], size_t *out_count, struct nt_error *err);

/* What a session asks for. A provider that several patterns name is there once. */
struct nt_event_request {
	struct nt_ipc_provider providers[NT_EVENT_PATTERNS_MAX];
	size_t count;
	uint32_t ids
		[NT_EVENT_IDS_MAX]; /* for the filters of providers of which single events are wanted, one provider's behind the other's */
	size_t id_count;
};

/* Borrows from the patterns; *out borrows from itself. USAGE: two of one provider with arguments of their own. */
enum nt_status nt_event_request_make(const struct nt_event_pattern *patterns, size_t count, struct nt_event_request *out,
				     struct nt_error *err);

/*
 * Which of them may not be asked of a process that LTTng's own library serves: the runtime fires an event over LTTng, too, while an EventPipe session has its keyword, and of some events a text that
 * is null ends the process then (doc/EVENTS.md). Those of the runtime beyond collections, locks and threads, and all of
 * the providers that it has besides (...Private, ...Stress). NULL = none.
 */
const struct nt_event_pattern *nt_event_patterns_harmful(const struct nt_event_pattern *patterns, size_t count);

#endif
