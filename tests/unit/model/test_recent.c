// SPDX-License-Identifier: GPL-2.0-only
/* What was found lately: a resolver that remembers says the same as one that has forgotten everything before each question. */
#include "build.h"

#include "symbol/resolver.h"

enum { FILE_BYTES = 0x4000, CODE_AT = 0x100000, CODE_BYTES = 0x4000, KERNEL = 1 };
#define KERNEL_AT  UINT64_C(0xffffffff81000000)
#define MAPPING_AT UINT64_C(0x7f0000000000)

struct side {
	struct nt_names names;
	struct nt_resolver *resolver;
};

static void begin(struct side *side, bool answering)
{
	side->names = (struct nt_names){ .heap = nt_heap_new(), .texts = nt_texts_new(&(struct nt_texts_config){ 0 }) };
	side->resolver = nt_resolver_new(&side->names);
	nt_resolver_set_source(side->resolver, answering, &(struct nt_map_fault){ 0 }, 1);
}

static void end(struct side *side)
{
	nt_resolver_free(side->resolver);
	nt_heap_free(side->names.heap);
	nt_texts_free(side->names.texts);
}

static nt_text_ref put(struct side *side, const char *format, uint32_t number)
{
	char text[64];
	int length = snprintf(text, sizeof(text), format, number);
	return nt_heap_add(side->names.heap, text, (size_t)length);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void add_answer(struct side *side, const char *image, uint64_t from, uint32_t size, uint32_t number)
{
	const struct nt_ev_name name = { .inode = image[0] == '[' ? 0 : 7,
					 .start = from,
					 .end = from + size,
					 .kind = image[0] == '[' ? NT_CODE_KERNEL : NT_CODE_NATIVE };
	nt_text_ref path = nt_heap_add(side->names.heap, image, strlen(image));
	nt_resolver_add_name(side->resolver, &name, path, put(side, "function_%u", number), 0);
}

enum { CODE_ONLY = 5, EVERYTHING = 8 };

/* Something happens; `choice` says what, of the first `kinds`. */
static void change(struct side *side, uint32_t choice, uint32_t kinds, uint32_t seed, nt_time now)
{
	uint32_t number = choice / kinds, size = 1 + next_random(&seed) % 0x300;
	uint64_t start = next_random(&seed) % CODE_BYTES;
	const struct nt_ev_method method = { .start = CODE_AT + start, .size = size, .tier = NT_TIER_1 };
	const struct nt_batch_line line = { .start = CODE_AT + start, .size = size, .kind = choice % kinds ? NT_CODE_JIT : NT_CODE_STUB };
	const struct nt_ev_map map = { .start = MAPPING_AT + (start & ~UINT64_C(0xfff)),
				       .length = 0x1000,
				       .file_offset = (start * 7 & 0x3000),
				       .inode = 7,
				       .flags = NT_MAP_FILE };
	switch (choice % kinds) {
	case 0:
	case 1:
	case 2:
		nt_resolver_add_code(side->resolver, &line, put(side, "void [A] T::M%u()[QuickJitted]", number), now);
		break;
	case 3:
		nt_resolver_add_method(side->resolver, &method, put(side, "T.M%u()", number), now);
		break;
	case 4:
		nt_resolver_end_method(side->resolver, &method, now);
		break;
	case 5:
		nt_resolver_add_map(side->resolver, &map, nt_heap_add(side->names.heap, "/lib/a.so", 9), now);
		break;
	case 6:
		add_answer(side, "/lib/a.so", start % FILE_BYTES, size, number);
		break;
	default:
		add_answer(side, "[kernel]", KERNEL_AT + start, size, number);
	}
}

static bool keep(uint32_t key, void *context)
{
	(void)key;
	(void)context;
	return false;
}

static void ask_both(struct side *remembers, struct side *forgets, uint64_t address, bool kernel, nt_time time)
{
	nt_resolver_forget_keys(forgets->resolver, keep, NULL);
	struct nt_resolved a = nt_resolver_resolve(remembers->resolver, address, kernel, time, 1);
	struct nt_resolved b = nt_resolver_resolve(forgets->resolver, address, kernel, time, 1);
	const struct nt_key *x = nt_resolver_key(remembers->resolver, a.key), *y = nt_resolver_key(forgets->resolver, b.key);
	assert_string_equal(x->name, y->name);
	assert_int_equal(x->kind, y->kind);
	assert_int_equal(a.tier, b.tier);
	assert_int_equal(a.mapped, b.mapped);
	assert_int_equal(a.provisional, b.provisional);
	assert_true(a.valid_from <= time && time < a.valid_to);
	assert_true(a.extent.low <= address && address < a.extent.high);
}

static void compare(uint32_t kinds, bool answering)
{
	enum { CHANGES = 1500, QUESTIONS = 60 };
	struct side remembers, forgets;
	begin(&remembers, answering);
	begin(&forgets, answering);
	uint32_t seed = 1;
	nt_time now = 1000;
	for (uint32_t i = 0; i < CHANGES; i++) {
		uint32_t choice = next_random(&seed), where = next_random(&seed);
		now += next_random(&seed) % 5;
		change(&remembers, choice, kinds, where, now);
		change(&forgets, choice, kinds, where, now);
		if (next_random(&seed) % 4)
			continue;
		nt_resolver_settle(remembers.resolver, now);
		nt_resolver_settle(forgets.resolver, now);
		for (int q = 0; q < QUESTIONS; q++) {
			static const uint64_t places[] = { CODE_AT, KERNEL_AT, MAPPING_AT };
			uint32_t place = next_random(&seed) % 3,
				 few = next_random(&seed) % 256 * (CODE_BYTES / 256) + next_random(&seed) % 4;
			ask_both(&remembers, &forgets, places[place] + few, place == KERNEL, now - next_random(&seed) % 300);
		}
	}
	end(&remembers);
	end(&forgets);
}

static void test_remembering_changes_no_answer(void **state_)
{
	(void)state_;
	compare(EVERYTHING, true);
	compare(EVERYTHING, false); /* what is provisional is remembered, too */
	compare(CODE_ONLY, true);
	compare(CODE_ONLY, false); /* what is provisional is remembered, too */ /* where the other half need not be forgotten */
}

static bool is_method(uint32_t key, void *context)
{
	struct side *side = context;
	return strcmp(nt_resolver_key(side->resolver, key)->name, "T.M1()") == 0;
}

/* A key that no row needs is forgotten with what was found lately: its number may be another method's by the next question. */
static void test_forgotten_keys_are_not_remembered(void **state_)
{
	(void)state_;
	struct side side;
	begin(&side, true);
	nt_resolver_add_code(side.resolver, &(struct nt_batch_line){ .start = CODE_AT, .size = 16, .kind = NT_CODE_JIT },
			     put(&side, "void [A] T::M%u()[QuickJitted]", 1), 0);
	nt_resolver_add_code(side.resolver, &(struct nt_batch_line){ .start = CODE_AT + 16, .size = 16, .kind = NT_CODE_JIT },
			     put(&side, "void [A] T::M%u()[QuickJitted]", 2), 0);
	nt_resolver_settle(side.resolver, 1);
	nt_resolver_resolve(side.resolver, CODE_AT, false, 1, 1);
	nt_resolver_forget_keys(side.resolver, is_method, &side);
	uint32_t other = nt_resolver_resolve(side.resolver, CODE_AT + 16, false, 1, 1).key;
	assert_string_equal(nt_resolver_key(side.resolver, other)->name, "T.M2()");
	uint32_t key = nt_resolver_resolve(side.resolver, CODE_AT, false, 1, 1).key;
	assert_string_equal(nt_resolver_key(side.resolver, key)->name, "T.M1()");
	end(&side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_remembering_changes_no_answer),
		cmocka_unit_test(test_forgotten_keys_are_not_remembered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
