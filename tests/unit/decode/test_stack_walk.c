// SPDX-License-Identifier: GPL-2.0-only
/* Call chains mended over made-up stacks: steps, the table of rules, and where the kernel's chain goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/unwind/stack_walk.h"

#include <string.h>

/* Where code lies: without frame pointers (two functions with different frames), with them, the begin of threads, the return from a signal. */
enum { LEAF = 0x1000, SORT = 0x2000, MANAGED = 0x3000, BEGIN = 0x4000, RESTORE = 0x5000, NOWHERE = 0x6000, CODE = 0x100 };

enum { STACK = 0x7f00, WORDS = 64 };

struct scene {
	struct nt_frame_rules rules;
	uint64_t words[WORDS]; /* of the stack from STACK on */
	uint64_t chain[8];
	struct nt_stack_sample sample;
};

static struct nt_frame_rule cfi(enum nt_frame_reg base, int32_t offset, int16_t saved_bp)
{
	struct nt_frame_rule rule = { .way = NT_FRAME_CFI, .cfa_reg = base, .cfa_offset = offset };
	for (unsigned i = 0; i < NT_REG_COUNT; i++)
		rule.saved[i] = NT_SAVED_NOT;
	rule.saved[NT_REG_BP] = saved_bp;
	rule.saved[NT_REG_PC] = -1;
	return rule;
}

static void know(struct scene *scene, uint64_t code, struct nt_frame_rule rule)
{
	nt_frame_rules_add(&scene->rules, code, code, code + CODE, &rule);
}

static void know_way(struct scene *scene, uint64_t code, enum nt_frame_way way)
{
	know(scene, code, (struct nt_frame_rule){ .way = (uint8_t)way });
}

static void word(struct scene *scene, uint64_t address, uint64_t value)
{
	scene->words[(address - STACK) / 8] = value;
}

/*
 * The leaf (16 bytes of frame, rbp untouched) was called by sort (24 bytes, rbp pushed and used for something else), that by managed code with a frame at
 * STACK + 0x60, that by more of it at STACK + 0x80.
 */
static void set_up(struct scene *scene)
{
	*scene = (struct scene){ 0 };
	know(scene, LEAF, cfi(NT_REG_SP, 16, NT_SAVED_NOT));
	know(scene, SORT, cfi(NT_REG_SP, 32, -2));
	know_way(scene, MANAGED, NT_FRAME_POINTER);
	know_way(scene, BEGIN, NT_FRAME_OUTERMOST);
	know_way(scene, RESTORE, NT_FRAME_SIGNAL);
	word(scene, STACK + 8, SORT + 5);
	word(scene, STACK + 0x10 + 0x10, STACK + 0x60);
	word(scene, STACK + 0x10 + 0x18, MANAGED + 5);
	word(scene, STACK + 0x60, STACK + 0x80);
	word(scene, STACK + 0x68, MANAGED + 0x25);
	word(scene, STACK + 0x80, 0);
	word(scene, STACK + 0x88, BEGIN + 5);
	scene->sample = (struct nt_stack_sample){
		.regs = { .known = NT_REGS_ALL },
		.dump = { (const uint8_t *)scene->words, sizeof(scene->words), STACK },
		.chain = (const uint8_t *)scene->chain,
	};
	scene->sample.regs.value[NT_REG_PC] = LEAF + 7;
	scene->sample.regs.value[NT_REG_SP] = STACK;
	scene->sample.regs.value[NT_REG_BP] = 0xdead;
}

static void kernel_found(struct scene *scene, const uint64_t *chain, unsigned count)
{
	memcpy(scene->chain, chain, count * sizeof(*chain));
	scene->sample.chain_count = count;
}

static void check_walk(struct scene *scene, bool far, const uint64_t *expected, unsigned count)
{
	struct nt_stack_walk walk;
	nt_stack_walk(&scene->rules, &scene->sample, far, &walk);
	assert_int_equal(walk.missing, 0);
	assert_int_equal(walk.count, count);
	assert_memory_equal(walk.frames, expected, count * sizeof(*expected));
}
#define CHECK_WALK(scene_, far_, ...)                                                                                                      \
	do {                                                                                                                               \
		const uint64_t expected_[] = { __VA_ARGS__ };                                                                              \
		check_walk(scene_, far_, expected_, sizeof(expected_) / sizeof(*expected_));                                               \
	} while (0)

static void tear_down(struct scene *scene)
{
	nt_frame_rules_fini(&scene->rules);
}

/* Code that uses rbp for something else: the kernel finds nothing. */
static void test_all_the_way(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7 }, 1);
	CHECK_WALK(&scene, true, LEAF + 7, SORT + 5, MANAGED + 5, MANAGED + 0x25);
	tear_down(&scene);
}

/* A leaf that leaves rbp alone hides its caller, no more: the kernel's chain goes on behind it. */
static void test_the_hidden_caller(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	scene.sample.regs.value[NT_REG_BP] = STACK + 0x60;
	word(&scene, STACK + 8, MANAGED + 5);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7, MANAGED + 0x25, 0x777 }, 3);
	CHECK_WALK(&scene, false, LEAF + 7, MANAGED + 5, MANAGED + 0x25, 0x777);
	/* The same when the copy ends below the frame. */
	scene.sample.dump.size = 0x20;
	CHECK_WALK(&scene, false, LEAF + 7, MANAGED + 5, MANAGED + 0x25, 0x777);
	CHECK_WALK(&scene, true, LEAF + 7, MANAGED + 5, MANAGED + 0x25, 0x777);
	tear_down(&scene);
}

/* The kernel's chain is met at a later frame than its first. */
static void test_meets_the_kernels_chain_later(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	scene.sample.regs.value[NT_REG_BP] = STACK + 0x20; /* as if sort had made it its frame */
	word(&scene, STACK + 0x28, MANAGED + 5);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7, MANAGED + 5, MANAGED + 0x25, 0x777 }, 4);
	CHECK_WALK(&scene, false, LEAF + 7, SORT + 5, MANAGED + 5, MANAGED + 0x25, 0x777);
	tear_down(&scene);
}

/* Where the copy ends too early the kernel's chain is kept, unless it is nothing. */
static void test_copy_that_ends(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	scene.sample.dump.size = 0x20;
	nt_frame_rules_forget(&scene.rules, LEAF, LEAF + 1);
	know(&scene, LEAF, cfi(NT_REG_SP, 16, -2)); /* rbp is another one in its caller */
	kernel_found(&scene, (uint64_t[]){ LEAF + 7, 0x777, 0x888 }, 3);
	CHECK_WALK(&scene, true, LEAF + 7, 0x777, 0x888);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7 }, 1);
	CHECK_WALK(&scene, true, LEAF + 7, SORT + 5);
	scene.sample.dump.size = 3;
	CHECK_WALK(&scene, true, LEAF + 7);
	tear_down(&scene);
}

static void test_missing_rule(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7, 0x777 }, 2);
	nt_frame_rules_forget(&scene.rules, SORT, SORT + 1);
	struct nt_stack_walk walk;
	nt_stack_walk(&scene.rules, &scene.sample, true, &walk);
	assert_int_equal(walk.missing, SORT + 4);
	assert_int_equal(walk.count, 2);
	assert_int_equal(walk.frames[1], 0x777);
	tear_down(&scene);
}

/* A call that is the last instruction of its function: the return address belongs to the next one. */
static void test_return_address_behind_the_function(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK + 8, SORT + CODE);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7 }, 1);
	CHECK_WALK(&scene, true, LEAF + 7, SORT + CODE, MANAGED + 5, MANAGED + 0x25);
	tear_down(&scene);
}

/* Through a signal's frame to the place that was interrupted, which is an exact one. */
static void test_signal(void **state)
{
	(void)state;
	struct scene scene;
	set_up(&scene);
	word(&scene, STACK + 8, RESTORE);
	scene.rules.count = 0;
	know(&scene, LEAF, cfi(NT_REG_SP, 16, NT_SAVED_NOT));
	know(&scene, SORT, cfi(NT_REG_SP, 32, -2));
	know_way(&scene, MANAGED, NT_FRAME_POINTER);
	know_way(&scene, BEGIN, NT_FRAME_OUTERMOST);
	struct nt_frame_rule restore = { .way = NT_FRAME_SIGNAL };
	nt_frame_rules_add(&scene.rules, RESTORE, RESTORE - 1, RESTORE + 9, &restore);
	word(&scene, STACK + 0x10 + 0x78, STACK + 0x130);
	word(&scene, STACK + 0x10 + 0xa0, STACK + 0x100);
	word(&scene, STACK + 0x10 + 0xa8, SORT);
	word(&scene, STACK + 0x100 + 0x10, STACK + 0x140);
	word(&scene, STACK + 0x100 + 0x18, MANAGED + 5);
	word(&scene, STACK + 0x140, 0);
	word(&scene, STACK + 0x148, BEGIN + 5);
	kernel_found(&scene, (uint64_t[]){ LEAF + 7 }, 1);
	CHECK_WALK(&scene, true, LEAF + 7, RESTORE, SORT, MANAGED + 5);
	tear_down(&scene);
}

/* Rules and stacks that make no sense end the walk; none of them makes it read beyond the copy or go round for ever. */
static void test_nonsense(void **state)
{
	(void)state;
	static const int32_t offsets[] = { 0, -8, 8, INT32_MAX, INT32_MIN };
	for (unsigned i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		for (unsigned reg = 0; reg <= NT_REG_COUNT; reg++) {
			struct scene scene;
			set_up(&scene);
			nt_frame_rules_forget(&scene.rules, LEAF, LEAF + 1);
			struct nt_frame_rule rule = cfi((enum nt_frame_reg)reg, offsets[i], INT16_MAX);
			rule.cfa_is_word_there = reg % 2;
			know(&scene, LEAF, rule);
			for (unsigned w = 0; w < WORDS; w++)
				scene.words[w] = LEAF + w;
			kernel_found(&scene, (uint64_t[]){ LEAF + 7 }, 1);
			struct nt_stack_walk walk;
			nt_stack_walk(&scene.rules, &scene.sample, true, &walk);
			assert_in_range(walk.count, 1, NT_WALK_MAX);
			tear_down(&scene);
		}
	}
	/* Frame pointers in a circle. */
	struct scene scene;
	set_up(&scene);
	scene.sample.regs.value[NT_REG_PC] = MANAGED;
	scene.sample.regs.value[NT_REG_BP] = STACK;
	word(&scene, STACK, STACK);
	word(&scene, STACK + 8, MANAGED + 1);
	kernel_found(&scene, (uint64_t[]){ MANAGED, MANAGED + 1 }, 2);
	CHECK_WALK(&scene, true, MANAGED, MANAGED + 1);
	tear_down(&scene);
}

static void test_rules(void **state)
{
	(void)state;
	struct nt_frame_rules rules = { 0 };
	struct nt_frame_rule a = { .way = NT_FRAME_POINTER }, b = { .way = NT_FRAME_SIGNAL };
	assert_null(nt_frame_rules_find(&rules, 5));
	nt_frame_rules_add(&rules, 15, 10, 20, &a);
	nt_frame_rules_add(&rules, 35, 30, 40, &a);
	nt_frame_rules_add(&rules, 25, 0, 100, &b); /* takes what is free around it */
	nt_frame_rules_add(&rules, 15, 0, 100, &b); /* is known already */
	assert_null(nt_frame_rules_find(&rules, 9));
	assert_int_equal(nt_frame_rules_find(&rules, 10)->way, NT_FRAME_POINTER);
	assert_int_equal(nt_frame_rules_find(&rules, 20)->way, NT_FRAME_SIGNAL);
	assert_int_equal(nt_frame_rules_find(&rules, 29)->way, NT_FRAME_SIGNAL);
	assert_int_equal(nt_frame_rules_find(&rules, 39)->way, NT_FRAME_POINTER);
	assert_null(nt_frame_rules_find(&rules, 40));
	nt_frame_rules_forget(&rules, 19, 21);
	assert_null(nt_frame_rules_find(&rules, 15));
	assert_null(nt_frame_rules_find(&rules, 25));
	assert_non_null(nt_frame_rules_find(&rules, 30));
	for (uint64_t i = 0; i < 2 * NT_FRAME_RULES_MAX; i++)
		nt_frame_rules_add(&rules, 1000 + i, 1000 + i, 1001 + i, &a);
	assert_in_range(rules.count, 1, NT_FRAME_RULES_MAX);
	nt_frame_rules_fini(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_the_way),
		cmocka_unit_test(test_the_hidden_caller),
		cmocka_unit_test(test_meets_the_kernels_chain_later),
		cmocka_unit_test(test_copy_that_ends),
		cmocka_unit_test(test_missing_rule),
		cmocka_unit_test(test_return_address_behind_the_function),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
