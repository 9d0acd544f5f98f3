// SPDX-License-Identifier: GPL-2.0-only
/* What grows over minutes is found, and what only seems to is not: fed second after second. */
#include "finding_seconds.h"

#define MB (UINT64_C(1) << 20)
#define GB (UINT64_C(1) << 30)

enum { OLD_S = 3600, SECONDS = 420 };

/* What a process has in a second. */
struct levels {
	uint64_t heap_mb, full_mb, rss_mb, threads, workers, descriptors, handles, timers;
	uint64_t allocated_mb; /* in it */
	unsigned collections;  /* in it */
};

static struct nt_gc_row full; /* the last collection of all generations */
static struct nt_host_figures host;
static uint64_t descriptor_limit;

/* A second of a process that is `age_s` old. */
static void second_of(const struct levels *levels, uint64_t age_s)
{
	struct nt_process_snapshot *process = next_second();
	struct nt_figures *figures = &process->interval;
	process->target.uptime_ns = nt_u64_of(age_s * NT_NS_PER_S);
	figures->gc.heap_bytes = nt_u64_of(levels->heap_mb * MB);
	figures->gc.count[0] = nt_u64_of(levels->collections);
	figures->gc.count[1] = figures->gc.count[2] = nt_u64_of(0);
	figures->gc.alloc_bytes = nt_u64_of(levels->allocated_mb * MB);
	figures->memory.rss_bytes = nt_u64_of(levels->rss_mb * MB);
	figures->threads.count = nt_u64_of(levels->threads);
	figures->pool.worker_count = nt_u64_of(levels->workers);
	figures->io.descriptor_count = nt_u64_of(levels->descriptors);
	figures->gc.handle_count = nt_u64_of(levels->handles);
	figures->pool.timer_count = nt_u64_of(levels->timers);
	figures->io.descriptor_limit = (struct nt_u64){ .v = descriptor_limit, .known = descriptor_limit != 0 };
	figures->host = host;
	full = (struct nt_gc_row){
		.finished = true, .generation = 2, .after_bytes = { .v = levels->full_mb * MB, .known = true }, .end = now
	};
	process->collections = nt_alloc(sizeof(*process->collections));
	process->collections[0] = &full;
	process->collection_count = levels->full_mb != 0;
	close_second();
}

static const struct levels usual = { 100, 100, 300, 30, 5, 150, 2000, 40, 1, 1 };

typedef struct levels nt_course(unsigned second);

static struct levels heap_leak(unsigned second)
{
	struct levels levels = usual;
	levels.full_mb += second / 15 * 15; /* collected every 15 s */
	levels.heap_mb += second + second % 7 * 30;
	levels.rss_mb += second;
	return levels;
}

/* Nothing collects all generations: what they have may all be garbage. */
static struct levels heap_never_collected_whole(unsigned second)
{
	struct levels levels = heap_leak(second);
	levels.full_mb = 0;
	return levels;
}

static struct levels heap_garbage(unsigned second)
{
	struct levels levels = usual;
	levels.heap_mb += second % 240;
	levels.rss_mb += second % 240;
	return levels;
}

static struct levels cache_filled_once(unsigned second)
{
	struct levels levels = usual;
	levels.heap_mb += second < 200 ? 0 : second < 260 ? 10 * (second - 200) : 600;
	levels.full_mb = levels.heap_mb;
	levels.rss_mb += levels.heap_mb;
	return levels;
}

static struct levels native_leak(unsigned second)
{
	struct levels levels = usual;
	levels.rss_mb += second;
	return levels;
}

static struct levels native_leak_without_collections(unsigned second)
{
	struct levels levels = native_leak(second);
	levels.allocated_mb = levels.collections = 0;
	return levels;
}

/* A young generation that is filled for minutes until it is collected. */
static struct levels nursery(unsigned second)
{
	struct levels levels = usual;
	levels.rss_mb += second % 300;
	levels.collections = second % 300 == 299;
	return levels;
}

static struct levels memory_of_a_start(unsigned second)
{
	struct levels levels = usual;
	levels.heap_mb = levels.full_mb = second < 60 ? 100 + 5 * second : 400;
	levels.rss_mb = 100 + levels.heap_mb;
	levels.threads = second < 60 ? 10 + 4 * second : 250;
	return levels;
}

static struct levels more_threads(unsigned second)
{
	struct levels levels = usual;
	levels.threads += second;
	return levels;
}

static struct levels more_workers(unsigned second)
{
	struct levels levels = usual;
	levels.threads += second;
	levels.workers += second;
	return levels;
}

static struct levels threads_that_come_and_go(unsigned second)
{
	struct levels levels = usual;
	levels.threads += second % 100;
	return levels;
}

static struct levels more_descriptors(unsigned second)
{
	struct levels levels = usual;
	levels.descriptors += 3 * second;
	return levels;
}

static struct levels few_more(unsigned second)
{
	struct levels levels = usual;
	levels.heap_mb += second / 10;
	levels.full_mb = levels.heap_mb;
	levels.rss_mb += second / 8;
	levels.threads += second / 12;
	levels.descriptors += second / 4;
	return levels;
}

static struct levels calm(unsigned second)
{
	(void)second;
	return usual;
}

static struct levels more_handles(unsigned second)
{
	struct levels levels = usual;
	levels.handles += second / 5 * 200;
	return levels;
}

static struct levels more_timers(unsigned second)
{
	struct levels levels = usual;
	levels.timers += 2 * second;
	return levels;
}

enum { NONE = NT_FINDING_KIND_COUNT };

static void each_course_is_judged(void **state)
{
	static const struct {
		nt_course *course;
		unsigned finding; /* the only one; NONE */
		uint64_t age_s;   /* in the first second */
	} cases[] = {
		{ calm, NONE, OLD_S },
		{ heap_leak, NT_FINDING_HEAP_GROWTH, OLD_S },
		{ heap_leak, NT_FINDING_HEAP_GROWTH, 0 },
		{ heap_never_collected_whole, NONE, OLD_S },
		{ heap_garbage, NONE, OLD_S },
		{ cache_filled_once, NONE, OLD_S },
		{ native_leak, NT_FINDING_MEMORY_GROWTH, OLD_S },
		{ native_leak_without_collections, NT_FINDING_MEMORY_GROWTH, OLD_S },
		{ nursery, NONE, OLD_S },
		{ memory_of_a_start, NONE, 0 },
		{ more_threads, NT_FINDING_THREAD_GROWTH, OLD_S },
		{ more_workers, NONE, OLD_S },
		{ threads_that_come_and_go, NONE, OLD_S },
		{ more_descriptors, NT_FINDING_DESCRIPTOR_GROWTH, OLD_S },
		{ few_more, NONE, OLD_S },
		{ more_handles, NT_FINDING_HANDLE_GROWTH, OLD_S },
		{ more_timers, NT_FINDING_TIMER_GROWTH, OLD_S },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (unsigned second = 0; second < SECONDS; second++) {
			const struct levels levels = cases[i].course(second);
			second_of(&levels, cases[i].age_s + second);
			const struct nt_process_snapshot *process = &snapshot->processes[0];
			for (size_t k = 0; k < process->finding_count; k++)
				if (process->findings[k].kind != cases[i].finding)
					fail_msg("case %zu, second %u: %s", i, second, process->findings[k].text);
			/* Not before two minutes of the time after the first minute of the process. */
			if (process->finding_count)
				assert_true(second >= 120 && cases[i].age_s + second >= 180);
		}
		if (cases[i].finding != NONE)
			assert_non_null(the_finding((enum nt_finding_kind)cases[i].finding));
	}
}

static void run(nt_course *course)
{
	for (unsigned second = 0; second < SECONDS; second++) {
		const struct levels levels = course(second);
		second_of(&levels, OLD_S + second);
	}
}

/* From what to what, how fast, and the limit that is reached first. */
static void sentences_tell_slope_and_limit(void **state)
{
	(void)state;
	host = (struct nt_host_figures){ .memory_limit_bytes = NT_KNOWN(2 * GB),
					 .memory_used_bytes = NT_KNOWN(2 * GB - 360 * MB),
					 .memory_bytes = NT_KNOWN(16 * GB),
					 .available_bytes = NT_KNOWN(8 * GB) };
	run(native_leak);
	const struct nt_finding *finding = the_finding(NT_FINDING_MEMORY_GROWTH);
	assert_string_equal(finding->text,
			    "Memory grows: RSS 320M to 700M in 6m20s, 60.0M a minute; the GC heap has 100M; the limit of its cgroup, "
			    "2.00G, in 6m00s");
	assert_string_equal(finding->short_text, "Memory grows: RSS 320M to 700M in 6m20s; limit in 6m00s");
	assert_string_equal(finding->unit, "bytes");
	set_up(state);
	run(heap_leak);
	assert_non_null(strstr(the_finding(NT_FINDING_HEAP_GROWTH)->text, "Heap growth: from "));
	assert_non_null(strstr(the_finding(NT_FINDING_HEAP_GROWTH)->text, " a minute; the limit of its cgroup, 2.00G, in "));
	host = (struct nt_host_figures){ 0 };
	set_up(state);
	descriptor_limit = 4096;
	run(more_descriptors);
	descriptor_limit = 0;
	assert_non_null(
		strstr(the_finding(NT_FINDING_DESCRIPTOR_GROWTH)->text, " in 6m20s, 180 a minute; the limit of descriptors, 4.10k, in "));
}

/* A level that would not double for hours is growth where its limit is near. */
static void a_limit_that_is_near_is_a_reason(void **state)
{
	for (unsigned near = 0; near < 2; near++) {
		set_up(state);
		descriptor_limit = near ? 11000 : 0;
		for (unsigned second = 0; second < SECONDS; second++) {
			struct levels levels = usual;
			levels.descriptors = 9000 + second;
			second_of(&levels, OLD_S + second);
		}
		descriptor_limit = 0;
		assert_int_equal(the_finding(NT_FINDING_DESCRIPTOR_GROWTH) != NULL, near);
	}
}

static void who_the_threads_are_is_told(void **state)
{
	(void)state;
	static const struct {
		const char *name, *other_name, *site, *text;
	} cases[] = {
		{ "a", "b", "Shop.Feed.Listen()", "; 3 of them wait in Thread.Sleep at Feed.Listen" },
		{ "feed-1", "feed-22", NULL, "; 4 of them are called feed-..." },
		{ "feed", "feed", NULL, "; 4 of them are called feed" },
		{ "a", "b", NULL, "a minute" },
		{ NULL, NULL, NULL, "a minute" },
	};
	enum { ROWS = 5 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (unsigned second = 0; second < SECONDS; second++) {
			struct nt_process_snapshot *process = next_second();
			process->interval.threads.count = nt_u64_of(30 + second);
			process->threads = nt_alloc(ROWS * sizeof(*process->threads));
			process->thread_count = ROWS;
			for (unsigned row = 0; row < ROWS; row++)
				process->threads[row] = (struct nt_thread_row){ .id = row + 1,
										.tid = row + 1,
										.role = row ? NT_ROLE_APPLICATION : NT_ROLE_GC,
										.name = row % 2 ? cases[i].name : cases[i].other_name,
										.wait_at = row > 1 ? cases[i].site : NULL,
										.wait_means = "System.Threading.Thread.Sleep(int)" };
			close_second();
		}
		const char *text = the_finding(NT_FINDING_THREAD_GROWTH)->text;
		assert_string_equal(text + strlen(text) - strlen(cases[i].text), cases[i].text);
	}
}

static void what_is_open_is_told_while_somebody_looks(void **state)
{
	(void)state;
	for (unsigned second = 0; second < SECONDS; second++) {
		struct nt_process_snapshot *process = next_second();
		process->interval.io.descriptor_count = nt_u64_of(100 + 2 * second);
		process->io_looked = true;
		process->io = nt_alloc(2 * sizeof(*process->io));
		process->io_count = 2;
		process->io[0] = (struct nt_io_row){ .id = 1, .what = "10.2.0.7:5432", .kind = NT_IO_SOCKET, .open_count = 70 };
		process->io[1] = (struct nt_io_row){ .id = 2, .what = "/tmp/a", .kind = NT_IO_FILE, .open_count = second < 410 ? 2 : 60 };
		close_second();
		if (second == 400)
			assert_non_null(strstr(the_finding(NT_FINDING_DESCRIPTOR_GROWTH)->text, "; 70 socket 10.2.0.7:5432"));
	}
}

static bool is_checked(const char *name)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	for (size_t i = 0; i < process->checked_count; i++)
		if (strcmp(process->checked[i], name) == 0)
			return true;
	return false;
}

/* For two minutes nobody can say, and later not what depends on what is not known. */
static void growth_is_checked_after_two_minutes(void **state)
{
	(void)state;
	static const char *const names[] = { "heap growth", "RSS growth", "thread growth", "descriptor growth" };
	for (unsigned second = 0; second < 300; second++) {
		second_of(&usual, OLD_S + second);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(is_checked(names[i]), second >= (i == 1 ? 240 : 120));
	}
	set_up(state);
	for (unsigned second = 0; second < 300; second++) {
		const struct levels levels = heap_never_collected_whole(second);
		second_of(&levels, OLD_S + second);
	}
	assert_false(is_checked("heap growth"));
	assert_true(is_checked("thread growth"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(each_course_is_judged),
		WITH_FINDINGS(sentences_tell_slope_and_limit),
		WITH_FINDINGS(a_limit_that_is_near_is_a_reason),
		WITH_FINDINGS(who_the_threads_are_is_told),
		WITH_FINDINGS(what_is_open_is_told_while_somebody_looks),
		WITH_FINDINGS(growth_is_checked_after_two_minutes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
