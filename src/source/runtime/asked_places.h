/* SPDX-License-Identifier: GPL-2.0-only */
/* Places that somebody asked about, and the reader is asked: so many at a time, the next ones when it has answered. */
#ifndef NT_SOURCE_ASKED_PLACES_H
#define NT_SOURCE_ASKED_PLACES_H

#include "nettop/source.h"
#include "source/contract/contract_reader.h"

enum { NT_ASKED_PLACES_WAITING = 4096 /* at most; what is left out the model asks again */ };

struct nt_asked_places {
	uint64_t waiting[NT_ASKED_PLACES_WAITING];
	size_t count;
	size_t open;   /* that the reader has been asked for and has not answered */
	nt_time asked; /* when it was */
};

/* nt_reader_name() and its like. */
typedef bool nt_reader_question(struct nt_reader *reader, const uint64_t *places, size_t count);

/* Take over the questions of this process for this image; returns how many. */
size_t nt_asked_places_ask(struct nt_asked_places *places, uint32_t pid, const char *image, const struct nt_question *questions,
			   size_t count);

/* Ask the reader for the next ones, if it has answered. False: it does not hear. */
bool nt_asked_places_go_on(struct nt_asked_places *places, nt_reader_question *question, struct nt_reader *reader, nt_time now);

/* The reader has ended: nothing is open. What it was asked for the model asks again. */
void nt_asked_places_forget(struct nt_asked_places *places);

/* Is an answer still to come? */
static inline bool nt_asked_places_any(const struct nt_asked_places *places)
{
	return places->open || places->count;
}

/* Has the reader been silent for so long? */
static inline bool nt_asked_places_overdue(const struct nt_asked_places *places, nt_time now, nt_time patience_ns)
{
	return places->open && now > places->asked + patience_ns;
}

#endif
