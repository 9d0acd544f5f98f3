// SPDX-License-Identifier: GPL-2.0-only
/* Single requests as ASP.NET Core's listener tells of them over EventPipe, written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/interner.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/request_events.h"
#include "nettrace_stream.h"

struct world {
	struct nt_interner *interner;
	struct nt_batch *batch;
	struct stream payload;
};

static void begin(struct world *w)
{
	w->interner = nt_interner_new(0);
	w->batch = nt_batch_new(NT_SOURCE_EVENTPIPE);
	w->payload.length = 0;
	nt_interner_begin(w->interner, w->batch);
}

static void end(struct world *w)
{
	nt_batch_free(w->batch);
	nt_interner_free(w->interner);
}

static void write_head(struct world *w, const char *event, uint16_t pairs)
{
	w->payload.length = 0;
	put_utf16(&w->payload, "Microsoft.AspNetCore");
	put_utf16(&w->payload, event);
	put_u16(&w->payload, pairs);
}

static void write_pair(struct world *w, const char *key, const char *value)
{
	put_utf16(&w->payload, key);
	put_utf16(&w->payload, value);
}

static enum nt_status build(struct world *w, size_t length)
{
	struct nt_nettrace_meta meta = { .provider = NT_DIAGNOSTIC_SOURCE_PROVIDER, .name = "Activity1/Start" };
	const struct nt_nettrace_event event = {
		.meta = &meta, .time = 5, .payload = w->payload.bytes, .payload_length = (uint32_t)length
	};
	const struct nt_clr_at at = { .interner = w->interner, .batch = w->batch, .time = 5, .pid = 1, .tid = 2 };
	return nt_request_event_build(&event, &at);
}

static const struct nt_ev_request *built(struct world *w)
{
	size_t before = w->batch->event_count;
	assert_int_equal(build(w, w->payload.length), NT_OK);
	assert_int_equal(w->batch->event_count, before + 1);
	const struct nt_event *event = &w->batch->events[before];
	assert_int_equal(event->kind, NT_EV_REQUEST);
	assert_true(event->time == 5 && event->pid == 1 && event->tid == 2);
	return &event->u.request;
}

static size_t text_of(const struct world *w, nt_str id, const char **text)
{
	for (size_t i = 0; i < w->batch->str_count; i++)
		if (w->batch->strs[i].id == id && id) {
			*text = w->batch->bytes + w->batch->strs[i].offset;
			return w->batch->strs[i].length;
		}
	*text = "";
	return 0;
}

static void assert_text(const struct world *w, nt_str id, const char *expected)
{
	const char *text;
	assert_int_equal(text_of(w, id, &text), strlen(expected));
	assert_memory_equal(text, expected, strlen(expected));
}

static void its_beginning_and_its_end(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	write_head(&w, NT_REQUEST_START, 3);
	write_pair(&w, "M", "GET");
	write_pair(&w, "P", "/item/3");
	write_pair(&w, "I", "00-4bf92f3577b34da6A3CE929D0E0E4736-00f067aa0ba902b7-01");
	const struct nt_ev_request *request = built(&w);
	assert_int_equal(request->op, NT_REQUEST_BEGUN);
	assert_text(&w, request->method, "GET");
	assert_text(&w, request->path, "/item/3");
	assert_true(request->span == UINT64_C(0x00f067aa0ba902b7));
	assert_true(request->trace_high == UINT64_C(0x4bf92f3577b34da6) && request->trace_low == UINT64_C(0xa3ce929d0e0e4736));
	write_head(&w, NT_REQUEST_STOP, 2);
	write_pair(&w, "C", "200");
	write_pair(&w, "S", "00f067aa0ba902b7");
	request = built(&w);
	assert_int_equal(request->op, NT_REQUEST_DONE);
	assert_int_equal(request->status, 200);
	assert_true(request->span == UINT64_C(0x00f067aa0ba902b7));
	end(&w);
}

/* One that the program makes: the peer as Meters name it. */
static void one_that_it_makes(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	write_head(&w, NT_REQUEST_MADE_START, 4);
	write_pair(&w, "H", "pay.example");
	write_pair(&w, "O", "443");
	write_pair(&w, "I", "00-4bf92f3577b34da6A3CE929D0E0E4736-00f067aa0ba902b7-01");
	write_pair(&w, "A", "00f067aa0ba902b8");
	assert_int_equal(build(&w, w.payload.length), NT_OK);
	const struct nt_event *event = &w.batch->events[0];
	assert_int_equal(event->kind, NT_EV_REQUEST_MADE);
	assert_int_equal(event->u.request_made.op, NT_REQUEST_BEGUN);
	assert_text(&w, event->u.request_made.peer, "pay.example:443");
	assert_true(event->u.request_made.span == UINT64_C(0x00f067aa0ba902b7) &&
		    event->u.request_made.parent == UINT64_C(0x00f067aa0ba902b8));
	assert_true(event->u.request_made.trace_high == UINT64_C(0x4bf92f3577b34da6));
	write_head(&w, NT_REQUEST_MADE_STOP, 1);
	write_pair(&w, "S", "00f067aa0ba902b7");
	assert_int_equal(build(&w, w.payload.length), NT_OK);
	assert_int_equal(w.batch->events[1].u.request_made.op, NT_REQUEST_DONE);
	/* A port that is none is not told, a host that is too long is cut; who has no host has no name. */
	char host[400];
	memset(host, 'h', sizeof(host) - 1);
	host[sizeof(host) - 1] = '\0';
	write_head(&w, NT_REQUEST_MADE_START, 3);
	write_pair(&w, "H", host);
	write_pair(&w, "O", "-1");
	write_pair(&w, "A", "0000000000000000");
	assert_int_equal(build(&w, w.payload.length), NT_OK);
	host[NT_REQUEST_PEER_BYTES] = '\0';
	assert_text(&w, w.batch->events[2].u.request_made.peer, host);
	assert_true(!w.batch->events[2].u.request_made.parent && !w.batch->events[2].u.request_made.span);
	write_head(&w, NT_REQUEST_MADE_START, 1);
	write_pair(&w, "O", "443");
	assert_int_equal(build(&w, w.payload.length), NT_OK);
	assert_int_equal(w.batch->events[3].u.request_made.peer, 0);
	end(&w);
}

/* A value that is null has no pair: nothing is made up for it. */
static void what_is_missing_is_not_told(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	write_head(&w, NT_REQUEST_STOP, 0);
	const struct nt_ev_request *request = built(&w);
	assert_true(!request->span && !request->status && !request->method && !request->path);
	write_head(&w, NT_REQUEST_START, 3);
	write_pair(&w, "Headers", "no key of ours");
	write_pair(&w, "", "");
	write_pair(&w, "M", "GET");
	request = built(&w);
	assert_true(!request->span && !request->path && !request->trace_high && !request->trace_low);
	/* Another tool has asked for the same events, with members of its own. */
	size_t before = w.batch->event_count;
	write_head(&w, NT_REQUEST_START, 2);
	write_pair(&w, "Path", "/item/3");
	write_pair(&w, "ActivitySpanId", "00f067aa0ba902b7");
	assert_int_equal(build(&w, w.payload.length), NT_AGAIN);
	assert_int_equal(w.batch->event_count, before);
	end(&w);
}

static void values_that_are_none(void **state)
{
	(void)state;
	static const struct {
		const char *key, *value;
	} odd[] = { { "S", "00f067aa0ba902bg" },
		    { "S", "00f067aa0ba902b" },
		    { "S", "" },
		    { "C", "OK" },
		    { "C", "20" },
		    { "C", "1000" },
		    { "C", "-200" },
		    { "C", "99999999999999999999999" },
		    { "I", "" },
		    { "I", "|4bf92f35.1." },
		    { "I", "00-4bf92f3577b34da6A3CE929D0E0E473-00f067aa0ba902b71-01" },
		    { "I", "00_4bf92f3577b34da6A3CE929D0E0E4736_00f067aa0ba902b7_01" },
		    { "I", "00-zzf92f3577b34dz6A3CE929D0E0E473z-00f067aa0ba902bz-01" } };
	struct world w;
	begin(&w);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		write_head(&w, NT_REQUEST_STOP, 1);
		write_pair(&w, odd[i].key, odd[i].value);
		const struct nt_ev_request *request = built(&w);
		assert_true(!request->span && !request->trace_high && !request->trace_low && !request->status);
	}
	end(&w);
}

/* Whatever a caller has put into the path: it is cut, and nothing else; who shows it escapes it. */
static void paths_are_cut(void **state)
{
	(void)state;
	struct world w;
	char path[NT_REQUEST_PATH_BYTES + 2];
	const char *text;
	begin(&w);
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	write_head(&w, NT_REQUEST_START, 1);
	write_pair(&w, "P", path);
	assert_int_equal(text_of(&w, built(&w)->path, &text), NT_REQUEST_PATH_BYTES);
	write_head(&w, NT_REQUEST_START, 1);
	write_pair(&w, "P", "/a\033[31m\r\n");
	assert_text(&w, built(&w)->path, "/a\033[31m\r\n");
	/* Of a character that would be cut in two nothing is left. */
	write_head(&w, NT_REQUEST_START, 1);
	put_utf16(&w.payload, "P");
	for (int i = 0; i < NT_REQUEST_PATH_BYTES - 1; i++)
		put_u16(&w.payload, 'a');
	put_u16(&w.payload, 0xd83d); /* four bytes of UTF-8 */
	put_u16(&w.payload, 0xde00);
	put_u16(&w.payload, 0);
	assert_int_equal(text_of(&w, built(&w)->path, &text), NT_REQUEST_PATH_BYTES - 1);
	end(&w);
}

/* Ten megabytes of one text, which no buffer of EventPipe's could hold. */
static void a_text_of_any_length(void **state)
{
	(void)state;
	enum { UNITS = 5 << 20 };
	struct world w;
	begin(&w);
	write_head(&w, NT_REQUEST_START, 1);
	put_utf16(&w.payload, "P");
	size_t head = w.payload.length, length = head + 2 * UNITS + 2;
	uint8_t *bytes = calloc(1, length);
	assert_non_null(bytes);
	memcpy(bytes, w.payload.bytes, head);
	memset(bytes + head, 'b', 2 * UNITS);
	struct nt_nettrace_meta meta = { .provider = NT_DIAGNOSTIC_SOURCE_PROVIDER, .name = "Activity1/Start" };
	struct nt_nettrace_event event = { .meta = &meta, .time = 5, .payload = bytes, .payload_length = (uint32_t)length };
	const struct nt_clr_at at = { .interner = w.interner, .batch = w.batch, .time = 5, .pid = 1, .tid = 2 };
	assert_int_equal(nt_request_event_build(&event, &at), NT_OK);
	const char *text;
	size_t kept = text_of(&w, w.batch->events[0].u.request.path, &text);
	assert_true(kept > NT_REQUEST_PATH_BYTES - 4 && kept <= NT_REQUEST_PATH_BYTES);
	event.payload_length -= 2; /* without its NUL */
	assert_int_equal(nt_request_event_build(&event, &at), NT_ERR_MALFORMED);
	free(bytes);
	end(&w);
}

/* Cut anywhere it is malformed, and nothing is appended. */
static void cut_anywhere(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	write_head(&w, NT_REQUEST_STOP, 2);
	write_pair(&w, "C", "200");
	write_pair(&w, "S", "00f067aa0ba902b7");
	for (size_t length = 0; length < w.payload.length; length++)
		assert_int_equal(build(&w, length), NT_ERR_MALFORMED);
	assert_int_equal(w.batch->event_count, 0);
	write_head(&w, NT_REQUEST_STOP, UINT16_MAX); /* more pairs than there are */
	write_pair(&w, "C", "200");
	assert_int_equal(build(&w, w.payload.length), NT_ERR_MALFORMED);
	assert_int_equal(w.batch->event_count, 0);
	end(&w);
}

/* All tools share one setting: what another has asked for comes, too. */
static void other_sources_are_no_requests(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	static const char *const others[] = { "", "System.Net.Http.HttpRequestOut", NT_REQUEST_START "ed",
					      "Microsoft.AspNetCore.Hosting.HttpRequestIn" };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		write_head(&w, others[i], 1);
		write_pair(&w, "S", "00f067aa0ba902b7");
		assert_int_equal(build(&w, w.payload.length), NT_AGAIN);
	}
	assert_int_equal(w.batch->event_count, 0);
	static const struct {
		const char *provider, *name;
		bool is;
	} kinds[] = { { NT_DIAGNOSTIC_SOURCE_PROVIDER, "Activity1/Start", true },
		      { NT_DIAGNOSTIC_SOURCE_PROVIDER, "Activity1Stop", true },
		      { NT_DIAGNOSTIC_SOURCE_PROVIDER, "Activity2/Start", true },
		      { NT_DIAGNOSTIC_SOURCE_PROVIDER, "Message", false },
		      { NT_DIAGNOSTIC_SOURCE_PROVIDER, "", false },
		      { "Shop", "Activity1/Start", false } };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct nt_nettrace_meta meta = { .provider = kinds[i].provider, .name = kinds[i].name };
		assert_int_equal(nt_request_event_is(&meta), kinds[i].is);
	}
	end(&w);
}

/* The runtime reads an argument in quotes to the next quote, and a line of it at a time. */
static void what_is_asked_for(void **state)
{
	(void)state;
	static const char *const specs[] = { NT_REQUEST_SPECS, NT_REQUEST_SPECS_BARE };
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		const char *first = strchr(specs[i], '"'), *last = strrchr(specs[i], '"');
		assert_true(first && last == specs[i] + strlen(specs[i]) - 1 && !memchr(first + 1, '"', (size_t)(last - first - 1)));
		assert_non_null(strstr(specs[i], NT_REQUEST_ACTIVITY ":-\n")); /* else nothing comes where nobody logs */
		assert_non_null(strstr(specs[i], NT_REQUEST_START "@Activity1Start:-"));
		assert_non_null(strstr(specs[i], NT_REQUEST_STOP "@Activity1Stop:-"));
		assert_null(strstr(specs[i], "Query"));
	}
	assert_non_null(strstr(NT_REQUEST_SPECS, "Path"));
	assert_null(strstr(NT_REQUEST_SPECS_BARE, "Path"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_beginning_and_its_end),
		cmocka_unit_test(one_that_it_makes),
		cmocka_unit_test(what_is_missing_is_not_told),
		cmocka_unit_test(values_that_are_none),
		cmocka_unit_test(paths_are_cut),
		cmocka_unit_test(a_text_of_any_length),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(other_sources_are_no_requests),
		cmocka_unit_test(what_is_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
