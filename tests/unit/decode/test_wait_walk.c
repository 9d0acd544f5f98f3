// SPDX-License-Identifier: GPL-2.0-only
/* Call stacks of threads that wait, of which only two registers are known, over made-up stacks: from where a frame pointer is had, and what is said when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/unwind/wait_walk.h"

#include <string.h>

/* Where code lies: a call that saves nothing, one that saves rbp, native functions with frame pointers, managed ones, the begin of threads. */
enum { CALL = 0x1000, SAVES = 0x2000, LIBRARY = 0x3000, MANAGED = 0x4000, BEGIN = 0x5000, CODE = 0x800 };

enum { STACK = 0x7f00, WORDS = 64, NONE = 0 };

struct scene {
	struct nt_frame_rules rules;
	uint64_t words[WORDS]; /* of the stack from STACK on */
	struct nt_stack_dump dump;
	struct nt_wait_anchor anchor;
	struct nt_wait_walk walk;
};

static void know(struct scene *scene, uint64_t code, struct nt_frame_rule rule)
{
	nt_frame_rules_add(&scene->rules, code, code, code + CODE, &rule);
}

static void know_cfi(struct scene *scene, uint64_t code, int32_t offset, int16_t saved_bp)
{
	struct nt_frame_rule rule = { .way = NT_FRAME_CFI, .cfa_reg = NT_REG_SP, .cfa_offset = offset };
	for (unsigned i = 0; i < NT_REG_COUNT; i++)
		rule.saved[i] = NT_SAVED_NOT;
	rule.saved[NT_REG_BP] = saved_bp;
	rule.saved[NT_REG_PC] = -1;
	know(scene, code, rule);
}

static void word(struct scene *scene, uint64_t address, uint64_t value)
{
	scene->words[(address - STACK) / 8] = value;
}

static void record(struct scene *scene, uint64_t address, uint64_t bp, uint64_t pc)
{
	word(scene, address, bp);
	word(scene, address + 8, pc);
}

/*
 * A call (16 bytes) was made by a native function whose record is at STACK + 0x40, that by managed code whose record is at STACK + 0x80 and whose stack pointer is STACK + 0x50 then, that by native code with a
 * record at STACK + 0xc0, which the thread began with.
 */
static void set_up(struct scene *scene)
{
	*scene = (struct scene){ .anchor = { MANAGED + 0x10, STACK + 0x50, STACK + 0x80 } };
	scene->dump = (struct nt_stack_dump){ (const uint8_t *)scene->words, sizeof(scene->words), STACK };
	know_cfi(scene, CALL, 16, NT_SAVED_NOT);
	know_cfi(scene, SAVES, 16, -2);
	know(scene, LIBRARY, (struct nt_frame_rule){ .way = NT_FRAME_POINTER });
	know(scene, MANAGED, (struct nt_frame_rule){ .way = NT_FRAME_POINTER });
	know(scene, BEGIN, (struct nt_frame_rule){ .way = NT_FRAME_OUTERMOST });
	word(scene, STACK + 0x08, LIBRARY + 1);
	record(scene, STACK + 0x40, STACK + 0x80, MANAGED + 0x20);
	record(scene, STACK + 0x80, STACK + 0xc0, LIBRARY + 2);
	record(scene, STACK + 0xc0, NONE, BEGIN + 1);
}

static void walk(struct scene *scene, uint64_t pc)
{
	nt_wait_walk(&scene->rules, pc, STACK, &scene->dump, &scene->anchor, &scene->walk);
	nt_frame_rules_fini(&scene->rules);
}

static void check(const struct scene *scene, const uint64_t *wanted, unsigned count, bool whole)
{
	assert_int_equal(scene->walk.count, count);
	assert_memory_equal(scene->walk.frames, wanted, count * sizeof(*wanted));
	assert_int_equal(scene->walk.whole, whole);
}

static const uint64_t all[] = { CALL + 4, LIBRARY + 1, MANAGED + 0x20, LIBRARY + 2 };

static void a_function_that_managed_code_calls_has_its_record_below(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	walk(&scene, CALL + 4);
	check(&scene, all, 4, true);
	assert_int_equal(scene.walk.anchored, 2);
}

/* Somebody has put the place of that record on the stack: it may be a function in between, or a leftover of one. */
static void what_is_not_certain_is_not_followed(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK + 0x20, STACK + 0x40);
	walk(&scene, CALL + 4);
	check(&scene, all, 2, false);
	assert_int_equal(scene.walk.anchored, 2);
	/* And there is no record of managed code at all. */
	set_up(&scene);
	word(&scene, STACK + 0x48, LIBRARY + 9);
	walk(&scene, CALL + 4);
	check(&scene, all, 2, false);
}

static void a_saved_frame_pointer_is_used(void **state)
{
	(void)state;
	static const uint64_t wanted[] = { SAVES + 4, LIBRARY + 1, MANAGED + 0x20, LIBRARY + 2 };
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK, STACK + 0x40);
	walk(&scene, SAVES + 4);
	check(&scene, wanted, 4, true);
	assert_int_equal(scene.walk.anchored, 2);
	/* A thread without managed code has no anchor. */
	set_up(&scene);
	scene.anchor = (struct nt_wait_anchor){ 0 };
	word(&scene, STACK, STACK + 0x40);
	walk(&scene, SAVES + 4);
	check(&scene, wanted, 4, true);
	assert_int_equal(scene.walk.anchored, 4);
}

/* P/Invoke without a function in between: the registers are the runtime's. */
static void managed_code_may_call_by_itself(void **state)
{
	(void)state;
	static const uint64_t wanted[] = { CALL + 4, MANAGED + 0x18, LIBRARY + 2 };
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK + 0x08, MANAGED + 0x18);
	scene.anchor.sp = STACK + 0x10;
	walk(&scene, CALL + 4);
	check(&scene, wanted, 3, true);
	assert_int_equal(scene.walk.anchored, 1);
}

static void a_walk_past_the_anchor_ends(void **state)
{
	(void)state;
	static const uint64_t wanted[] = { SAVES + 4, LIBRARY + 1 };
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK, STACK + 0x80); /* the record of managed code is not on the way */
	walk(&scene, SAVES + 4);
	check(&scene, wanted, 2, false);
}

static void a_rule_that_is_missing_is_told(void **state)
{
	(void)state;
	static const uint64_t wanted[] = { CALL + 4, 0x9001 };
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK + 0x08, 0x9001);
	walk(&scene, CALL + 4);
	check(&scene, wanted, 2, false);
	assert_int_equal(scene.walk.missing, 0x9000);
}

static void what_lies_beyond_the_copy_is_not_told(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	scene.dump.size = 0x88; /* the managed frame's own record is cut */
	walk(&scene, CALL + 4);
	check(&scene, all, 3, false);
	set_up(&scene);
	scene.dump.size = 0;
	walk(&scene, CALL + 4);
	check(&scene, all, 1, false);
}

static void both_are_one_stack(void **state)
{
	(void)state;
	static const uint64_t managed[] = { MANAGED + 0x10, MANAGED + 0x300 };
	static const uint64_t lost[] = { CALL + 4, LIBRARY + 1, MANAGED + 0x20, MANAGED + 0x300 },
			      inside[] = { CALL + 4, MANAGED + 0x10, MANAGED + 0x300 };
	uint64_t out[8];
	bool whole;
	struct scene scene;
	set_up(&scene);
	walk(&scene, CALL + 4);
	assert_int_equal(nt_wait_walk_merge(&scene.walk, managed, 1, out, 8, &whole), 4);
	assert_memory_equal(out, all, sizeof(all));
	assert_true(whole);
	/* The runtime knows of a frame that the walk did not come to: what it met behind the last one that both have is not believed. */
	assert_int_equal(nt_wait_walk_merge(&scene.walk, managed, 2, out, 8, &whole), 4);
	assert_memory_equal(out, lost, sizeof(lost));
	assert_false(whole);
	/* It did not come to managed code. */
	scene.walk.count = scene.walk.anchored = 1;
	scene.walk.whole = false;
	assert_int_equal(nt_wait_walk_merge(&scene.walk, managed, 2, out, 8, &whole), 3);
	assert_memory_equal(out, inside, sizeof(inside));
	assert_false(whole);
	assert_int_equal(nt_wait_walk_merge(&scene.walk, managed, 2, out, 2, &whole), 2);
	assert_false(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_that_managed_code_calls_has_its_record_below),
		cmocka_unit_test(what_is_not_certain_is_not_followed),
		cmocka_unit_test(a_saved_frame_pointer_is_used),
		cmocka_unit_test(managed_code_may_call_by_itself),
		cmocka_unit_test(a_walk_past_the_anchor_ends),
		cmocka_unit_test(a_rule_that_is_missing_is_told),
		cmocka_unit_test(what_lies_beyond_the_copy_is_not_told),
		cmocka_unit_test(both_are_one_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
