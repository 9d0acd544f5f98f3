/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program says of its instruments, once, before their first values: what they are for. Bounded: when there are more than that, all of them are
 * forgotten and those that are told from then on are kept; a counter that was told keeps what it has.
 */
#ifndef NT_MODEL_INSTRUMENTS_H
#define NT_MODEL_INSTRUMENTS_H

#include "base/index.h"
#include "nettop/counter_row.h"
#include "symbol/names.h"

enum { NT_INSTRUMENTS = 2048 };

/* The texts of an event. */
struct nt_instrument_texts {
	nt_text_ref provider, name, description, tags, meter_tags;
};

struct nt_instrument {
	uint64_t id;
	const char *description, *tags, *meter_tags; /* of the table of texts; NULL = none */
};

/* All zero is an empty one. */
struct nt_instruments {
	struct nt_instrument *items; /* owned, in no order */
	size_t count, capacity;
	struct nt_index by_id;
};

void nt_instruments_fini(struct nt_instruments *instruments);

/* Which instrument is it? `number` tells those of one name apart (nt_ev_counter.instrument). */
uint64_t nt_instrument_id(nt_text_ref provider, nt_text_ref name, uint32_t number, const struct nt_names *names);

/* An INSTRUMENT event. */
void nt_instruments_said(struct nt_instruments *instruments, uint32_t number, const struct nt_instrument_texts *texts,
			 const struct nt_names *names);

/* What was said of the instrument, into the row; nothing happens when nothing was. */
void nt_instruments_describe(const struct nt_instruments *instruments, uint64_t id, struct nt_counter_row *row);

/* Visit the texts that are kept. */
void nt_instruments_each_text(const struct nt_instruments *instruments, nt_text_visit *visit, void *context);

/* A text made to last, as far as it is kept; NULL = an empty one. */
const char *nt_counter_keep(const struct nt_names *names, nt_text_ref ref);

#endif
