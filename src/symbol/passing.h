/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of code that may be freed: each for the time for which it is known (nt_ev_name.from and until), and what of it has been sampled since. */
#ifndef NT_SYMBOL_PASSING_H
#define NT_SYMBOL_PASSING_H

#include "nettop/source.h"
#include "symbol/names.h"

enum {
	NT_PASSING_MOST = 1 << 12, /* names; beyond, those that were known to be there least recently are forgotten */
	NT_PASSING_ASKED = 16,     /* questions at a time: each is answered by two looks */
};

struct nt_passed {
	uint64_t start, end;
	nt_time from, until;
	nt_text_ref name; /* 0: it cannot be read */
};

struct nt_passing {
	struct nt_passed *items; /* owned; by start, then by from */
	size_t count, capacity;
	uint64_t longest; /* none is longer */
	uint64_t wanted[NT_PASSING_ASKED];
	size_t wanted_count;
	bool untold; /* some code had that answer since this was last set to false */
};

enum nt_passing_answer {
	NT_PASSING_UNTOLD, /* it was sampled before it was looked at, or has gone since */
	NT_PASSING_NAMED,
	NT_PASSING_AWAITED, /* it was there until shortly before; the next look tells */
};

void nt_passing_fini(struct nt_passing *passing);

/* What a NAME event with `until` says. */
void nt_passing_add(struct nt_passing *passing, const struct nt_ev_name *said, nt_text_ref name);

/* What lies at `address` at `time`. *out: borrowed until the next add; NULL unless NAMED. */
enum nt_passing_answer nt_passing_find(const struct nt_passing *passing, uint64_t address, nt_time time, const struct nt_passed **out);

/* Of what is known to have been there at `time` or before, what was there last; NULL = nothing. Borrowed likewise. */
const struct nt_passed *nt_passing_before(const struct nt_passing *passing, uint64_t address, nt_time time);

/* The newest of what is known to have been there; NULL = nothing. Borrowed likewise. */
const struct nt_passed *nt_passing_newest(const struct nt_passing *passing, uint64_t address);

/* Code at `address` was sampled at `time`: a question, unless its name is known then. Returns whether it is one. */
bool nt_passing_want(struct nt_passing *passing, uint64_t address, nt_time time);

/* Append the questions to those that there are, as far as there is room for `max` in all; they are asked once. */
struct nt_question *nt_passing_ask(struct nt_passing *passing, uint32_t pid, size_t max, struct nt_question *questions, size_t *count);

void nt_passing_each_ref(struct nt_passing *passing, nt_ref_visit *visit, void *context);

#endif
