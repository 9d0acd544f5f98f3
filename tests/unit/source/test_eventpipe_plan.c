// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/source.h"
#include "source/eventpipe/eventpipe_plan.h"

#define GC_HEAP_COLLECT UINT64_C(0x800000)
enum {
	EVERYTHING = NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_POOL_EVENTS | NT_WANT_LOCK_EVENTS | NT_WANT_ALLOC_SAMPLES |
		     NT_WANT_COUNTERS | NT_WANT_REQUESTS | NT_WANT_SINGLE_REQUESTS | NT_WANT_WALL_SAMPLES | NT_WANT_STACKS |
		     NT_WANT_GC_HISTORIES | NT_WANT_JIT_EVENTS | NT_WANT_CATCHES | NT_WANT_JIT_CALLERS | NT_WANT_POOL_ITEMS
};

static void nothing_wanted_is_no_session(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	assert_int_equal(nt_eventpipe_plans(0, 10, NULL, plans), 0);
}

/* It would make the target collect. */
static void no_session_makes_the_target_collect(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 5; major < 12; major++) {
		size_t count = nt_eventpipe_plans(EVERYTHING, major, NULL, plans);
		assert_true(count > 0);
		for (size_t i = 0; i < count; i++)
			assert_false(plans[i]->provider.keywords & GC_HEAP_COLLECT);
	}
}

static bool asks_for(const struct nt_ipc_provider *provider, uint32_t id)
{
	for (size_t i = 0; i < provider->filter_count; i++)
		if (provider->filter_ids[i] == id)
			return true;
	return false;
}

/* Two sessions with a keyword in common would both bring its events, unless each says which and has others. */
static bool overlap(const struct nt_ipc_provider *a, const struct nt_ipc_provider *b)
{
	if (!(a->keywords & b->keywords))
		return false;
	if (a->filter != NT_IPC_FILTER_ONLY || b->filter != NT_IPC_FILTER_ONLY)
		return true;
	for (size_t i = 0; i < a->filter_count; i++)
		if (asks_for(b, a->filter_ids[i]))
			return true;
	return false;
}

/* Each kind of event counts once, and says once where. */
static void no_event_comes_twice(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 8; major <= 10; major++) {
		size_t count = nt_eventpipe_plans(EVERYTHING, major, NULL, plans);
		for (size_t i = 0; i < count; i++)
			for (size_t j = 0; j < i; j++)
				assert_false((nt_eventpipe_plan_role(plans[i]) == nt_eventpipe_plan_role(plans[j]) &&
					      overlap(&plans[i]->provider, &plans[j]->provider)) ||
					     (plans[i]->counters && plans[i]->counters == plans[j]->counters));
	}
}

/* The walk costs the target more than the event. */
static void no_stack_is_walked_unless_wanted(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 8; major <= 10; major++) {
		size_t count = nt_eventpipe_plans(NT_WANT_RUNTIME_EVENTS | NT_WANT_JIT_EVENTS | NT_WANT_COUNTERS, major, NULL, plans);
		for (size_t i = 0; i < count; i++)
			assert_false(plans[i]->stackwalk);
	}
}

/* The histories are as large as all other events of a collection together, and cost the target as much: for who looks at them. */
static void histories_come_when_somebody_looks(void **state)
{
	(void)state;
	static const uint32_t histories[] = { 204, 205 };
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (int wanted = 0; wanted < 2; wanted++) {
		size_t count = nt_eventpipe_plans(NT_WANT_RUNTIME_EVENTS | (wanted ? NT_WANT_GC_HISTORIES : 0), 10, NULL, plans);
		for (size_t i = 0; i < sizeof(histories) / sizeof(*histories); i++) {
			unsigned sessions = 0;
			for (size_t j = 0; j < count; j++) {
				bool asked = asks_for(&plans[j]->provider, histories[i]);
				assert_false(asked && nt_eventpipe_plan_role(plans[j]) == NT_EVENTPIPE_COUNTS);
				sessions += asked;
			}
			assert_int_equal(sessions, wanted);
		}
	}
	/* Who cannot filter sends them anyhow. */
	assert_int_equal(nt_eventpipe_plans(NT_WANT_GC_HISTORIES, 9, NULL, plans), 0);
}

/* The three events of a small method cost the target more than to compile it. */
static void compilations_come_when_somebody_looks(void **state)
{
	(void)state;
	const uint64_t keywords = 0x10 | 0x1000000000; /* JIT, COMPILATION */
	static const uint32_t kinds[] = { 143, 144, 145, 152, 280, 281, 282, 283, 284 };
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 8; major <= 10; major++) {
		for (unsigned wanted = 0; wanted < 2; wanted++) {
			size_t count = nt_eventpipe_plans(NT_WANT_RUNTIME_EVENTS | (wanted ? NT_WANT_JIT_EVENTS : 0), major, NULL, plans);
			unsigned sessions = 0;
			for (size_t i = 0; i < count; i++) {
				sessions += (plans[i]->provider.keywords & keywords) == keywords;
				assert_true(wanted || !(plans[i]->provider.keywords & keywords));
				for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
					assert_true(wanted || !asks_for(&plans[i]->provider, kinds[k]));
			}
			assert_int_equal(sessions, wanted);
		}
	}
	assert_int_equal(nt_eventpipe_plans(NT_WANT_JIT_EVENTS, 10, NULL, plans), 1);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		assert_true(asks_for(&plans[0]->provider, kinds[k]));
}

/* The stacks of their beginnings alone, in a session of its own. */
static void who_compiles_is_told_when_somebody_asks(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 8; major <= 10; major++) {
		assert_int_equal(nt_eventpipe_plans(NT_WANT_JIT_CALLERS, major, NULL, plans), 1);
		assert_true(plans[0]->stackwalk);
		assert_int_equal(nt_eventpipe_plan_role(plans[0]), NT_EVENTPIPE_WHERE);
		assert_int_equal(plans[0]->provider.filter_count, 1);
		assert_true(asks_for(&plans[0]->provider, 145));
		assert_true(nt_eventpipe_plan_can_wait(plans[0], NT_WANT_JIT_CALLERS));
		size_t count = nt_eventpipe_plans(NT_WANT_RUNTIME_EVENTS | NT_WANT_JIT_EVENTS, major, NULL, plans);
		for (size_t i = 0; i < count; i++)
			assert_false(plans[i]->stackwalk);
	}
}

/* At the level at which each exception is several events, and in place of the session that has its stack alone. */
static void catches_come_when_somebody_looks(void **state)
{
	(void)state;
	const unsigned looked_at = NT_WANT_EXCEPTIONS | NT_WANT_STACKS;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 8; major <= 10; major++) {
		for (unsigned wanted = 0; wanted < 2; wanted++) {
			size_t count = nt_eventpipe_plans(looked_at | (wanted ? NT_WANT_CATCHES : 0), major, NULL, plans);
			unsigned with_stacks = 0, dear = 0;
			for (size_t i = 0; i < count; i++) {
				bool of_exceptions = plans[i]->provider.keywords == 0x8000;
				with_stacks += of_exceptions && plans[i]->stackwalk;
				dear += of_exceptions && plans[i]->provider.level > 2;
			}
			assert_int_equal(with_stacks, 1);
			assert_int_equal(dear, wanted);
		}
	}
}

/* Its keyword makes the runtime fire the event over LTTng as well, which ends the target where somebody has it enabled there. */
static void no_session_asks_for_exceptions_unless_wanted(void **state)
{
	(void)state;
	const uint64_t keyword = 0x8000;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	for (unsigned major = 5; major < 12; major++) {
		size_t count = nt_eventpipe_plans(EVERYTHING & ~(unsigned)NT_WANT_EXCEPTIONS, major, NULL, plans);
		assert_true(count > 0);
		for (size_t i = 0; i < count; i++)
			assert_false(plans[i]->provider.keywords & keyword);
		count = nt_eventpipe_plans(NT_WANT_EXCEPTIONS, major, NULL, plans);
		assert_int_equal(count, 1);
		assert_int_equal(plans[0]->provider.keywords, keyword);
		assert_int_equal(plans[0]->provider.level, 2); /* at more each is four events */
		assert_false(plans[0]->stackwalk);
	}
}

static void what_a_runtime_has_not_is_not_asked_for(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	assert_int_equal(nt_eventpipe_plans(NT_WANT_ALLOC_SAMPLES, 9, NULL, plans), 1);
	assert_int_equal(nt_eventpipe_plan_role(plans[0]), NT_EVENTPIPE_TICKS); /* what else comes with them counts nowhere */
	assert_int_equal(nt_eventpipe_plans(NT_WANT_ALLOC_SAMPLES, 10, NULL, plans), 1);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_JIT_EVENTS, 8, NULL, plans), 1);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_JIT_EVENTS, 10, NULL, plans), 1);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS, 8, NULL, plans), 3);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_WALL_SAMPLES, 8, NULL, plans), 1);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_STACKS | NT_WANT_EXCEPTIONS, 8, NULL, plans), 3);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_STACKS, 8, NULL, plans), 1);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS, 10, NULL, plans), 3);
}

/* At the start of a program each session delays its first answer: only what counts from then on is there. */
static void what_may_wait_for_the_start(void **state)
{
	(void)state;
	static const struct {
		unsigned demand, first; /* of that what is asked for at once */
	} cases[] = {
		{ NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_JIT_EVENTS | NT_WANT_STACKS | NT_WANT_GC_HISTORIES |
			  NT_WANT_COUNTERS,
		  NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_JIT_EVENTS },
		{ NT_WANT_POOL_EVENTS | NT_WANT_ALLOC_SAMPLES | NT_WANT_WALL_SAMPLES,
		  NT_WANT_POOL_EVENTS | NT_WANT_ALLOC_SAMPLES | NT_WANT_WALL_SAMPLES },
		{ NT_WANT_COUNTERS, NT_WANT_RUNTIME_EVENTS }, /* without events of compilations they are counted by the runtime */
	};
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
		unsigned at_once = 0, later = 0;
		for (size_t i = 0, count = nt_eventpipe_plans(cases[c].demand, 10, NULL, plans); i < count; i++)
			*(nt_eventpipe_plan_can_wait(plans[i], cases[c].demand) ? &later : &at_once) |= plans[i]->wants;
		assert_int_equal(at_once & cases[c].demand & ~(unsigned)NT_WANT_COUNTERS, cases[c].first & cases[c].demand);
		assert_false(later & cases[c].first & ~(unsigned)NT_WANT_RUNTIME_EVENTS);
		assert_int_equal(later != 0, c != 1);
	}
}

/* Meters, single requests and work items wait for the runtime's own counters, which are asked for wherever they are. */
static void meters_come_after_the_runtimes_own_counters(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	static const unsigned demands[] = {
		NT_WANT_COUNTERS,   NT_WANT_REQUESTS, NT_WANT_REQUESTS | NT_WANT_COUNTERS, NT_WANT_SINGLE_REQUESTS, NT_WANT_EACH_REQUEST,
		NT_WANT_POOL_ITEMS, EVERYTHING
	};
	for (size_t d = 0; d < sizeof(demands) / sizeof(*demands); d++)
		for (unsigned major = 8; major <= 10; major++) {
			size_t meters = 0, single = 0, activities = 0, own = 0, count = nt_eventpipe_plans(demands[d], major, NULL, plans);
			for (size_t i = 0; i < count; i++) {
				bool is_due = nt_eventpipe_plan_is_due(plans[i], false);
				own += plans[i]->counters == NT_COUNTERS_RUNTIME && is_due;
				bool of_meters = nt_counter_set_has_meters(plans[i]->counters);
				enum nt_eventpipe_role role = nt_eventpipe_plan_role(plans[i]);
				bool of_requests = role == NT_EVENTPIPE_REQUESTS, of_activities = role == NT_EVENTPIPE_ACTIVITIES;
				meters += of_meters;
				single += of_requests;
				activities += of_activities;
				bool of_items = role == NT_EVENTPIPE_POOL_ITEMS;
				assert_int_equal(is_due, !of_meters && !of_requests && !of_activities && !of_items);
				assert_true(nt_eventpipe_plan_is_due(plans[i], true));
			}
			assert_int_equal(own, 1);
			assert_int_equal(meters, (demands[d] & (NT_WANT_COUNTERS | NT_WANT_REQUESTS)) != 0);
			assert_int_equal(single, (demands[d] & NT_WANT_SINGLE_REQUESTS) != 0);
			assert_int_equal(activities, (demands[d] & NT_WANT_ACTIVITIES) != 0);
		}
}

/* Without stacks, which are deep there; without their paths where no text of the program is wanted; and what exists before .NET 8 is left alone. */
static void single_requests(void **state)
{
	(void)state;
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	struct nt_source_config config = { .no_payload = false };
	for (unsigned major = 7; major <= 11; major++) {
		size_t count = nt_eventpipe_plans(NT_WANT_SINGLE_REQUESTS, major, NULL, plans), found = 0;
		for (size_t i = 0; i < count; i++) {
			if (nt_eventpipe_plan_role(plans[i]) != NT_EVENTPIPE_REQUESTS)
				continue;
			found++;
			assert_false(plans[i]->stackwalk);
			assert_true(nt_eventpipe_plan_can_wait(plans[i], NT_WANT_SINGLE_REQUESTS));
			config.no_payload = false;
			assert_non_null(strstr(nt_eventpipe_plan_provider(plans[i], &config).arguments, "Request.Path"));
			config.no_payload = true;
			assert_null(strstr(nt_eventpipe_plan_provider(plans[i], &config).arguments, "Request.Path"));
		}
		assert_int_equal(found, major >= 8);
	}
}

/* What somebody has asked for by name: a session each, all of it or nothing. */
static void moments_alone(void **state)
{
	(void)state;
	static const char *const words[] = { "clr:GCTriggered", "page-faults", "clr:ExceptionThrown" };
	struct nt_moment_asked asked[3];
	struct nt_eventpipe_moments moments = { .count = 0 };
	struct nt_eventpipe_events events = { .moments = NULL };
	const struct nt_eventpipe_plan *out[NT_EVENTPIPE_PLANS_MAX];
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(nt_moment_parse(words[i], strlen(words[i]), &asked[i], NULL), NT_OK);
	nt_eventpipe_moments_plan(&moments, &events, &(struct nt_source_config){ .moments = asked, .moment_count = 3 });
	assert_int_equal(events.moment_count, 3);
	assert_int_equal(nt_eventpipe_plans(NT_WANT_MOMENTS | NT_WANT_EXCEPTIONS | NT_WANT_RUNTIME_EVENTS, 10, &moments, out), 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(nt_eventpipe_plan_role(out[i]), NT_EVENTPIPE_MOMENTS);
		assert_true(out[i]->stackwalk);
		assert_int_equal(out[i]->provider.filter_count, 1);
	}
	assert_int_equal(out[0]->provider.filter_ids[0], 35);
	assert_int_equal(out[1]->provider.filter_ids[0], 80);
	assert_int_equal(out[1]->provider.level, 2); /* above, each exception is four events */
	/* Exceptions would do harm: then nothing, and it is said. */
	assert_int_equal(nt_eventpipe_plans(NT_WANT_MOMENTS, 10, &moments, out), 0);
	assert_non_null(strstr(nt_eventpipe_why_none(&moments), "exceptions are not asked for"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_alone),
		cmocka_unit_test(single_requests),
		cmocka_unit_test(nothing_wanted_is_no_session),
		cmocka_unit_test(no_session_makes_the_target_collect),
		cmocka_unit_test(no_event_comes_twice),
		cmocka_unit_test(no_stack_is_walked_unless_wanted),
		cmocka_unit_test(histories_come_when_somebody_looks),
		cmocka_unit_test(compilations_come_when_somebody_looks),
		cmocka_unit_test(who_compiles_is_told_when_somebody_asks),
		cmocka_unit_test(catches_come_when_somebody_looks),
		cmocka_unit_test(no_session_asks_for_exceptions_unless_wanted),
		cmocka_unit_test(what_a_runtime_has_not_is_not_asked_for),
		cmocka_unit_test(what_may_wait_for_the_start),
		cmocka_unit_test(meters_come_after_the_runtimes_own_counters),
	};
	return cmocka_run_group_tests_name("eventpipe_plan", tests, NULL, NULL);
}
