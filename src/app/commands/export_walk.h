/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording played to its end, for a file of another tool: all of it as a timeline. */
#ifndef NT_APP_EXPORT_WALK_H
#define NT_APP_EXPORT_WALK_H

#include "base/when.h"
#include "nettop/status.h"
#include "output/export/export_timeline.h"
#include "translate/open_file.h"

/* What is made of it, and of which part. */
struct nt_export_wish {
	const char *path;
	const struct nt_when *from, *to; /* as in nt_replayed_wish */
	struct nt_open_wish open;        /* likewise */
	bool intervals_alone;            /* no samples and no markers: then figures are of all that was recorded */
	bool markers;                    /* the timeline has them */
	bool runtime_events;             /* the timeline has the runtime's events */
	/* Is given all of it, once; NT_OK, or an error that ends it. */
	enum nt_status (*use)(void *context, const struct nt_export_timeline *timeline, struct nt_error *err);
	void *context;
};

/*
 * Play what nt_replayed_open() opens. Names are those that the model has at the end for what lay at an address at the time of its sample: so what was named later has its name. What is missing in the timeline goes to
 * standard error. Errors: that of `use`; those of the recording, after `use` had what came before.
 */
enum nt_status nt_export_walk(const struct nt_export_wish *wish, struct nt_error *err);

#endif
