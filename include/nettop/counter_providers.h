/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The providers of counters that a target is asked for without being named: EventSources and Meters of the libraries that come with .NET, and the Meters of clients of
 * databases. The runtime's own, System.Runtime, is asked for by itself.
 */
#ifndef NETTOP_COUNTER_PROVIDERS_H
#define NETTOP_COUNTER_PROVIDERS_H

#include <stdbool.h>

enum { NT_COUNTER_PROVIDERS = 13 };

struct nt_counter_provider {
	const char *name;
	bool source;   /* it is an EventSource with counters */
	bool meter;    /* it is a Meter */
	bool requests; /* its Meter tells of requests */
};

extern const struct nt_counter_provider nt_counter_providers[NT_COUNTER_PROVIDERS];

#endif
