// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/request_events.h"

#include "base/interner.h"
#include "base/text.h"
#include "decode/clr/clr.h"
#include "decode/common/reader.h"
#include "decode/eventpipe/counter_events.h"

#include <stdio.h>
#include <string.h>

enum { METHOD_BYTES = 32, SPAN_DIGITS = 16, TRACE_DIGITS = 32, LEAST_STATUS = 100, MOST_STATUS = 999 };

/* "00-TRACE-SPAN-FLAGS", as W3C's header traceparent has it. */
enum { TRACE_AT = 3, SPAN_AT = TRACE_AT + TRACE_DIGITS + 1, ID_UNITS = SPAN_AT + SPAN_DIGITS + 3 };

/* A text as it lies in the payload, UTF-16LE; borrowed. */
struct text {
	const uint8_t *units;
	size_t count;
};

static struct text read_text(struct nt_reader *reader)
{
	struct text text;
	text.units = nt_reader_utf16(reader, &text.count);
	return text;
}

static unsigned unit_of(const struct text *text, size_t index)
{
	return text->units[2 * index] | (unsigned)text->units[2 * index + 1] << 8;
}

static bool is_text(const struct text *text, const char *expected)
{
	if (text->count != strlen(expected))
		return false;
	for (size_t i = 0; i < text->count; i++)
		if (unit_of(text, i) != (unsigned char)expected[i])
			return false;
	return true;
}

/* ---- values ---- */

/* -1: it is no digit. */
static int digit_of(unsigned unit)
{
	if (unit >= '0' && unit <= '9')
		return (int)unit - '0';
	if (unit >= 'a' && unit <= 'f')
		return (int)unit - 'a' + 10;
	return unit >= 'A' && unit <= 'F' ? (int)unit - 'A' + 10 : -1;
}

/* SPAN_DIGITS digits of an id from `first` on; 0: they are none. */
static uint64_t id_of(const struct text *text, size_t first)
{
	uint64_t id = 0;
	for (size_t i = first; i < first + SPAN_DIGITS; i++) {
		int digit = digit_of(unit_of(text, i));
		if (digit < 0)
			return 0;
		id = id << 4 | (unsigned)digit;
	}
	return id;
}

/* False: it is none, or more than `most`. */
static bool number_of(const struct text *text, uint64_t most, uint64_t *out)
{
	uint64_t number = 0;
	for (size_t i = 0; i < text->count; i++) {
		unsigned unit = unit_of(text, i);
		if (unit < '0' || unit > '9')
			return false;
		number = number * 10 + (unit - '0');
		if (number > most)
			return false;
	}
	*out = number;
	return text->count != 0;
}

/* Of a request or of an activity, where the id is one of W3C's. */
struct ids {
	uint64_t trace_high, trace_low, span;
};

static struct ids ids_of(const struct text *text)
{
	if (text->count != ID_UNITS || unit_of(text, TRACE_AT - 1) != '-' || unit_of(text, SPAN_AT - 1) != '-')
		return (struct ids){ 0 };
	return (struct ids){ id_of(text, TRACE_AT), id_of(text, TRACE_AT + SPAN_DIGITS), id_of(text, SPAN_AT) };
}

static nt_str keep(const struct text *text, size_t most_bytes, const struct nt_clr_at *at)
{
	char buf[NT_REQUEST_PATH_BYTES + 1];
	size_t length = nt_utf16_to_utf8(text->units, text->count, buf, most_bytes + 1);
	return nt_interner_str(at->interner, at->batch, buf, length);
}

/* By the keys of NT_REQUEST_SPECS. False: it is one of another tool's. */
static bool take(struct nt_ev_request *request, const struct text *key, const struct text *value, const struct nt_clr_at *at)
{
	uint64_t number;
	struct ids ids;
	switch (key->count == 1 ? unit_of(key, 0) : 0) {
	case 'M':
		request->method = keep(value, METHOD_BYTES, at);
		break;
	case 'P':
		request->path = keep(value, NT_REQUEST_PATH_BYTES, at);
		break;
	case 'S':
		request->span = value->count == SPAN_DIGITS ? id_of(value, 0) : 0;
		break;
	case 'I':
		ids = ids_of(value);
		request->span = ids.span;
		request->trace_high = ids.trace_high;
		request->trace_low = ids.trace_low;
		break;
	case 'C':
		request->status = number_of(value, MOST_STATUS, &number) && number >= LEAST_STATUS ? (uint32_t)number : 0;
		break;
	default:
		return false;
	}
	return true;
}

/* What is told of one that the program makes, and what its peer is made of. */
struct made {
	struct nt_ev_request_made request;
	struct text host;
	uint64_t port; /* 0 = not told */
};

/* By the keys of NT_REQUEST_SPECS, as above. */
static bool take_made(struct made *made, const struct text *key, const struct text *value)
{
	const uint64_t most_port = 65535;
	struct ids ids;
	switch (key->count == 1 ? unit_of(key, 0) : 0) {
	case 'H':
		made->host = *value;
		break;
	case 'O':
		if (!number_of(value, most_port, &made->port))
			made->port = 0;
		break;
	case 'S':
		made->request.span = value->count == SPAN_DIGITS ? id_of(value, 0) : 0;
		break;
	case 'A':
		made->request.parent = value->count == SPAN_DIGITS ? id_of(value, 0) : 0;
		break;
	case 'I':
		ids = ids_of(value);
		made->request.span = ids.span;
		made->request.trace_high = ids.trace_high;
		made->request.trace_low = ids.trace_low;
		break;
	default:
		return false;
	}
	return true;
}

/* As Meters tell it: host:port. */
static nt_str peer_of(const struct made *made, const struct nt_clr_at *at)
{
	char host[NT_REQUEST_PEER_BYTES + 1], peer[NT_REQUEST_PEER_BYTES + 16];
	if (!made->host.count)
		return 0;
	nt_utf16_to_utf8(made->host.units, made->host.count, host, sizeof(host));
	int length =
		made->port ? snprintf(peer, sizeof(peer), "%s:%u", host, (unsigned)made->port) : snprintf(peer, sizeof(peer), "%s", host);
	return nt_interner_str(at->interner, at->batch, peer, (size_t)length);
}

/* ---- events ---- */

bool nt_request_event_is(const struct nt_nettrace_meta *meta)
{
	/* Others of this provider have other payloads: messages, names of listeners. */
	static const char *const names[] = { "Activity1/Start", "Activity1/Stop", "Activity1Start", "Activity1Stop",
					     "Activity2/Start", "Activity2/Stop", "Activity2Start", "Activity2Stop" };
	for (size_t i = 0; strcmp(meta->provider, NT_DIAGNOSTIC_SOURCE_PROVIDER) == 0 && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(meta->name, names[i]) == 0)
			return true;
	return false;
}

/* What an event is of, by its name. */
struct what {
	bool made;
	uint32_t op;
};

static enum nt_status what_of(struct nt_reader *reader, struct what *out)
{
	static const struct {
		const char *name;
		struct what what;
	} whats[] = {
		{ NT_REQUEST_START, { false, NT_REQUEST_BEGUN } },
		{ NT_REQUEST_STOP, { false, NT_REQUEST_DONE } },
		{ NT_REQUEST_MADE_START, { true, NT_REQUEST_BEGUN } },
		{ NT_REQUEST_MADE_STOP, { true, NT_REQUEST_DONE } },
	};
	read_text(reader); /* the name of the listener: that of the event has it, too */
	struct text name = read_text(reader);
	if (reader->bad)
		return NT_ERR_MALFORMED;
	for (size_t i = 0; i < sizeof(whats) / sizeof(whats[0]); i++)
		if (is_text(&name, whats[i].name)) {
			*out = whats[i].what;
			return NT_OK;
		}
	return NT_AGAIN;
}

enum nt_status nt_request_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	struct nt_reader reader = nt_reader_of(event->payload, event->payload_length);
	struct nt_ev_request request = { .activity = { event->activity[0], event->activity[1] } };
	struct made made = { .port = 0 };
	struct what what;
	enum nt_status status = what_of(&reader, &what);
	if (status != NT_OK)
		return status;
	unsigned pairs = nt_reader_u16(&reader);
	bool ours = !pairs;
	for (unsigned left = pairs; left && !reader.bad; left--) {
		struct text key = read_text(&reader), value = read_text(&reader);
		if (!reader.bad)
			ours |= what.made ? take_made(&made, &key, &value) : take(&request, &key, &value, at);
	}
	if (reader.bad)
		return NT_ERR_MALFORMED;
	/* As another tool has asked for it, in place of us: what says nothing of which request it is would be a beginning without end. */
	if (!ours)
		return NT_AGAIN;
	request.op = made.request.op = what.op;
	if (what.made) {
		made.request.peer = peer_of(&made, at);
		nt_batch_add(at->batch, NT_EV_REQUEST_MADE, at->time, at->pid, at->tid)->u.request_made = made.request;
	} else {
		nt_batch_add(at->batch, NT_EV_REQUEST, at->time, at->pid, at->tid)->u.request = request;
	}
	return NT_OK;
}

/* ---- connections ---- */

bool nt_connections_event_is(const struct nt_nettrace_meta *meta)
{
	return strcmp(meta->provider, NT_CONNECTIONS_PROVIDER) == 0 && nt_counter_event_is(meta);
}

enum nt_status nt_connections_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	const double most = 1e9;
	struct nt_counter_stream stream = { 0 };
	if (!nt_counter_event_build(&stream, event, at))
		return NT_AGAIN;
	struct nt_event *built = &at->batch->events[at->batch->event_count - 1];
	const struct nt_ev_counter told = built->u.counter;
	bool is_count = told.name == nt_interner_cstr(at->interner, at->batch, "current-connections") && told.known & NT_COUNTER_VALUE &&
			told.value >= 0 && told.value < most;
	nt_batch_take_back(at->batch);
	if (!is_count)
		return NT_AGAIN;
	nt_batch_add(at->batch, NT_EV_CONNECTIONS, at->time, at->pid, at->tid)->u.connections.count = (uint64_t)told.value;
	return NT_OK;
}
