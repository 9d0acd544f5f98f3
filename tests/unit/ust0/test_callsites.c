// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ust0/callsites.h"
#include "ust0/mirrors.h"

#include <string.h>

enum { SITES_MAX = 8 };

// A section as the compilers lay it out: clang without gaps, gcc with one of 8 bytes.
struct section {
	_Alignas(64) char bytes[SITES_MAX * 64];
	struct ust0_tracepoint *sites[SITES_MAX];
	int provider;
};

// Each its own and kept: mirrors write to their call sites for ever.
static struct section *new_section(void)
{
	static struct section sections[8];
	static size_t used;
	assert_in_range(used, 0, 7);
	return &sections[used++];
}

static struct ust0_tracepoint *put(struct section *section, int at, size_t offset, const char *name)
{
	struct ust0_tracepoint *site = (struct ust0_tracepoint *)(section->bytes + offset);
	*site = (struct ust0_tracepoint){ .name = name, .provider_ref = &section->provider, .signature = "int, a" };
	section->sites[at] = site;
	return site;
}

static const char *const names[] = { "Runtime:First", "Runtime:Second", "Other_Provider:Third", "Runtime:Fourth" };
enum { NAMES = sizeof(names) / sizeof(*names) };

static struct ust1_tracepoint *find(const struct ust0_module *module, const char *name)
{
	for (int i = 0; i < module->count; i++) {
		const struct ust1_tracepoint *tracepoint = module->tracepoints[i];
		const size_t length = tracepoint ? strlen(tracepoint->provider_name) : 0;
		if (tracepoint && !strncmp(name, tracepoint->provider_name, length) && name[length] == ':' &&
		    !strcmp(name + length + 1, tracepoint->event_name))
			return module->tracepoints[i];
	}
	fail_msg("no %s", name);
	return NULL;
}

static void check_section(size_t stride)
{
	struct section *section = new_section();
	for (int i = 0; i < NAMES; i++)
		put(section, NAMES - 1 - i, (size_t)i * stride, names[i]); // pointers in the reverse order
	struct ust0_module *module = ust0_callsites_adopt(section->sites, NAMES);
	assert_non_null(module);
	assert_int_equal(module->count, NAMES);
	static const struct ust1_tracepoint_probe probes[1];
	for (int i = 0; i < NAMES; i++) {
		struct ust0_tracepoint *site = (struct ust0_tracepoint *)(section->bytes + (size_t)i * stride);
		struct ust1_tracepoint *tracepoint = find(module, names[i]);
		assert_ptr_equal(tracepoint->provider_ref, &section->provider);
		assert_string_equal(tracepoint->signature, "int, a");
		assert_int_equal(tracepoint->struct_size, sizeof(*tracepoint));
		tracepoint->probes = probes;
		tracepoint->state = 1;
		// Without a word to anybody, but for the first, which needs its copy.
		assert_int_equal(site->state, i > 0);
		ust0_mirrors_copy();
		assert_int_equal(site->state, 1);
		assert_ptr_equal(site->probes, probes);
	}
}

static void test_in_place_as_clang_lays_them_out(void **state)
{
	(void)state;
	check_section(56);
}

static void test_in_place_as_gcc_lays_them_out(void **state)
{
	(void)state;
	check_section(64);
}

static void test_what_lies_oddly_is_mirrored(void **state)
{
	(void)state;
	struct section *section = new_section();
	struct ust0_tracepoint *first = put(section, 0, 8, "Runtime:First");
	struct ust0_tracepoint *far = put(section, 1, 8 + 72, "Runtime:Far");
	const char first_before[8] = { 0 };
	struct ust0_module *module = ust0_callsites_adopt(section->sites, 2);
	assert_memory_equal(section->bytes, first_before, sizeof(first_before)); // not ours to write to
	assert_string_equal(far->name, "Runtime:Far");
	find(module, "Runtime:Far")->state = 1;
	assert_int_equal(far->state, 0);
	ust0_mirrors_copy();
	assert_int_equal(far->state, 1);
	assert_int_equal(first->state, 0);
	find(module, "Runtime:Far")->state = 0;
	ust0_mirrors_copy();
	assert_int_equal(far->state, 0);
	assert_null(far->probes);
}

static void test_names_without_a_provider_are_left_alone(void **state)
{
	(void)state;
	struct section *section = new_section();
	put(section, 0, 0, "Runtime:First");
	put(section, 1, 56, "odd");
	put(section, 2, 112, NULL);
	put(section, 3, 168, "Runtime:Last");
	struct ust0_module *module = ust0_callsites_adopt(section->sites, 4);
	find(module, "Runtime:First");
	find(module, "Runtime:Last");
	assert_null(module->tracepoints[1]);
	assert_null(module->tracepoints[2]);
	assert_string_equal(section->sites[1]->name, "odd");
	assert_null(ust0_callsites_adopt(section->sites, 0));
}

/* The runtime measures the text of a null message: LTTng must not be able to switch that on. Its neighbours are served as ever. */
static void test_exceptions_thrown_are_not_passed_on(void **state)
{
	(void)state;
	struct section *section = new_section();
	static const char *const all[] = { "DotNETRuntime:GCStart", "DotNETRuntime:ExceptionThrown", "DotNETRuntime:ExceptionThrown_V1",
					   "DotNETRuntime:ExceptionCatchStart", "DotNETRuntime:ContentionStart_V1" };
	enum { ALL = sizeof(all) / sizeof(*all) };
	for (int i = 0; i < ALL; i++)
		put(section, i, (size_t)i * 56, all[i]);
	struct ust0_module *module = ust0_callsites_adopt(section->sites, ALL);
	for (int i = 0; i < ALL; i++) {
		const bool withheld = i == 1 || i == 2;
		assert_int_equal(module->tracepoints[i] == NULL, withheld);
		if (withheld)
			assert_string_equal(section->sites[i]->name, all[i]);
		else
			find(module, all[i])->state = 1;
	}
	ust0_mirrors_copy();
	for (int i = 0; i < ALL; i++)
		assert_int_equal(section->sites[i]->state, i != 1 && i != 2);
}

static void test_only_the_state_without_announcements(void **state)
{
	(void)state;
	struct section *section = new_section();
	struct ust0_tracepoint *site = put(section, 0, 0, "Runtime:First");
	struct ust0_module *module = ust0_callsites_adopt(section->sites, 1);
	static const struct ust1_tracepoint_probe probes[1];
	find(module, "Runtime:First")->state = 1;
	find(module, "Runtime:First")->probes = probes;
	ust0_mirrors_copy_states();
	assert_int_equal(site->state, 1);
	assert_null(site->probes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_place_as_clang_lays_them_out),     cmocka_unit_test(test_in_place_as_gcc_lays_them_out),
		cmocka_unit_test(test_what_lies_oddly_is_mirrored),         cmocka_unit_test(test_names_without_a_provider_are_left_alone),
		cmocka_unit_test(test_exceptions_thrown_are_not_passed_on), cmocka_unit_test(test_only_the_state_without_announcements),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
