/* SPDX-License-Identifier: GPL-2.0-only */
/* What batches say of events that somebody has asked for by name: payloads of NT_EV_TOLD and its neighbours, and of NT_EV_TELL. */
#ifndef NETTOP_TOLD_SAID_H
#define NETTOP_TOLD_SAID_H

#include <stdint.h>

#include "nettop/code_event.h"

/* An event as its provider tells it; when and where is said by the event that this is in. */
struct nt_ev_told {
	nt_str provider, name; /* as people call it: clr/GCStart; name 0 = not known, `id` says which */
	uint32_t fields;       /* 1 + the place among the batch's lines of what they are: text of base/told_text.h; 0 = none */
	uint32_t id;
	uint32_t payload_bytes;
	uint32_t cut;         /* 1: there is more in its payload */
	uint64_t activity[2]; /* of its thread; 0, 0 = none */
	uint64_t number;      /* 1, 2, 3 ... among those that this source tells; 0 = not said */
};

/* So many more of a kind have come, which are not told one by one: there were too many. */
struct nt_ev_told_more {
	nt_str provider, name;
	uint32_t id;
	uint64_t count, payload_bytes;
};

enum nt_telling_state {
	NT_TELLING_NOT,      /* nothing is asked of the process; why, if somebody wanted it */
	NT_TELLING_STARTING, /* asked for, not there yet */
	NT_TELLING_ON,       /* everything from here on is told */
	NT_TELLING_STATES
};

/* How it stands with what was asked for. */
struct nt_ev_telling {
	uint32_t state;     /* enum nt_telling_state */
	nt_str reason, fix; /* of NOT, where it was wanted; 0 = none */
};

enum nt_tell_what {
	NT_TELL_NOTHING, /* nobody looks: what was kept is forgotten */
	NT_TELL_ANYWAY,  /* what the sources bring anyway, for other screens */
	NT_TELL_CHOSEN,  /* what `patterns` say */
	NT_TELL_COUNT
};

/* nettop decides which events are shown one by one. */
struct nt_ev_tell {
	uint32_t what;   /* enum nt_tell_what */
	nt_str patterns; /* of CHOSEN: as somebody wrote them */
	uint32_t stacks; /* of CHOSEN: 1: with their call stacks */
	nt_str note;     /* of CHOSEN: what is not told of what they name; 0 = nothing is to be said */
};

#endif
