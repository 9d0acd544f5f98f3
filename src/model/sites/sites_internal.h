/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by sites.c (which stacks there are) and sites_names.c (what they are called). */
#ifndef NT_MODEL_SITES_INTERNAL_H
#define NT_MODEL_SITES_INTERNAL_H

#include "model/sites/sites.h"

struct nt_site_stack {
	uint64_t hash;          /* of the addresses */
	uint32_t next;          /* item of the same hash, or next free one */
	nt_site_ref same;       /* of this interval, and known already as that one; 0 = not */
	struct nt_chain *chain; /* of this interval, not settled yet */
	uint64_t *addresses;    /* owned; leaf first; NULL = not settled yet, or free */
	uint16_t count, site;   /* site: the frame, once there is a version */
	bool kept;
	bool cut; /* the outermost frames are left out */

	nt_time time;                 /* of the newest event with it, or of the first in the open interval */
	uint32_t version;             /* of the code map for which the site holds; 0 = none yet */
	nt_time valid_from, valid_to; /* and the time for which it does */
	struct nt_site is;

	struct nt_call_frame *frames; /* owned; NULL = nobody has asked for all of it */
	uint32_t frames_version;
	bool frames_open;
	const struct nt_call_stack *shown; /* in the snapshot of shown_in */
	uint64_t shown_in;
};

/* Find the site of `stack` as of its time. `addresses`: its own, or those of its chain. */
void nt_site_name(struct nt_sites *sites, struct nt_site_stack *stack, const uint64_t *addresses);

/* Name all of its frames, as far as that has not been done for good. */
void nt_site_name_frames(struct nt_sites *sites, struct nt_site_stack *stack);

#endif
