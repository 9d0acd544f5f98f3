// SPDX-License-Identifier: GPL-2.0-only
/* When a session for events that are told one by one begins and ends, and how many of a flood are told. */
#include "source/common/tell_course.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define NOW (1000 * NT_NS_PER_S)

static struct nt_tell_course course;

static int set_up(void **state)
{
	(void)state;
	course = (struct nt_tell_course){ 0 };
	return 0;
}

static void it_begins_when_it_is_wanted_and_ends_when_not(void **state)
{
	(void)state;
	assert_int_equal(nt_tell_course_turn(&course, false, false, true, NOW), NT_TELL_STAY);
	nt_tell_course_want(&course, true);
	assert_int_equal(nt_tell_course_turn(&course, false, false, false, NOW), NT_TELL_STAY); /* nothing is chosen */
	assert_int_equal(nt_tell_course_turn(&course, false, false, true, NOW), NT_TELL_BEGIN);
	assert_int_equal(nt_tell_course_turn(&course, true, false, true, NOW), NT_TELL_STAY);
	nt_tell_course_want(&course, false);
	assert_int_equal(nt_tell_course_turn(&course, true, false, true, NOW), NT_TELL_STOP);
	assert_int_equal(nt_tell_course_turn(&course, true, false, true, NOW), NT_TELL_STAY); /* once */
	assert_int_equal(nt_tell_course_news(&course, NT_AGAIN, true, NOW), NT_TELL_NO_NEWS);
	assert_int_equal(nt_tell_course_news(&course, NT_AGAIN, true, NOW + 2 * NT_NS_PER_S), NT_TELL_OVER); /* it takes too long */
}

static void others_end_it_and_begin_anew(void **state)
{
	(void)state;
	nt_tell_course_want(&course, true);
	assert_int_equal(nt_tell_course_turn(&course, true, true, true, NOW), NT_TELL_STOP);
	assert_int_equal(nt_tell_course_news(&course, NT_END, true, NOW), NT_TELL_OVER);
	nt_tell_course_closed(&course);
	assert_int_equal(nt_tell_course_turn(&course, false, false, true, NOW), NT_TELL_BEGIN);
}

static void that_all_is_told_is_said_once(void **state)
{
	(void)state;
	nt_tell_course_want(&course, true);
	assert_int_equal(nt_tell_course_news(&course, NT_AGAIN, false, NOW), NT_TELL_NO_NEWS);
	assert_int_equal(nt_tell_course_news(&course, NT_OK, true, NOW), NT_TELL_NO_NEWS); /* there is more to read first */
	assert_int_equal(nt_tell_course_news(&course, NT_AGAIN, true, NOW), NT_TELL_NOW_ON);
	assert_int_equal(nt_tell_course_news(&course, NT_AGAIN, true, NOW), NT_TELL_NO_NEWS);
	assert_int_equal(nt_tell_course_news(&course, NT_ERR_FAILED, true, NOW), NT_TELL_OVER);
	nt_tell_course_closed(&course);
	assert_int_equal(nt_tell_course_news(&course, NT_AGAIN, true, NOW), NT_TELL_NOW_ON);
}

static void what_was_refused_is_not_tried_again_until_it_is_asked_for_anew(void **state)
{
	(void)state;
	nt_tell_course_want(&course, true);
	course.refused = true;
	assert_int_equal(nt_tell_course_turn(&course, false, false, true, NOW), NT_TELL_STAY);
	nt_tell_course_want(&course, true);
	assert_int_equal(nt_tell_course_turn(&course, false, false, true, NOW), NT_TELL_STAY);
	nt_tell_course_want(&course, false);
	nt_tell_course_want(&course, true);
	assert_int_equal(nt_tell_course_turn(&course, false, false, true, NOW), NT_TELL_BEGIN);
}

static unsigned takes(void)
{
	unsigned count = 0;
	while (nt_tell_course_takes(&course))
		count++;
	return count;
}

static void of_a_flood_so_many_a_second(void **state)
{
	(void)state;
	assert_int_equal(takes(), 0);
	nt_tell_course_make_room(&course, NOW);
	assert_int_equal(takes(), 400);
	nt_tell_course_make_room(&course, NOW + NT_NS_PER_S / 20);
	assert_int_equal(takes(), NT_TELL_A_SECOND / 20);
	nt_tell_course_make_room(&course, NOW + 10 * NT_NS_PER_S);
	assert_int_equal(takes(), 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(it_begins_when_it_is_wanted_and_ends_when_not, set_up),
		cmocka_unit_test_setup(others_end_it_and_begin_anew, set_up),
		cmocka_unit_test_setup(that_all_is_told_is_said_once, set_up),
		cmocka_unit_test_setup(what_was_refused_is_not_tried_again_until_it_is_asked_for_anew, set_up),
		cmocka_unit_test_setup(of_a_flood_so_many_a_second, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
