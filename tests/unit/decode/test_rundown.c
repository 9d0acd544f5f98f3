// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../rundown_payload.h"
#include "decode/eventpipe/rundown_events.h"
#include "decode/names/method_name.h"

enum { JITTED_TIER_1 = 8 | NT_TIER_1 << 7, PRECOMPILED = NT_TIER_OPTIMIZED << 7 };

static struct nt_rundown_method parse(const struct payload *payload)
{
	struct nt_rundown_method method;
	assert_int_equal(nt_rundown_method_parse(payload->bytes, payload->length, &method), NT_OK);
	return method;
}

static void test_numbers_of_a_method(void **state)
{
	(void)state;
	const struct payload payload = payload_method(1, 2, 0x7f0010, 0x20, 0x6000003, JITTED_TIER_1, "T", "M", "void  ()");
	const struct nt_rundown_method method = parse(&payload);
	assert_int_equal(method.id, 1);
	assert_int_equal(method.module_id, 2);
	assert_int_equal(method.start, 0x7f0010);
	assert_int_equal(method.size, 0x20);
	assert_int_equal(method.token, 0x6000003);
	assert_true(method.jitted);
	assert_int_equal(method.tier, NT_TIER_1);
}

/* The line, with the module put into it, is read as the perf map's own. */
static void check_line(const struct payload *payload, const char *line, const char *display, enum nt_tier tier, enum nt_code_kind kind)
{
	static const char module[] = "Shop";
	char text[512], whole[600];
	size_t split, length;
	const struct nt_rundown_method method = parse(payload);
	length = nt_rundown_line(&method, text, sizeof(text), &split);
	assert_true(length > split);
	memcpy(whole, text, split);
	memcpy(whole + split, module, strlen(module));
	memcpy(whole + split + strlen(module), text + split, length - split);
	length += strlen(module);
	assert_int_equal(length, strlen(line));
	assert_memory_equal(whole, line, length);
	struct nt_perfmap_name name;
	nt_method_name_from_perfmap((struct nt_slice){ whole, length }, &name);
	assert_string_equal(name.display, display);
	assert_int_equal(name.module.length, strlen(module));
	assert_memory_equal(name.module.text, module, strlen(module));
	assert_int_equal(name.tier, tier);
	assert_int_equal(name.kind, kind);
}

static void test_line_of_a_compiled_method(void **state)
{
	(void)state;
	const struct payload payload = payload_method(1, 2, 16, 8, 0, JITTED_TIER_1, "Shop.Cart`1[System.Int32]", "Add",
						      "instance void  (!0,class System.Action`1<int32>)");
	check_line(&payload, "instance void [Shop] Shop.Cart`1[System.Int32]::Add(!0,class System.Action`1<int32>)[OptimizedTier1]",
		   "Shop.Cart<int>.Add(int, Action<int>)", NT_TIER_1, NT_CODE_JIT);
}

static void test_line_of_a_precompiled_method(void **state)
{
	(void)state;
	const struct payload payload =
		payload_method(1, 2, 16, 8, 0, PRECOMPILED, "Shop.Odd+<>c", "<Run>b__28_4", "instance bool  (fnptr void(int32)[])");
	check_line(&payload, "instance bool [Shop] Shop.Odd+<>c::<Run>b__28_4(fnptr void(int32)[])[PreJIT]",
		   "Shop.Odd.Run → lambda #5(fnptr void(int)[])", NT_TIER_UNKNOWN, NT_CODE_R2R);
}

static void test_line_without_room_is_left_out(void **state)
{
	(void)state;
	char text[64];
	size_t split;
	const struct payload payload = payload_method(1, 2, 16, 8, 0, JITTED_TIER_1, "A.Long.Type", "WithALongName", "void  (int32,int32)");
	const struct nt_rundown_method method = parse(&payload);
	for (size_t size = 0; size < sizeof(text) - 1; size++)
		assert_int_equal(nt_rundown_line(&method, text, size, &split), 0);
}

static void test_module(void **state)
{
	(void)state;
	const struct payload payload = payload_module(42, "/app/a.dll");
	struct nt_rundown_module module;
	assert_int_equal(nt_rundown_module_parse(payload.bytes, payload.length, &module), NT_OK);
	assert_int_equal(module.id, 42);
	assert_int_equal(module.path.count, strlen("/app/a.dll"));
	assert_memory_equal(module.path.units, "/\0a\0p\0p\0", 8);
}

static void test_payload_that_ends_early_is_refused(void **state)
{
	(void)state;
	const struct payload payload = payload_method(1, 2, 3, 4, 5, 8, "Type", "Method", "void  ()"), other = payload_module(1, "/a");
	struct nt_rundown_method method;
	struct nt_rundown_module module;
	for (size_t length = 0; length < payload.length - 2; length++)
		assert_int_equal(nt_rundown_method_parse(payload.bytes, length, &method), NT_ERR_MALFORMED);
	for (size_t length = 0; length < other.length - 4; length++)
		assert_int_equal(nt_rundown_module_parse(other.bytes, length, &module), NT_ERR_MALFORMED);
}

static void test_settings_of_the_collector(void **state)
{
	(void)state;
	struct nt_rundown_gc_settings settings;
	const struct payload payload = payload_gc_settings(402653184, 85000, 1 << 20, 0x15);
	assert_int_equal(nt_rundown_gc_settings_parse(payload.bytes, payload.length, &settings), NT_OK);
	assert_int_equal(settings.hard_limit_bytes, 402653184);
	assert_int_equal(settings.loh_threshold_bytes, 85000);
	assert_int_equal(settings.gen0_size_bytes, 1 << 20);
	assert_int_equal(settings.gen0_max_bytes, 0);
	assert_true(settings.concurrent);
	const struct payload alone = payload_gc_settings(0, 85000, 0, 0x14);
	assert_int_equal(nt_rundown_gc_settings_parse(alone.bytes, alone.length, &settings), NT_OK);
	assert_false(settings.concurrent);
	enum { LAST_READ = 2 }; /* bytes behind what is read: the instance of the runtime */
	assert_int_equal(nt_rundown_gc_settings_parse(alone.bytes, alone.length - LAST_READ - 1, &settings), NT_ERR_MALFORMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_of_a_method),
		cmocka_unit_test(test_line_of_a_compiled_method),
		cmocka_unit_test(test_line_of_a_precompiled_method),
		cmocka_unit_test(test_line_without_room_is_left_out),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_payload_that_ends_early_is_refused),
		cmocka_unit_test(test_settings_of_the_collector),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
