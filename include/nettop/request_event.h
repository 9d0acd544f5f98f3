/* SPDX-License-Identifier: GPL-2.0-only */
/* A single request that the program serves, or makes, which thread works for which, and over how many connections they come: the payloads of NT_EV_REQUEST, NT_EV_REQUEST_MADE, NT_EV_ACTIVITY and NT_EV_CONNECTIONS (nettop/event.h). */
#ifndef NETTOP_REQUEST_EVENT_H
#define NETTOP_REQUEST_EVENT_H

#include <stdint.h>

#include "nettop/code_event.h"

/* Of Kestrel, as it counts them itself: also those from before anybody asked. */
struct nt_ev_connections {
	uint64_t count;
};

enum nt_request_op { NT_REQUEST_BEGUN, NT_REQUEST_DONE };

/* An activity of the runtime's, by the 16 bytes that it writes. It lasts from the beginning of what it is of to its end, on whichever threads. Both 0 = none. */
struct nt_ev_activity {
	uint64_t high, low;
};

/* One that began before it was asked for has no event at all. */
struct nt_ev_request {
	uint64_t span;                  /* tells requests in flight apart: the id of its activity; 0 = not told */
	uint64_t trace_high, trace_low; /* of the beginning: the id of its trace, which whoever calls may know; both 0 = not told */
	uint32_t op;                    /* enum nt_request_op */
	uint32_t status;                /* of the end: of the response, 100 to 999; 0 = not told */
	nt_str method, path;            /* of the beginning; 0 = not told. The path is cut, and without its query */
	struct nt_ev_activity activity; /* of which it is, where activities are told */
};

/* By the program, with HttpClient. */
struct nt_ev_request_made {
	uint64_t span;   /* tells those under way apart, as above */
	uint64_t parent; /* of the beginning: the activity in which it is made, which may be a request's; 0 = not told, or none */
	uint64_t trace_high, trace_low; /* of the beginning; both 0 = not told */
	uint32_t op;                    /* enum nt_request_op */
	nt_str peer;                    /* of the beginning: "pay:443", cut; 0 = not told */
};

#endif
