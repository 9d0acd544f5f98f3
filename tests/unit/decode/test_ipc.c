// SPDX-License-Identifier: GPL-2.0-only
/* The diagnostics protocol: requests byte by byte as a .NET 10 runtime has accepted them, replies as it has sent them, and cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/eventpipe/ipc.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t header[16] = "DOTNET_IPC_V1\0\0";

static void check_header(const uint8_t *bytes, size_t length, unsigned command)
{
	assert_memory_equal(bytes, header, 14);
	assert_int_equal(bytes[14] | bytes[15] << 8, length);
	assert_int_equal(bytes[16] << 8 | bytes[17], command);
	assert_int_equal(bytes[18] | bytes[19], 0);
}

static void test_requests_without_payload(void **state)
{
	(void)state;
	static const enum nt_ipc_command commands[] = { NT_IPC_PROCESS_INFO,   NT_IPC_PROCESS_INFO2,       NT_IPC_PROCESS_INFO3,
							NT_IPC_RESUME_RUNTIME, NT_IPC_PROCESS_ENVIRONMENT, NT_IPC_DISABLE_PERF_MAP };
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		uint8_t out[64];
		assert_int_equal(nt_ipc_request(commands[i], out, sizeof(out)), NT_IPC_HEADER_BYTES);
		check_header(out, NT_IPC_HEADER_BYTES, commands[i]);
		assert_int_equal(nt_ipc_request(commands[i], out, NT_IPC_HEADER_BYTES - 1), 0);
	}
}

static void test_perf_map_and_stop(void **state)
{
	(void)state;
	static const uint8_t enable[] = "DOTNET_IPC_V1\0\x18\0\x04\x05\0\0\x03\0\0";
	uint8_t out[64];
	assert_int_equal(nt_ipc_enable_perf_map(NT_IPC_PERF_MAP_ONLY, out, sizeof(out)), sizeof(enable));
	assert_memory_equal(out, enable, sizeof(enable));
	assert_int_equal(nt_ipc_stop_tracing(UINT64_C(0x1122334455667788), out, sizeof(out)), 28);
	check_header(out, 28, NT_IPC_STOP_TRACING);
	assert_memory_equal(out + 20, "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
}

/* Behind the header a length in units and these, twice; nothing but the length for "take it away". */
static void test_set_environment(void **state)
{
	(void)state;
	static const uint8_t name[] = "\x02\0\0\0N\0\0", value[] = "\x03\0\0\0v\0=\0\0";
	uint8_t out[64];
	assert_int_equal(nt_ipc_set_environment("N", "v=", out, sizeof(out)), 20 + 8 + 10);
	check_header(out, 38, NT_IPC_SET_ENVIRONMENT);
	assert_memory_equal(out + 20, name, 8);
	assert_memory_equal(out + 28, value, 10);
	assert_int_equal(nt_ipc_set_environment("N", NULL, out, sizeof(out)), 20 + 8 + 4);
	assert_memory_equal(out + 28, "\0\0\0\0", 4);
	assert_int_equal(nt_ipc_set_environment("N", "", out, sizeof(out)), 20 + 8 + 6); /* a text of one unit, which is NUL */
	assert_memory_equal(out + 28, "\1\0\0\0\0\0", 6);
	assert_int_equal(nt_ipc_set_environment("N", "v=", out, 37), 0);
}

/* From here on a text as the wire has it. */
static size_t utf16(uint8_t *out, const char *text)
{
	size_t units = strlen(text) + 1;
	for (size_t i = 0; i < units; i++) {
		out[4 + 2 * i] = (uint8_t)text[i];
		out[5 + 2 * i] = 0;
	}
	for (size_t i = 0; i < 4; i++)
		out[i] = (uint8_t)(units >> 8 * i);
	return 4 + 2 * units;
}

/* The bytes of the reference (CollectTracing4, GC at level 4, 16 MB), and what the other forms add to them. */
static void test_collect_tracing(void **state)
{
	(void)state;
	static const char name[] = "Microsoft-Windows-DotNETRuntime";
	struct nt_ipc_provider provider = { .name = name, .keywords = 1, .level = 4 };
	struct nt_ipc_session session = { .buffer_mb = 16, .providers = &provider, .provider_count = 1 };
	uint8_t expected[125 - 20] = { 16, 0, 0, 0, 1, 0, 0, 0 }, out[512];
	expected[17] = 1; /* one provider, behind the rundown keyword and no stacks */
	expected[21] = 1;
	expected[29] = 4;
	assert_int_equal(utf16(expected + 33, name), 68);
	assert_int_equal(nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING4, &session, out, sizeof(out)), 125);
	check_header(out, 125, NT_IPC_COLLECT_TRACING4);
	assert_memory_equal(out + 20, expected, sizeof(expected));

	/* 3: a byte in place of the keyword; 2: no word of stacks; both as many bytes less. */
	session.stackwalk = true;
	session.rundown_keyword = 0x130;
	assert_int_equal(nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING3, &session, out, sizeof(out)), 125 - 7);
	assert_memory_equal(out + 28, "\x01\x01\x01\0\0\0", 6);
	assert_int_equal(nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING2, &session, out, sizeof(out)), 125 - 8);
	assert_memory_equal(out + 28, "\x01\x01\0\0\0", 5);

	/* 5: the type of session in front, a filter behind. */
	static const uint32_t ids[] = { 1, 203 };
	provider.filter_ids = ids;
	provider.filter_count = 2;
	provider.filter = NT_IPC_FILTER_ONLY;
	assert_int_equal(nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING5, &session, out, sizeof(out)), 125 + 4 + 5 + 8);
	assert_memory_equal(out + 20, "\0\0\0\0\x10\0\0\0\x01\0\0\0\x30\x01\0\0\0\0\0\0\x01\x01\0\0\0", 25);
	assert_memory_equal(out + 129, "\x01\x02\0\0\0\x01\0\0\0\xcb\0\0\0", 13);
	provider.filter = NT_IPC_FILTER_EXCEPT;
	nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING5, &session, out, sizeof(out));
	assert_int_equal(out[129], 0);
	provider.filter = NT_IPC_FILTER_NONE;
	size_t length = nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING5, &session, out, sizeof(out));
	assert_int_equal(length, 125 + 4 + 5);
	assert_memory_equal(out + 129, "\0\0\0\0\0", 5);
	for (size_t size = 0; size < length; size++)
		assert_int_equal(nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING5, &session, out, size), 0);
}

static void test_forms_by_version(void **state)
{
	(void)state;
	assert_int_equal(nt_ipc_collect_command(11), NT_IPC_COLLECT_TRACING5);
	assert_int_equal(nt_ipc_collect_command(10), NT_IPC_COLLECT_TRACING5);
	assert_int_equal(nt_ipc_collect_command(9), NT_IPC_COLLECT_TRACING4);
	assert_int_equal(nt_ipc_collect_command(8), NT_IPC_COLLECT_TRACING2);
	assert_int_equal(nt_ipc_collect_command(6), NT_IPC_COLLECT_TRACING2);
	assert_int_equal(nt_ipc_collect_command(3), 0);
	assert_true(nt_ipc_can_filter(NT_IPC_COLLECT_TRACING5) && !nt_ipc_can_filter(NT_IPC_COLLECT_TRACING4));
}

/* A reply under construction. */
struct message {
	uint8_t bytes[1024];
	size_t length;
};

static void add(struct message *m, const void *bytes, size_t length)
{
	assert_true(m->length + length <= sizeof(m->bytes));
	memcpy(m->bytes + m->length, bytes, length);
	m->length += length;
}

static void add_text(struct message *m, const char *text)
{
	m->length += utf16(m->bytes + m->length, text);
}

static struct message begin(uint8_t id)
{
	struct message m = { .length = 0 };
	add(&m, "DOTNET_IPC_V1\0\0\0\xFF", 17);
	add(&m, &id, 1);
	add(&m, "\0\0", 2);
	return m;
}

static void close_header(struct message *m)
{
	m->bytes[14] = (uint8_t)m->length;
	m->bytes[15] = (uint8_t)(m->length >> 8);
}

/* What nt_ipc_reply_length() says of each beginning: AGAIN until it is whole, and never more than it has. */
static void check_length(const struct message *m, enum nt_ipc_command command)
{
	uint8_t request[NT_IPC_HEADER_BYTES];
	assert_int_equal(nt_ipc_request(command, request, sizeof(request)), sizeof(request));
	size_t total;
	for (size_t have = 0; have < m->length; have++) {
		assert_int_equal(nt_ipc_reply_length(request, sizeof(request), m->bytes, have, &total, NULL), NT_AGAIN);
		assert_true(total > have && total <= m->length);
	}
	assert_int_equal(nt_ipc_reply_length(request, sizeof(request), m->bytes, m->length, &total, NULL), NT_OK);
	assert_int_equal(total, m->length);
}

static void test_information(void **state)
{
	(void)state;
	struct message m = begin(0);
	add(&m, "\x01\0\0\0", 4);
	add(&m, "\x2a\0\0\0\0\0\0\0", 8);
	add(&m, "0123456789abcdef", 16);
	add_text(&m, "dotnet App.dll");
	add_text(&m, "Linux");
	add_text(&m, "x64");
	add_text(&m, "App");
	add_text(&m, "10.0.12");
	add_text(&m, "linux-x64");
	close_header(&m);
	check_length(&m, NT_IPC_PROCESS_INFO3);

	struct nt_ipc_reply reply;
	struct nt_ipc_info info;
	assert_int_equal(nt_ipc_reply_parse(m.bytes, m.length, &reply, NULL), NT_OK);
	assert_int_equal(nt_ipc_reply_info(NT_IPC_PROCESS_INFO3, &reply, &info, NULL), NT_OK);
	assert_int_equal(info.pid, 42);
	assert_memory_equal(info.cookie, "0123456789abcdef", 16);
	assert_string_equal(info.command, "dotnet App.dll");
	assert_string_equal(info.os, "Linux");
	assert_string_equal(info.arch, "x64");
	assert_string_equal(info.entry_assembly, "App");
	assert_string_equal(info.runtime_version, "10.0.12");
	assert_string_equal(info.runtime_id, "linux-x64");
	nt_ipc_info_fini(&info);

	/* Cut anywhere: an error, and nothing to free. */
	for (size_t length = 0; length < reply.length; length++) {
		struct nt_ipc_reply cut = { reply.payload, length };
		assert_int_equal(nt_ipc_reply_info(NT_IPC_PROCESS_INFO3, &cut, &info, NULL), NT_ERR_MALFORMED);
		assert_null(info.command);
	}
	/* The older forms are the same without what came later. */
	struct nt_ipc_reply older = { reply.payload + 4, reply.length - 4 };
	assert_int_equal(nt_ipc_reply_info(NT_IPC_PROCESS_INFO2, &older, &info, NULL), NT_OK);
	assert_string_equal(info.runtime_version, "10.0.12");
	assert_null(info.runtime_id);
	nt_ipc_info_fini(&info);
	assert_int_equal(nt_ipc_reply_info(NT_IPC_PROCESS_INFO, &older, &info, NULL), NT_OK);
	assert_string_equal(info.arch, "x64");
	assert_null(info.runtime_version);
	nt_ipc_info_fini(&info);
}

static void test_environment(void **state)
{
	(void)state;
	struct message variables = { .length = 0 };
	add(&variables, "\x03\0\0\0", 4);
	add_text(&variables, "A=1");
	add(&variables, "\0\0\0\0", 4); /* an empty text has no unit at all */
	add_text(&variables, "B=two");
	struct message m = begin(0);
	uint8_t head[6] = { (uint8_t)variables.length };
	add(&m, head, sizeof(head));
	close_header(&m); /* what follows is not in the header's length */
	add(&m, variables.bytes, variables.length);
	check_length(&m, NT_IPC_PROCESS_ENVIRONMENT);

	struct nt_ipc_reply reply;
	char *text;
	size_t length;
	assert_int_equal(nt_ipc_reply_parse(m.bytes, m.length, &reply, NULL), NT_OK);
	assert_int_equal(nt_ipc_reply_environment(&reply, &text, &length, NULL), NT_OK);
	assert_int_equal(length, 11);
	assert_memory_equal(text, "A=1\0\0B=two", 11);
	free(text);
	for (size_t cut = 0; cut < reply.length; cut++) {
		struct nt_ipc_reply part = { reply.payload, cut };
		assert_int_equal(nt_ipc_reply_environment(&part, &text, &length, NULL), NT_ERR_MALFORMED);
	}
}

static void test_a_session_and_the_trace_behind_it(void **state)
{
	(void)state;
	uint8_t request[NT_IPC_HEADER_BYTES];
	nt_ipc_request(NT_IPC_COLLECT_TRACING4, request, sizeof(request));
	struct message m = begin(0);
	add(&m, "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
	close_header(&m);
	size_t whole = m.length, total;
	add(&m, "Nettrace", 8);
	assert_int_equal(nt_ipc_reply_length(request, sizeof(request), m.bytes, m.length, &total, NULL), NT_OK);
	assert_int_equal(total, whole);
	struct nt_ipc_reply reply;
	uint64_t id;
	assert_int_equal(nt_ipc_reply_parse(m.bytes, total, &reply, NULL), NT_OK);
	assert_int_equal(nt_ipc_reply_session(&reply, &id, NULL), NT_OK);
	assert_true(id == UINT64_C(0x1122334455667788));
	reply.length = 7;
	assert_int_equal(nt_ipc_reply_session(&reply, &id, NULL), NT_ERR_MALFORMED);
}

static void test_refusals_in_words(void **state)
{
	(void)state;
	static const struct {
		uint32_t result;
		enum nt_status status;
		const char *word;
	} cases[] = {
		{ 0x80131384, NT_ERR_FAILED, "form" },         { 0x80131385, NT_ERR_UNSUPPORTED, "does not know this command" },
		{ 0x80131386, NT_ERR_UNSUPPORTED, "version" }, { 0x80004005, NT_ERR_FAILED, "64 sessions" },
		{ 0x80070057, NT_ERR_FAILED, "value" },        { 0x12345678, NT_ERR_FAILED, "0x12345678" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct message m = begin(0xFF);
		uint8_t result[4];
		for (unsigned b = 0; b < 4; b++)
			result[b] = (uint8_t)(cases[i].result >> 8 * b);
		add(&m, result, 4);
		close_header(&m);
		check_length(&m, NT_IPC_PROCESS_ENVIRONMENT);
		struct nt_ipc_reply reply;
		struct nt_error err = { 0 };
		assert_int_equal(nt_ipc_reply_parse(m.bytes, m.length, &reply, &err), cases[i].status);
		assert_non_null(strstr(err.cause[0], cases[i].word));
		/* The same in a reply that is a success by its header. */
		m.bytes[17] = 0;
		assert_int_equal(nt_ipc_reply_parse(m.bytes, m.length, &reply, &err), NT_OK);
		assert_int_equal(nt_ipc_reply_result(&reply, &err), cases[i].status);
	}
	struct nt_ipc_reply fine = { (const uint8_t *)"\0\0\0\0", 4 }, cut = { (const uint8_t *)"\0\0\0", 3 };
	assert_int_equal(nt_ipc_reply_result(&fine, NULL), NT_OK);
	assert_int_equal(nt_ipc_reply_result(&cut, NULL), NT_ERR_MALFORMED);
}

static void test_what_is_no_reply(void **state)
{
	(void)state;
	uint8_t request[NT_IPC_HEADER_BYTES], bytes[26] = { 0 };
	size_t total;
	struct nt_ipc_reply reply;
	nt_ipc_request(NT_IPC_PROCESS_ENVIRONMENT, request, sizeof(request));
	assert_int_equal(nt_ipc_reply_length(request, sizeof(request), bytes, 20, &total, NULL), NT_ERR_MALFORMED);
	assert_int_equal(nt_ipc_reply_parse(bytes, 20, &reply, NULL), NT_ERR_MALFORMED);
	/* An environment of 4 GB. */
	struct message m = begin(0);
	add(&m, "\xff\xff\xff\xff\0\0", 6);
	close_header(&m);
	assert_int_equal(nt_ipc_reply_length(request, sizeof(request), m.bytes, m.length, &total, NULL), NT_ERR_MALFORMED);
	/* A length that leaves no room for the header. */
	m.bytes[14] = 19;
	assert_int_equal(nt_ipc_reply_length(request, sizeof(request), m.bytes, m.length, &total, NULL), NT_ERR_MALFORMED);
	/* Neither a success nor a refusal; a request. */
	m = begin(7);
	close_header(&m);
	assert_int_equal(nt_ipc_reply_parse(m.bytes, m.length, &reply, NULL), NT_ERR_MALFORMED);
	assert_int_equal(nt_ipc_reply_length(request, sizeof(request), request, sizeof(request), &total, NULL), NT_ERR_MALFORMED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests_without_payload),
		cmocka_unit_test(test_perf_map_and_stop),
		cmocka_unit_test(test_set_environment),
		cmocka_unit_test(test_collect_tracing),
		cmocka_unit_test(test_forms_by_version),
		cmocka_unit_test(test_information),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_a_session_and_the_trace_behind_it),
		cmocka_unit_test(test_refusals_in_words),
		cmocka_unit_test(test_what_is_no_reply),
	};
	return cmocka_run_group_tests_name("decode/ipc", tests, NULL, NULL);
}
