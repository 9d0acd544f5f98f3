/* SPDX-License-Identifier: GPL-2.0-only */
/* Spans of time in which all managed threads stood for a collection. */
#ifndef NT_MODEL_PAUSE_H
#define NT_MODEL_PAUSE_H

#include "nettop/clock.h"

#include <stddef.h>

/* A program that collects all the time makes some hundred a second. Of them so many at least have ended. */
enum { NT_PAUSES = 576, NT_PAUSES_ENDED = 512 };

/* The last ones, as far as somebody tells of them. */
struct nt_pauses {
	struct {
		nt_time begin, end; /* end: NT_TIME_UNKNOWN = it lasts */
	} items[NT_PAUSES];
	size_t count;
};

#endif
