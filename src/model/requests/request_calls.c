// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/request_calls.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_request_calls_fini(struct nt_request_calls *calls)
{
	free(calls->calls);
	nt_index_fini(&calls->by_span);
	*calls = (struct nt_request_calls){ 0 };
}

void nt_request_calls_begin(struct nt_request_calls *calls, const struct nt_request_call *call, struct nt_request_awaited *awaited)
{
	uint32_t there = call->span ? nt_index_get(&calls->by_span, call->span) : NT_INDEX_NONE;
	if (!call->span || there != NT_INDEX_NONE || calls->count == NT_REQUEST_CALLS) {
		awaited->unknown = true;
		return;
	}
	if (!awaited->open++)
		awaited->since = call->began;
	nt_index_put(&calls->by_span, call->span, (uint32_t)calls->count);
	calls->calls = nt_grow(calls->calls, &calls->capacity, calls->count + 1, sizeof(*calls->calls));
	calls->calls[calls->count++] = *call;
}

static void take_out(struct nt_request_calls *calls, uint32_t index)
{
	struct nt_request_call *place = &calls->calls[index];
	nt_index_remove(&calls->by_span, place->span);
	*place = calls->calls[--calls->count];
	if (index < calls->count)
		nt_index_put(&calls->by_span, place->span, index);
}

bool nt_request_calls_end(struct nt_request_calls *calls, uint64_t span, struct nt_request_call *out)
{
	uint32_t index = span ? nt_index_get(&calls->by_span, span) : NT_INDEX_NONE;
	if (index == NT_INDEX_NONE)
		return false;
	*out = calls->calls[index];
	take_out(calls, index);
	return true;
}

void nt_request_calls_forget(struct nt_request_calls *calls, nt_time before)
{
	for (size_t i = calls->count; i-- > 0;)
		if (calls->calls[i].began < before)
			take_out(calls, (uint32_t)i);
}

void nt_request_awaited_end(struct nt_request_awaited *awaited, const struct nt_request_call *call, nt_time ended)
{
	uint64_t ns = ended > call->began ? ended - call->began : 0;
	if (ns >= awaited->peer_ns) {
		awaited->peer_ns = ns;
		awaited->peer = call->peer;
	}
	if (awaited->open && !--awaited->open && ended > awaited->since)
		awaited->ns += ended - awaited->since;
}

uint64_t nt_request_awaited_until(const struct nt_request_awaited *awaited, nt_time now)
{
	return awaited->ns + (awaited->open && now > awaited->since ? now - awaited->since : 0);
}
