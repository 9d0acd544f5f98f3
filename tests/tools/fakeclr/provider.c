// SPDX-License-Identifier: GPL-2.0-only
/* The stand-in for libcoreclrtraceptprovider.so: the probes, found by the tracepoints of libcoreclr.so through lttng-ust. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "fakeclr/provider.h"
