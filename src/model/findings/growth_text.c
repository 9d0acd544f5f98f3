// SPDX-License-Identifier: GPL-2.0-only
/* Findings about growth in words: from what to what, how fast, when a limit is reached, and who it is as far as that is known. */
#include "model/findings/blame.h"
#include "model/findings/finding_words.h"
#include "nettop/column.h"

#include <inttypes.h>

static const nt_time far_ns = 24 * 3600 * NT_NS_PER_S; /* a limit that is reached later says nothing */

typedef const char *nt_number(uint64_t value, char *out, size_t size);

static void put_limit(const struct nt_growing *growing, nt_number *number, nt_text *texts)
{
	char limit[NUMBER], in[NUMBER];
	if (!growing->limit_of || growing->limit_in_ns >= far_ns)
		return;
	number((uint64_t)growing->limit, limit, sizeof(limit));
	nt_format_duration(growing->limit_in_ns, in, sizeof(in));
	nt_words_put(texts[LONG], "; %s, %s, in %s", growing->limit_of, limit, in);
	nt_words_put(texts[SHORT], "; limit in %s", in);
	nt_words_put(texts[BRIEF], ", limit in %s", in);
}

/* What most of the program's own threads have in common. */
static void put_threads(const struct nt_process_snapshot *process, nt_text *texts)
{
	struct nt_blame_threads most = nt_blame_threads(process);
	char site[NAME], means[NAME];
	if (most.site) {
		nt_words_method(most.site, site);
		nt_words_put(texts[LONG], "; %" PRIu32 " of them wait in %s%s%s", most.count,
			     most.means ? nt_words_method(most.means, means) : "", most.means ? " at " : "", site);
		nt_words_put(texts[SHORT], "; %" PRIu32 " at %s", most.count, site);
	} else if (most.name) {
		nt_words_put(texts[LONG], "; %" PRIu32 " of them are called %.*s%s", most.count, (int)most.name_length, most.name,
			     most.name[most.name_length] ? "..." : "");
		nt_words_put(texts[SHORT], "; %" PRIu32 " %.*s%s", most.count, (int)most.name_length, most.name,
			     most.name[most.name_length] ? "..." : "");
	}
}

/* While somebody looks. */
static void put_descriptors(const struct nt_process_snapshot *process, nt_text *texts)
{
	struct nt_blame_open most = nt_blame_open(process);
	if (!most.count)
		return;
	for (int form = LONG; form <= SHORT; form++)
		nt_words_put(texts[form], "; %" PRIu64 " %s", most.count, nt_io_kind_name(most.kind));
	if (most.what)
		nt_words_put(texts[LONG], " %s", most.what);
}

void nt_findings_tell_growth(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	static const struct {
		enum nt_finding_kind kind;
		enum nt_growing_kind growing;
		const char *what, *brief, *after;
		nt_number *number;
	} cases[] = {
		{ NT_FINDING_HEAP_GROWTH, NT_GROWING_HEAP, "Heap growth: from", "Heap growth:", " after collections,", nt_format_bytes },
		{ NT_FINDING_MEMORY_GROWTH, NT_GROWING_MEMORY, "Memory grows: RSS", "RSS grows:", "", nt_format_bytes },
		{ NT_FINDING_THREAD_GROWTH, NT_GROWING_THREADS, "Threads grow:", "Threads grow:", "", nt_format_whole },
		{ NT_FINDING_HANDLE_GROWTH, NT_GROWING_HANDLES, "GC handles grow:", "GC handles:", "", nt_format_whole },
		{ NT_FINDING_TIMER_GROWTH, NT_GROWING_TIMERS, "Timers grow:", "Timers grow:", "", nt_format_whole },
		{ NT_FINDING_DESCRIPTOR_GROWTH, NT_GROWING_DESCRIPTORS, "Descriptors grow:", "Descriptors:", "", nt_format_whole },
	};
	size_t at = 0;
	while (cases[at].kind != about->condition->kind)
		at++;
	const struct nt_growing *growing = &about->step->growing[cases[at].growing];
	char from[NUMBER], to[NUMBER], over[NUMBER], minute[NUMBER];
	cases[at].number((uint64_t)growing->from, from, sizeof(from));
	cases[at].number((uint64_t)growing->to, to, sizeof(to));
	cases[at].number((uint64_t)(60 * growing->per_s), minute, sizeof(minute));
	nt_format_duration(growing->over_ns, over, sizeof(over));
	nt_words_put(texts[LONG], "%s %s to %s%s in %s, %s a minute", cases[at].what, from, to, cases[at].after, over, minute);
	nt_words_put(texts[SHORT], "%s %s to %s in %s", cases[at].what, from, to, over);
	nt_words_put(texts[BRIEF], "%s %s to %s", cases[at].brief, from, to);
	if (growing->heap.known)
		nt_words_put(texts[LONG], "; the GC heap has %s", nt_format_bytes((uint64_t)growing->heap.v, from, sizeof(from)));
	put_limit(growing, cases[at].number, texts);
	if (about->condition->kind == NT_FINDING_HEAP_GROWTH)
		nt_words_put_type(about->process, texts);
	if (about->condition->kind == NT_FINDING_THREAD_GROWTH)
		put_threads(about->process, texts);
	if (about->condition->kind == NT_FINDING_DESCRIPTOR_GROWTH)
		put_descriptors(about->process, texts);
}
