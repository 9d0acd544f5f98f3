/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of events, by numbers that are written down: a batch that was kept is read by a later nettop. The table is event_kinds.def;
 * tests/unit/base/test_event_kinds.c holds the numbers.
 */
#ifndef NETTOP_EVENT_KIND_H
#define NETTOP_EVENT_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Version of all that nettop/event.h and nettop/code_event.h say: raised when the meaning or the form of an event changes that there was before. */
enum { NT_EVENT_FORMAT = 1 };

enum nt_event_kind {
#define KIND(name, number, text, holds, of) NT_EV_##name = (number),
#include "nettop/event_kinds.def"
	NT_EV_LIMIT = 0x100 /* above all of them */
};

/* What becomes of an event when another of its kind comes. */
enum nt_event_holds {
	NT_EVENT_STATE,  /* how something is: holds at once, until a later one says otherwise of the same thing */
	NT_EVENT_SUM,    /* each counts, as soon as it is told */
	NT_EVENT_MOMENT, /* something happened: each counts, in the interval in which its time lies */
};

/* Whom it tells of. */
enum nt_event_of {
	NT_EVENT_OF_PROCESS, /* of the process that it names; without one it is of the only process there is */
	NT_EVENT_OF_SOURCE,  /* of its source, as far as that watches the process that it names; without one as a whole */
	NT_EVENT_OF_NETTOP,  /* of nettop, or of the machine: of no process */
};

struct nt_event_attributes {
	const char *name; /* stable, in lower case; NULL: there is no such kind */
	enum nt_event_holds holds;
	enum nt_event_of of;
};

extern const struct nt_event_attributes nt_event_attributes[NT_EV_LIMIT];

/* Is there a kind of this number? */
static inline bool nt_event_kind_exists(unsigned kind)
{
	return kind < NT_EV_LIMIT && nt_event_attributes[kind].name;
}

/* Does the kind, which exists, count by its time? */
static inline bool nt_event_is_moment(enum nt_event_kind kind)
{
	return nt_event_attributes[kind].holds == NT_EVENT_MOMENT;
}

/* Does the source speak of itself alone? Its time is no time of the target's then. */
static inline bool nt_event_is_own(enum nt_event_kind kind)
{
	return kind < NT_EV_COVER;
}

/* Does nettop decide something for the model by it? */
static inline bool nt_event_is_direction(enum nt_event_kind kind)
{
	return kind > NT_EV_SELF && kind < NT_EV_SAMPLE;
}

/* Is it about events that somebody has asked for by name? They are told beside all that counts. */
static inline bool nt_event_is_told(enum nt_event_kind kind)
{
	return kind >= NT_EV_TOLD && kind <= NT_EV_TELLING;
}

/* Does the runtime tell it? */
static inline bool nt_event_is_of_runtime(enum nt_event_kind kind)
{
	return kind >= NT_EV_COUNTER && !nt_event_is_told(kind);
}

/* Its name, for logs, the details writer, JSON and documents. Never NULL; "?" for a kind that does not exist. */
const char *nt_event_kind_name(enum nt_event_kind kind);

#endif
