// SPDX-License-Identifier: GPL-2.0-only
/* The settings of the collector and who says them; and what is odd about them: each rule where it holds, at its border, and where its facts are not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/gc_settings.h"
#include "nettop/snapshot.h"

#include <string.h>

#define MB (UINT64_C(1) << 20)

static struct nt_process_snapshot process;
static struct nt_gc_row collection;
static const struct nt_gc_row *collections[] = { &collection };

/* A usual process: workstation GC on 8 CPUs without a container, and nothing asked for. */
static int set_up(void **state)
{
	(void)state;
	process = (struct nt_process_snapshot){ .target = { .runtime = "10.0.12", .cpu_count = NT_KNOWN(8), .server_gc = NT_KNOWN(0) } };
	process.gc_settings.read[NT_GC_BY_ENVIRONMENT] = process.gc_settings.read[NT_GC_BY_FILE] = true;
	collection = (struct nt_gc_row){ 0 };
	process.collections = collections;
	process.collection_count = 1;
	return 0;
}

static void ask(enum nt_gc_setting setting, uint64_t value)
{
	process.gc_settings.asked[setting] = nt_u64_of(value);
	process.gc_settings.asked_by[setting] = NT_GC_BY_ENVIRONMENT;
}

static void tell(enum nt_gc_setting setting, uint64_t value)
{
	process.gc_settings.told[setting] = nt_u64_of(value);
}

static void serve(uint64_t heaps)
{
	process.target.server_gc = nt_u64_of(1);
	collection.heap_count = nt_u64_of(heaps);
}

static void contain(uint64_t bytes)
{
	process.interval.host.memory_limit_bytes = nt_u64_of(bytes);
}

/* The sentence of a rule; NULL = it does not hold. */
static const char *odd(const char *rule)
{
	static struct nt_gc_oddity oddities[NT_GC_ODDITIES];
	size_t count = nt_gc_oddities(&process, oddities);
	for (size_t i = 0; i < count; i++)
		if (strcmp(oddities[i].key, rule) == 0)
			return oddities[i].text;
	return NULL;
}

static struct nt_gc_setting_row row(enum nt_gc_setting setting)
{
	struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT];
	nt_gc_setting_rows(&process, rows);
	return rows[setting];
}

static void check(enum nt_gc_setting setting, const char *value, const char *by)
{
	char text[NT_GC_SETTING_TEXT];
	const struct nt_gc_setting_row found = row(setting);
	assert_string_equal(nt_gc_setting_value(&found, text, sizeof(text)), value);
	if (by)
		assert_string_equal(nt_gc_origin_name(found.origin), by);
	else
		assert_null(nt_gc_origin_name(found.origin));
}

/* ---- the settings ---- */

static void test_the_runtime_is_believed_first(void **state)
{
	(void)state;
	check(NT_GC_SETTING_LOH_THRESHOLD, "85000", "default");
	ask(NT_GC_SETTING_LOH_THRESHOLD, 16);
	check(NT_GC_SETTING_LOH_THRESHOLD, "16", "environment");
	tell(NT_GC_SETTING_LOH_THRESHOLD, 85000);
	check(NT_GC_SETTING_LOH_THRESHOLD, "85000", "runtime");
	assert_int_equal(row(NT_GC_SETTING_LOH_THRESHOLD).asked.v, 16);
}

static void test_without_what_was_asked_there_is_no_default(void **state)
{
	(void)state;
	check(NT_GC_SETTING_CONCURRENT, "on", "default");
	process.gc_settings.read[NT_GC_BY_FILE] = false;
	check(NT_GC_SETTING_CONCURRENT, "", NULL);
	check(NT_GC_SETTING_RETAIN_VM, "", NULL);
	check(NT_GC_SETTING_PROCESSORS, "8", "default");
	process.gc_settings.read[NT_GC_BY_ENVIRONMENT] = false;
	check(NT_GC_SETTING_PROCESSORS, "", NULL);
}

static void test_hard_limit(void **state)
{
	(void)state;
	check(NT_GC_SETTING_HARD_LIMIT, "", NULL); /* a container that cannot be seen would make one */
	contain(512 * MB);
	check(NT_GC_SETTING_HARD_LIMIT, "384M", "default");
	ask(NT_GC_SETTING_HARD_LIMIT_PCT, 50);
	check(NT_GC_SETTING_HARD_LIMIT, "", NULL);
	tell(NT_GC_SETTING_HARD_LIMIT, 256 * MB);
	check(NT_GC_SETTING_HARD_LIMIT, "256M", "runtime");
	tell(NT_GC_SETTING_HARD_LIMIT, 0);
	check(NT_GC_SETTING_HARD_LIMIT, "none", "runtime");
}

static void test_heaps_and_datas(void **state)
{
	(void)state;
	check(NT_GC_SETTING_HEAPS, "1", "default");
	check(NT_GC_SETTING_DATAS, "", NULL);
	ask(NT_GC_SETTING_HEAPS, 4);
	check(NT_GC_SETTING_HEAPS, "1", "default"); /* workstation GC has one, whatever was asked for */
	set_up(state);
	serve(6);
	check(NT_GC_SETTING_HEAPS, "6", "runtime");
	check(NT_GC_SETTING_DATAS, "on", "default");
	process.target.runtime = "8.0.31";
	check(NT_GC_SETTING_DATAS, "off", "default");
	process.target.runtime = "10.0.12";
	ask(NT_GC_SETTING_DATAS, 1);
	ask(NT_GC_SETTING_HEAPS, 6);
	check(NT_GC_SETTING_DATAS, "off", "default"); /* a number that was asked for stays */
}

static void test_processors(void **state)
{
	(void)state;
	process.interval.host.quota_pct = nt_f64_of(150);
	check(NT_GC_SETTING_PROCESSORS, "2", "default");
	ask(NT_GC_SETTING_PROCESSORS, 16);
	check(NT_GC_SETTING_PROCESSORS, "16", "environment");
	assert_int_equal(nt_gc_processors(&process).v, 16);
	assert_int_equal(nt_gc_cpus(&process).v, 2);
}

/* ---- the rules ---- */

static void test_nothing_is_odd_by_default(void **state)
{
	struct nt_gc_oddity oddities[NT_GC_ODDITIES];
	assert_int_equal(nt_gc_oddities(&process, oddities), 0);
	process = (struct nt_process_snapshot){ .collections = collections };
	assert_int_equal(nt_gc_oddities(&process, oddities), 0);
	set_up(state);
	serve(8);
	assert_int_equal(nt_gc_oddities(&process, oddities), 0);
}

static void test_workstation_on_many_cpus(void **state)
{
	static const char rule[] = "workstation_on_many_cpus";
	(void)state;
	assert_null(odd(rule)); /* it hardly collects */
	process.generations[0].per_s = 30;
	process.generations[1].per_s = 5.2;
	assert_string_equal(odd(rule), "workstation GC on 8 CPUs: one thread collects, 35 collections of gen0 and gen1/s");
	process.interval.host.quota_pct = nt_f64_of(200);
	assert_null(odd(rule));
	ask(NT_GC_SETTING_PROCESSORS, 16);
	assert_non_null(strstr(odd(rule), "on 16 CPUs"));
	process.target.server_gc = nt_u64_of(1);
	assert_null(odd(rule));
	process.target.server_gc.known = false;
	assert_null(odd(rule));
}

static void test_server_not_taken(void **state)
{
	static const char rule[] = "server_not_taken";
	(void)state;
	ask(NT_GC_SETTING_SERVER, 1);
	assert_string_equal(odd(rule), "server GC is asked for (environment), and it has workstation GC");
	process.target.cpu_count = nt_u64_of(1);
	assert_string_equal(odd(rule), "server GC is asked for (environment), and it has workstation GC: the runtime counts 1 CPU");
	process.target.server_gc = nt_u64_of(1);
	assert_null(odd(rule));
}

static void test_heaps_not_taken(void **state)
{
	static const char rule[] = "heaps_not_taken";
	(void)state;
	serve(2);
	ask(NT_GC_SETTING_HEAPS, 64);
	assert_string_equal(odd(rule), "64 heaps are asked for (environment), and it has 2");
	ask(NT_GC_SETTING_HEAPS, 2);
	assert_null(odd(rule));
	collection.heap_count.known = false;
	ask(NT_GC_SETTING_HEAPS, 64);
	assert_null(odd(rule));
}

static void test_heaps_beyond_cpus(void **state)
{
	static const char rule[] = "heaps_beyond_cpus";
	(void)state;
	serve(8);
	assert_null(odd(rule));
	process.interval.host.quota_pct = nt_f64_of(100);
	assert_string_equal(odd(rule), "8 heaps, each with a thread that collects, on 1 CPU");
}

static void test_processors_beyond_cpus(void **state)
{
	static const char rule[] = "processors_beyond_cpus";
	(void)state;
	ask(NT_GC_SETTING_PROCESSORS, 8);
	assert_null(odd(rule));
	ask(NT_GC_SETTING_PROCESSORS, 16);
	assert_string_equal(odd(rule), "the runtime counts 16 CPUs (DOTNET_PROCESSOR_COUNT), and has 8");
}

static void test_hard_limit_of_the_container(void **state)
{
	static const char rule[] = "hard_limit_of_container";
	(void)state;
	contain(512 * MB);
	assert_string_equal(odd(rule), "hard limit 384M, 75 % of the container's 512M: the runtime's default");
	tell(NT_GC_SETTING_HARD_LIMIT, 384 * MB);
	process.gc_settings.read[NT_GC_BY_FILE] = false;
	assert_string_equal(odd(rule), "hard limit 384M, 75 % of the container's 512M");
	ask(NT_GC_SETTING_HARD_LIMIT, 128 * MB);
	tell(NT_GC_SETTING_HARD_LIMIT, 128 * MB);
	assert_string_equal(odd(rule), "hard limit 128M, 25 % of the container's 512M: asked for");
	process.interval.host.memory_limit_bytes.known = false;
	assert_null(odd(rule));
}

static void test_hard_limit_above_the_container(void **state)
{
	static const char rule[] = "hard_limit_above_container";
	(void)state;
	contain(512 * MB);
	tell(NT_GC_SETTING_HARD_LIMIT, 512 * MB);
	assert_null(odd(rule));
	tell(NT_GC_SETTING_HARD_LIMIT, 1024 * MB);
	assert_string_equal(odd(rule), "hard limit 1.00G, more than the container's 512M: it is killed before the GC comes to it");
	assert_null(odd("hard_limit_of_container"));
	tell(NT_GC_SETTING_HARD_LIMIT, 0);
	assert_null(odd(rule));
}

static void test_concurrent_off(void **state)
{
	static const char rule[] = "concurrent_off";
	(void)state;
	ask(NT_GC_SETTING_CONCURRENT, 0);
	assert_non_null(odd(rule));
	tell(NT_GC_SETTING_CONCURRENT, 1);
	assert_null(odd(rule));
	assert_string_equal(odd("not_taken"), "concurrent 0 is asked for (environment), and it has on");
}

static void test_conserves_much(void **state)
{
	static const char rule[] = "conserves_much";
	(void)state;
	ask(NT_GC_SETTING_CONSERVE, 6);
	assert_null(odd(rule));
	ask(NT_GC_SETTING_CONSERVE, 9);
	assert_non_null(strstr(odd(rule), "conserve memory 9 of 9"));
}

static void test_retains_in_a_container(void **state)
{
	static const char rule[] = "retains_in_container";
	(void)state;
	ask(NT_GC_SETTING_RETAIN_VM, 1);
	assert_null(odd(rule));
	contain(512 * MB);
	assert_non_null(strstr(odd(rule), "of the container's 512M"));
}

static void test_datas_unlike_the_default(void **state)
{
	static const char rule[] = "datas_unlike_default";
	(void)state;
	serve(8);
	ask(NT_GC_SETTING_DATAS, 0);
	assert_non_null(strstr(odd(rule), "DATAS is off, on by default in .NET 10"));
	process.target.runtime = "8.0.31";
	assert_null(odd(rule));
	ask(NT_GC_SETTING_DATAS, 1);
	assert_string_equal(odd(rule), "DATAS is on: .NET 8 has it off unless asked for");
	process.target.runtime = NULL;
	assert_null(odd(rule));
	ask(NT_GC_SETTING_HEAPS, 8);
	process.target.runtime = "9.0.20";
	assert_null(odd(rule));
	process.target.runtime = "10.0.12";
	assert_non_null(strstr(odd(rule), "(their number is asked for)"));
}

static void test_not_taken(void **state)
{
	static const char rule[] = "not_taken";
	(void)state;
	ask(NT_GC_SETTING_LOH_THRESHOLD, 16);
	assert_null(odd(rule)); /* what it has nobody has said */
	tell(NT_GC_SETTING_LOH_THRESHOLD, 85000);
	assert_string_equal(odd(rule), "LOH threshold 16 is asked for (environment), and it has 85000");
	ask(NT_GC_SETTING_LOH_THRESHOLD, 85000);
	assert_null(odd(rule));
}

#define TEST(test_) cmocka_unit_test_setup(test_, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_the_runtime_is_believed_first),
		TEST(test_without_what_was_asked_there_is_no_default),
		TEST(test_hard_limit),
		TEST(test_heaps_and_datas),
		TEST(test_processors),
		TEST(test_nothing_is_odd_by_default),
		TEST(test_workstation_on_many_cpus),
		TEST(test_server_not_taken),
		TEST(test_heaps_not_taken),
		TEST(test_heaps_beyond_cpus),
		TEST(test_processors_beyond_cpus),
		TEST(test_hard_limit_of_the_container),
		TEST(test_hard_limit_above_the_container),
		TEST(test_concurrent_off),
		TEST(test_conserves_much),
		TEST(test_retains_in_a_container),
		TEST(test_datas_unlike_the_default),
		TEST(test_not_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
