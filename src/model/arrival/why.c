// SPDX-License-Identifier: GPL-2.0-only
#include "model/arrival/why.h"

#include "nettop/source.h"

#include <stddef.h>

/* Why the target's start leaves a subject out; no reason = it does not. */
static struct nt_why why_of_target(const struct nt_subject *subject, const struct nt_left_out *left_out)
{
	if (!subject->left_out)
		return (struct nt_why){ 0 };
	if (!left_out->known)
		return (struct nt_why){ .reason = "what the target was started with is not known yet" };
	return *(const struct nt_why *)((const char *)left_out + subject->left_out);
}

/* Why EventPipe, which alone can tell of them, is not asked for exceptions. */
static struct nt_why why_withheld(enum nt_withheld withheld)
{
	static const char fix[] = "start the target with nettop's bridge (nettop env), or nettop with --exceptions";
	static const struct nt_why whys[] = {
		[NT_WITHHELD_NOTHING] = { "only EventPipe is asked for exceptions, and now it is not", NULL },
		[NT_WITHHELD_EXCEPTIONS] = { "exceptions are not asked for: an LTTng session could then end the target at the first one "
					     "without a message",
					     fix },
		[NT_WITHHELD_UNKNOWN] = { "exceptions are not asked for: the target's libraries cannot be looked at, and with some of them "
					  "an LTTng session "
					  "could then end it",
					  fix },
		[NT_WITHHELD_FILE] = { "the file has no exceptions: none was thrown, or whoever recorded it did not ask for them", NULL },
	};
	return whys[withheld];
}

/* What a source that does not deliver says of itself, or what its state means. */
static struct nt_why why_of_source(const struct nt_source_account *account, enum nt_source_id id)
{
	static const char *const reasons[NT_SOURCE_COUNT][NT_STATE_ENDED + 1] = {
		[NT_SOURCE_PERF] = { "the perf source is not used", "perf is starting", NULL, "no CPU samples here",
				     "CPU samples are forbidden", "perf is silent", "perf has ended" },
		[NT_SOURCE_PROCFS] = { "the procfs source is not used", "procfs is starting", NULL, "no /proc here", "/proc is forbidden",
				       "/proc is silent", "the target has ended" },
		[NT_SOURCE_LTTNG] = { "the lttng source is not used", "lttng is starting: nothing delivered yet", NULL,
				      "no LTTng events here", "LTTng is forbidden", "lttng is silent", "lttng has ended" },
		[NT_SOURCE_EVENTPIPE] = { "EventPipe is not used", "EventPipe is starting: nothing delivered yet", NULL,
					  "no EventPipe here", "EventPipe is forbidden", "EventPipe is silent", "EventPipe has ended" },
		[NT_SOURCE_RUNTIME] = { "the runtime is not read from outside", "the runtime is being looked for: nothing read yet", NULL,
					"the runtime cannot be read from outside", "reading the runtime from outside is forbidden",
					"the runtime is not read any more", "the runtime has ended" },
	};
	struct nt_why why = { .reason = account->reason, .fix = account->fix };
	if (!why.reason)
		why.reason = reasons[id][account->state];
	if (!why.reason)
		why.reason = "nothing delivered yet";
	return why;
}

struct nt_why nt_why_no_eventpipe(const struct nt_sources *sources)
{
	const struct nt_source_account *eventpipe = &sources->items[NT_SOURCE_EVENTPIPE];
	bool may_come = eventpipe->state == NT_STATE_STARTING || eventpipe->state == NT_STATE_DELIVERING ||
			(eventpipe->state == NT_STATE_UNUSED && eventpipe->stated);
	return may_come ? (struct nt_why){ 0 } : why_of_source(eventpipe, NT_SOURCE_EVENTPIPE);
}

/* Does the runtime tell of it, by whichever way? Then an event of it proves that it comes, unless LTTng tells it in part. */
static bool is_of_runtime(const struct nt_subject *subject)
{
	return subject->source == NT_SOURCE_LTTNG || subject->source == NT_SOURCE_EVENTPIPE;
}

/* Is EventPipe asked for it, and able to bring it? */
static bool comes_by_eventpipe(const struct nt_subject *subject, const struct nt_sources *sources)
{
	const struct nt_source_account *account = &sources->items[NT_SOURCE_EVENTPIPE];
	return is_of_runtime(subject) && account->brings & subject->wanted && account->state != NT_STATE_ABSENT &&
	       account->state != NT_STATE_FORBIDDEN;
}

/* EventPipe, which has told of it, is not asked for it any more. */
static bool has_left(const struct nt_subject *subject, const struct nt_sources *sources, enum nt_source_id owner)
{
	uint32_t brings = sources->items[NT_SOURCE_EVENTPIPE].brings;
	return owner == NT_SOURCE_EVENTPIPE && brings && !(brings & subject->wanted);
}

/* Only EventPipe can bring them, and it is there, but it does not. */
static bool is_withheld(enum nt_subject_id index, const struct nt_sources *sources, const struct nt_owners *owners)
{
	const struct nt_source_account *account = &sources->items[NT_SOURCE_EVENTPIPE];
	bool reads = account->state == NT_STATE_DELIVERING || account->state == NT_STATE_STARTING;
	return index == NT_SUBJECT_EXCEPTIONS && !nt_owners_seen(owners, NT_SUBJECT_EXCEPTIONS) &&
	       !(account->brings & NT_WANT_EXCEPTIONS) &&
	       (reads ? account->brings != 0 : account->state == NT_STATE_UNUSED && account->withheld);
}

/* EventPipe carries the runtime's events, but these only while somebody looks. */
static bool waits_for_a_look(const struct nt_subject *subject, const struct nt_sources *sources)
{
	const struct nt_source_account *account = &sources->items[NT_SOURCE_EVENTPIPE];
	return subject->unlooked && account->brings & NT_WANT_RUNTIME_EVENTS && !(account->brings & subject->wanted);
}

/* Switches, where all are told; else the looks from outside. */
static enum nt_source_id teller_of_waits(const struct nt_sources *sources)
{
	const struct nt_source_account *perf = &sources->items[NT_SOURCE_PERF];
	return perf->brings & NT_WANT_SWITCHES && perf->delivered_now ? NT_SOURCE_PERF : NT_SOURCE_RUNTIME;
}

struct nt_why nt_why_not_exact(const struct nt_sources *sources, const char **in_short)
{
	static const char *const shorts[] = {
		[NT_NO_SWITCHES_FORBIDDEN] = "no right", [NT_NO_SWITCHES_DEAR] = "too dear", [NT_NO_SWITCHES_KERNEL] = "no BPF"
	};
	const struct nt_source_account *perf = &sources->items[NT_SOURCE_PERF];
	if (perf->no_switches != NT_NO_SWITCHES_SAID) {
		*in_short = shorts[perf->no_switches];
		return perf->no_switches_why;
	}
	if (perf->state == NT_STATE_DELIVERING || perf->state == NT_STATE_STARTING || perf->state == NT_STATE_ENDED)
		return (struct nt_why){ 0 }; /* they are about to come, or came */
	*in_short = perf->state == NT_STATE_FORBIDDEN ? "no right" : "no perf";
	return why_of_source(perf, NT_SOURCE_PERF);
}

/* Why what LTTng tells of the thread pool may not be all. */
static struct nt_why why_no_pool(const struct nt_owners *owners)
{
	static const struct nt_why silenced = { "an EventPipe session may have silenced the thread pool's events over LTTng", NULL };
	static const struct nt_why silent = { "no event of the thread pool has come over LTTng yet", NULL };
	if (owners->had_session)
		return silenced;
	return nt_owners_seen(owners, NT_SUBJECT_POOL) ? (struct nt_why){ 0 } : silent;
}

struct nt_knowledge nt_why(enum nt_subject_id index, const struct nt_sources *sources, const struct nt_owners *owners,
			   const struct nt_left_out *left_out)
{
	const struct nt_subject *subject = nt_subjects[index];
	if (is_withheld(index, sources, owners)) {
		struct nt_why withheld = why_withheld(sources->items[NT_SOURCE_EVENTPIPE].withheld);
		return (struct nt_knowledge){ .interval_why = withheld, .total_why = withheld };
	}
	bool seen = is_of_runtime(subject) && nt_owners_seen(owners, index);
	if (subject->unused && !seen && sources->items[NT_SOURCE_EVENTPIPE].state == NT_STATE_UNUSED) {
		const struct nt_why unused = { .reason = subject->unused };
		return (struct nt_knowledge){ .interval_why = unused, .total_why = unused };
	}
	enum nt_source_id owner =
		seen && !has_left(subject, sources, nt_owners_of(owners, index)) ? nt_owners_of(owners, index) : subject->source;
	/* Of what LTTng tells in part an event proves nothing. */
	bool lttng_is_partial = nt_subject_lttng_is_partial(subject, left_out), partial = owner == NT_SOURCE_LTTNG && lttng_is_partial;
	bool proven = seen && !(nt_owners_of(owners, index) == NT_SOURCE_LTTNG && lttng_is_partial);
	bool owner_delivers = seen && !partial && sources->items[owner].delivered_now;
	bool by_eventpipe = !owner_delivers && comes_by_eventpipe(subject, sources);
	enum nt_source_id source = by_eventpipe ? NT_SOURCE_EVENTPIPE : owner;
	if (index == NT_SUBJECT_WAITS)
		source = teller_of_waits(sources);
	const struct nt_source_account *account = &sources->items[source];
	struct nt_why why = why_of_target(subject, left_out);
	if (index == NT_SUBJECT_POOL && !why.reason && source == NT_SOURCE_LTTNG)
		why = why_no_pool(owners);
	bool can = !why.reason || by_eventpipe || (seen && !partial);
	struct nt_knowledge knowledge = {
		.source = source,
		.interval = can && account->delivered_now,
		.total = (can && account->was_delivering) || proven,
	};
	struct nt_why of_now = why;
	if (!account->delivered_now)
		of_now = waits_for_a_look(subject, sources) ? (struct nt_why){ .reason = subject->unlooked }
							    : why_of_source(account, source);
	if (!knowledge.interval)
		knowledge.interval_why = of_now;
	if (!knowledge.total)
		knowledge.total_why = can || !account->was_delivering ? of_now : why;
	return knowledge;
}

uint32_t nt_why_told_by(enum nt_subject_id index, const struct nt_left_out *left_out, uint32_t *asked)
{
	const struct nt_subject *subject = nt_subjects[index];
	*asked = subject->wanted;
	if (index == NT_SUBJECT_CPU) { /* nobody else has any: it says one thing */
		*asked = 1;
		return 1u << NT_SOURCE_PERF;
	}
	if (index == NT_SUBJECT_WAITS) {
		*asked = NT_WANT_LOOKS | NT_WANT_SWITCHES;
		return 1u << NT_SOURCE_RUNTIME | 1u << NT_SOURCE_PERF;
	}
	if (!subject->wanted)
		return 0;
	bool by_lttng = subject->source == NT_SOURCE_LTTNG && !why_of_target(subject, left_out).reason;
	return 1u << NT_SOURCE_EVENTPIPE | (by_lttng ? 1u << NT_SOURCE_LTTNG : 0);
}

struct nt_why nt_why_no_stacks(enum nt_subject_id index, const struct nt_sources *sources, const struct nt_owners *owners)
{
	uint32_t wanted = index == NT_SUBJECT_ALLOC ? NT_WANT_ALLOC_SAMPLES
			  : index == NT_SUBJECT_JIT ? NT_WANT_JIT_CALLERS
						    : NT_WANT_STACKS;
	static const struct nt_why starting = { "EventPipe, which brings call stacks, is starting", NULL };
	static const struct nt_why later = { "call stacks are asked for when the program has had 2 s to start", NULL };
	static const struct nt_why by_lttng = { "LTTng brings no call stacks; EventPipe does",
						"start nettop with --source perf,eventpipe,map" };
	const struct nt_source_account *eventpipe = &sources->items[NT_SOURCE_EVENTPIPE];
	const struct nt_subject *subject = nt_subjects[index];
	bool seen = nt_owners_seen(owners, index);
	/* From a target that was started for LTTng, which is to be watched at little cost, they come without. */
	if (subject->stacks_unasked && seen && nt_owners_of(owners, index) == NT_SOURCE_EVENTPIPE && eventpipe->brings & subject->wanted &&
	    !(eventpipe->brings & (NT_WANT_STACKS | NT_WANT_RUNTIME_EVENTS)))
		return (struct nt_why){ .reason = subject->stacks_unasked };
	if (seen && eventpipe->postpones && !(eventpipe->brings & wanted))
		return later;
	if (!seen || nt_owners_of(owners, index) != NT_SOURCE_LTTNG)
		return (struct nt_why){ 0 };
	if (eventpipe->state == NT_STATE_ABSENT || eventpipe->state == NT_STATE_FORBIDDEN)
		return why_of_source(eventpipe, NT_SOURCE_EVENTPIPE);
	if (!(eventpipe->brings & wanted))
		return by_lttng;
	return eventpipe->state == NT_STATE_DELIVERING ? (struct nt_why){ 0 } : starting;
}
