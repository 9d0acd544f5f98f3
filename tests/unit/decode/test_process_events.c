// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../rundown_payload.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/process_events.h"
#include "decode/eventpipe/rundown_events.h"

static void they_are_known_by_provider_and_number(void **state)
{
	(void)state;
	const struct nt_nettrace_meta info = { .provider = NT_STREAM_PROVIDER, .id = 1 }, other = { .provider = NT_CLR_PROVIDER, .id = 1 };
	const struct nt_nettrace_meta start = { .provider = NT_RUNDOWN_PROVIDER, .id = 187 },
				      at_once = { .provider = NT_CLR_PROVIDER, .id = 187 };
	assert_true(nt_process_info_is(&info) && !nt_process_info_is(&other) && !nt_process_info_is(&start));
	assert_true(nt_runtime_start_is(&start) && nt_runtime_start_is(&at_once) && !nt_runtime_start_is(&info));
}

static void a_command_line(void **state)
{
	(void)state;
	struct payload payload = { .length = 0 };
	char command[64];
	payload_text(&payload, "/usr/bin/dotnet shop.dll -v");
	size_t length = payload.length;
	payload_text(&payload, "Linux");
	payload_text(&payload, "x64");
	assert_int_equal(nt_process_info_command(payload.bytes, payload.length, command, sizeof(command)), NT_OK);
	assert_string_equal(command, "/usr/bin/dotnet shop.dll -v");
	assert_int_equal(nt_process_info_command(payload.bytes, payload.length, command, 9), NT_OK);
	assert_string_equal(command, "/usr/bin");
	assert_int_equal(nt_process_info_command(payload.bytes, length - 2, command, sizeof(command)), NT_ERR_MALFORMED);
	assert_string_equal(command, "");
}

/* As .NET 10.0.12 wrote it, up to the flags. */
static void a_runtime(void **state)
{
	(void)state;
	const uint8_t server[] = { 0, 0, 2, 0, 10, 0, 0, 0, 12, 0, 0, 0, 10, 0, 0, 0, 0xca, 4, 0x44, 0xa5, 0, 0x10, 0, 0 };
	uint8_t other[sizeof(server)];
	struct nt_runtime_start said;
	assert_int_equal(nt_runtime_start_parse(server, sizeof(server), &said), NT_OK);
	assert_true(said.major == 10 && said.minor == 0 && said.patch == 12 && said.is_core && said.server_gc && !said.concurrent_gc);
	memcpy(other, server, sizeof(other));
	other[2] = 1; /* .NET Framework */
	other[20] = 1;
	other[21] = 0;
	assert_int_equal(nt_runtime_start_parse(other, sizeof(other), &said), NT_OK);
	assert_true(!said.is_core && !said.server_gc && said.concurrent_gc);
	assert_int_equal(nt_runtime_start_parse(server, sizeof(server) - 1, &said), NT_ERR_MALFORMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(they_are_known_by_provider_and_number), cmocka_unit_test(a_command_line),
					    cmocka_unit_test(a_runtime) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
