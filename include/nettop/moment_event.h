/* SPDX-License-Identifier: GPL-2.0-only */
/* Something that happened, of which somebody asks where: the payload of NT_EV_MOMENT (nettop/event.h). */
#ifndef NETTOP_MOMENT_EVENT_H
#define NETTOP_MOMENT_EVENT_H

#include <stdint.h>

/* Something happened that somebody has asked for (nt_source_config.moments). Where is nt_event.stack: leaf first, kernel part first; 0 = not told. */
struct nt_ev_moment {
	uint64_t weight; /* in the unit of what was asked for: how often it happened, bytes, ns; of all that it stands for */
	uint32_t count;  /* for how often it stands: more than once where not each is told */
	uint32_t what;   /* which of those that were asked for, from 0 on; below NT_MOMENTS_ASKED_MAX */
	uint32_t cut;    /* as in struct nt_ev_sample */
};

enum { NT_MOMENTS_ASKED_MAX = 16 };

#endif
