/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/sites: places in the code, and how often something happened there. */
/*
 * Who asked for it: the call stacks of events, and the site of each, which is the frame that people look for: the first that is the program's own.
 *
 * A subject notes the stack of an event when the event comes and gets a reference. When the interval closes, the names of its time are there:
 * stacks are settled, and a subject says of each reference that it goes on holding that it does (nt_sites_keep(), at every close). All others are
 * forgotten. The same addresses are the same stack only as long as the same code lies there.
 */
#ifndef NT_MODEL_SITES_H
#define NT_MODEL_SITES_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/ids.h"
#include "model/common/span.h"
#include "nettop/snapshot.h"
#include "symbol/resolver.h"

enum {
	NT_SITES_LIMIT = 4096,            /* stacks at a time; beyond, a stack is not known */
	NT_SITES_FRAMES = 64,             /* of a deeper stack the outermost frames are left out */
	NT_SITES_OPEN_NS = 30000000000LL, /* after this nothing gets a better name any more: what lay there then is forgotten */
};

typedef uint32_t nt_site_ref; /* a stack; 0 = none */

/* What is said of a stack's site. */
struct nt_site {
	const char *name;   /* the table's: a method, or `[module+0x12]` where nobody can name it; NULL = there is no stack */
	const char *module; /* the table's; NULL = not known */
	bool open;          /* a better name may come */
};

struct nt_site_stack; /* sites_internal.h */

struct nt_sites {
	struct nt_resolver *resolver; /* borrowed */
	struct nt_site_stack *items;  /* owned; reference - 1 */
	size_t count, capacity;
	uint32_t free;      /* first free item; a list */
	nt_site_ref *fresh; /* owned: noted in the open interval */
	size_t fresh_count, fresh_capacity;
	struct nt_index by_hash; /* of the addresses -> first settled item; a list */
	uint32_t version;        /* of the code map */
	uint32_t frames_most;    /* of a stack that are kept: NT_SITES_FRAMES */
};

void nt_sites_init(struct nt_sites *sites, struct nt_resolver *resolver);
void nt_sites_fini(struct nt_sites *sites);

/* A stack as of `time`. The reference holds until the interval closes. NULL or no room: 0. */
nt_site_ref nt_sites_note(struct nt_sites *sites, struct nt_chain *chain, nt_time time);

/* The interval ends, and the code map is settled (its `version`): find the sites. After this no chain is referred to any more. */
void nt_sites_settle(struct nt_sites *sites, const struct nt_span *span, uint32_t version);

/*
 * This reference goes on being held. It may become another number, the one under which the same stack was known already. Between settle and
 * sweep only.
 */
struct nt_site nt_sites_keep(struct nt_sites *sites, nt_site_ref *ref);

/* All of a stack that was kept, in the snapshot; NULL when there is none. */
const struct nt_call_stack *nt_sites_stack(struct nt_sites *sites, nt_site_ref ref, struct nt_snapshot *snapshot);

/* The frames of a stack that was kept, leaf first, and in *site which of them people look for; until the next settle. */
const struct nt_call_frame *nt_sites_frames(struct nt_sites *sites, nt_site_ref ref, uint32_t *count, uint32_t *site);

/* Every subject has closed: forget the stacks that nobody kept. */
void nt_sites_sweep(struct nt_sites *sites);

/* Visit the texts that are kept. */
void nt_sites_each_text(const struct nt_sites *sites, nt_text_visit *visit, void *context);

#endif
