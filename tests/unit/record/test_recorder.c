// SPDX-License-Identifier: GPL-2.0-only
/* The file of a recording: what is in whole frames is read back, and nothing else is given out, whatever becomes of the writer, the disk, or the file. */
#include "random_batch.h"

#include "record/recorder.h"
#include "record/recording_file.h"
#include "record/recording_put.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

/* NT_ROUNDS: so many times someone is killed, and the disk full; SEED: others than usual. */
enum { BATCHES = 400, ROUNDS = 8, OFFSET = 12345, MOST_WAITING = 4 << 20 };

static char folder[64], path[96];

static int set_up(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	snprintf(folder, sizeof(folder), "/tmp/nettop-recorder.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/recording", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static uint64_t number_of(const char *variable, uint64_t usual)
{
	const char *text = getenv(variable);
	return text && *text ? strtoull(text, NULL, 10) : usual;
}

static uint64_t seed_of_rounds(void)
{
	uint64_t seed = number_of("SEED", 1);
	print_message("SEED=%" PRIu64 "\n", seed);
	return seed;
}

/* What is recorded at each of these places, whoever asks: a batch by chance, then a tick half a second later. */
static void make_batch(size_t number, struct nt_batch *batch)
{
	uint64_t seed = number + 1;
	random_batch(&seed, batch);
}

static nt_time time_of(size_t number)
{
	return (1000 + number) * (NT_NS_PER_S / 2);
}

static struct nt_recorder *open_new(uint64_t limit_bytes)
{
	struct nt_recorder *recorder = NULL;
	const struct nt_model_config config = { .pid = 4711, .interval_ns = NT_NS_PER_S, .window_half_life = 5 };
	unlink(path);
	assert_int_equal(nt_recorder_open(path, limit_bytes, &recorder, NULL), NT_OK);
	nt_recorder_settings(recorder, &config, OFFSET);
	return recorder;
}

static void record(struct nt_recorder *recorder, size_t count)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	for (size_t i = 0; i < count && !nt_recorder_problem(recorder) && !nt_recorder_is_full(recorder); i++) {
		make_batch(i, batch);
		nt_recorder_batch(recorder, batch);
		nt_recorder_tick(recorder, &(struct nt_tick){ .now = time_of(i) });
		while (nt_recorder_waiting(recorder) > MOST_WAITING) /* faster than any target */
			usleep(1000);
	}
	nt_batch_free(batch);
}

/* Reads on; everything is what was recorded, in its order. Returns how many ticks there were; *status: how it ended. */
static size_t read_back(struct nt_recording_end *end, enum nt_status *status, struct nt_error *err)
{
	struct nt_recording_file *file = NULL;
	struct nt_recording_input input;
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	size_t ticks = 0, batches = 0;
	*end = (struct nt_recording_end){ 0 };
	*status = nt_recording_file_open(path, &file, err);
	while (file && (*status = nt_recording_file_next(file, &input, err)) == NT_OK) {
		if (input.what == NT_RECORDED_SETTINGS) {
			assert_int_equal(input.settings.pid, 4711);
			assert_int_equal(input.realtime_offset_ns, OFFSET);
		} else if (input.what == NT_RECORDED_BATCH) {
			make_batch(batches++, batch);
			assert_same_batch(batch, input.batch);
		} else {
			assert_int_equal(input.tick.now, time_of(ticks++));
		}
	}
	if (file)
		*end = nt_recording_file_end(file);
	assert_true(batches == ticks || batches == ticks + 1);
	nt_recording_file_free(file);
	nt_batch_free(batch);
	return ticks;
}

static void what_is_ended_is_whole(void **state)
{
	(void)state;
	struct nt_recording_end end;
	enum nt_status status;
	struct stat st;
	struct nt_recorder *recorder = open_new(0);
	record(recorder, BATCHES);
	nt_recorder_end(recorder);
	assert_null(nt_recorder_problem(recorder));
	const struct nt_file_written said = nt_recorder_said(recorder);
	assert_true(said.first == time_of(0) && said.last == time_of(BATCHES - 1));
	assert_int_equal(read_back(&end, &status, NULL), BATCHES);
	assert_int_equal(status, NT_END);
	assert_true(end.finished && !end.rest_bytes && !end.unknown && end.frame_count > 5 && end.last == time_of(BATCHES - 1));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, said.bytes);
	assert_int_equal(st.st_mode & 07777, 0600);
	nt_recorder_free(recorder);
}

static void what_is_there_is_left_alone(void **state)
{
	(void)state;
	struct nt_recorder *recorder = NULL;
	struct nt_error err = { 0 };
	char link[128];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, "mine", 4), 4);
	close(fd);
	assert_int_equal(nt_recorder_open(path, 0, &recorder, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "is there already"));
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink("nowhere", link), 0);
	assert_true(nt_recorder_open(link, 0, &recorder, NULL) < 0);
	assert_int_equal(unlink(link), 0);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(nt_recording_file_open(path, &(struct nt_recording_file *){ NULL }, &err), NT_ERR_MALFORMED);
	assert_non_null(strstr(err.cause[0], "is no recording of nettop"));
}

static void it_ends_within_its_limit(void **state)
{
	(void)state;
	struct nt_recording_end end;
	enum nt_status status;
	for (uint64_t limit = 0; limit < 300000; limit += 70000) {
		struct nt_recorder *recorder = open_new(limit + 1);
		record(recorder, BATCHES);
		assert_true(nt_recorder_is_full(recorder));
		nt_recorder_end(recorder);
		assert_null(nt_recorder_problem(recorder));
		size_t ticks = read_back(&end, &status, NULL);
		assert_true(status == NT_END && end.finished && ticks < BATCHES);
		assert_true(limit < 70000 || (ticks && nt_recorder_said(recorder).bytes <= limit + 1));
		nt_recorder_free(recorder);
	}
}

/* Who writes is killed at some moment: there are whole frames, of what it has recorded one after the other. */
static void who_is_killed_leaves_whole_frames(void **state)
{
	(void)state;
	uint64_t seed = seed_of_rounds(), rounds = number_of("NT_ROUNDS", ROUNDS), cut = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		int begins[2];
		char byte;
		assert_int_equal(pipe(begins), 0);
		pid_t child = fork();
		if (child == 0) {
			struct nt_recorder *recorder = open_new(0);
			(void)!write(begins[1], "", 1);
			record(recorder, BATCHES * 100);
			_exit(0);
		}
		assert_int_equal(read(begins[0], &byte, 1), 1);
		usleep((useconds_t)random_below(&seed, 200000)); /* not to wait for anything: the moment is by chance */
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		close(begins[0]);
		close(begins[1]);
		struct nt_recording_end end;
		enum nt_status status;
		size_t ticks = read_back(&end, &status, NULL);
		assert_true(status == NT_END && !end.finished);
		assert_true(end.frame_count == 0 || ticks > 0);
		cut += end.rest_bytes > 0;
	}
	print_message("%" PRIu64 " rounds, %" PRIu64 " with a piece of a frame\n", rounds, cut);
}

static void may_grow_to(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* No more can be written from some byte on: what is there is whole frames, and the reason is told once. */
static void what_is_full_stays_readable(void **state)
{
	(void)state;
	uint64_t seed = seed_of_rounds(), rounds = number_of("NT_ROUNDS", ROUNDS);
	for (uint64_t round = 0; round < rounds; round++) {
		struct nt_recording_end end;
		enum nt_status status;
		struct nt_recorder *recorder = open_new(0);
		may_grow_to(40 + random_below(&seed, 400000));
		record(recorder, BATCHES * 10);
		nt_recorder_end(recorder);
		may_grow_to(RLIM_INFINITY);
		assert_non_null(strstr(nt_recorder_problem(recorder), "no more is recorded in /tmp/nettop-recorder."));
		assert_non_null(strstr(nt_recorder_problem(recorder), "File too large"));
		size_t ticks = read_back(&end, &status, NULL);
		assert_true(status == NT_END && !end.finished && !end.rest_bytes);
		assert_true((nt_recorder_said(recorder).last ? time_of(ticks - 1) : 0) == nt_recorder_said(recorder).last);
		nt_recorder_free(recorder);
	}
}

/* ---- a disk that takes nothing for a while ---- */

/* Reads on until the other end is closed, into the file of the test. */
static void *read_on(void *argument)
{
	int from = *(int *)argument, to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	static char bytes[1 << 16];
	for (ssize_t count; (count = read(from, bytes, sizeof(bytes))) > 0;)
		assert_int_equal(write(to, bytes, (size_t)count), count);
	close(to);
	return NULL;
}

struct heard {
	uint64_t lost, samples;
	size_t texts, chains, states;
};

static struct heard hear(void)
{
	struct heard heard = { 0 };
	struct nt_recording_file *file = NULL;
	struct nt_recording_input input;
	assert_int_equal(nt_recording_file_open(path, &file, NULL), NT_OK);
	while (nt_recording_file_next(file, &input, NULL) == NT_OK) {
		if (input.what != NT_RECORDED_BATCH)
			continue;
		heard.texts += input.batch->str_count;
		heard.chains += input.batch->stack_count;
		for (size_t i = 0; i < input.batch->event_count; i++) {
			const struct nt_event *event = &input.batch->events[i];
			heard.lost += event->kind == NT_EV_LOST ? event->u.lost.count : 0;
			heard.samples += event->kind == NT_EV_SAMPLE;
			heard.states += event->kind == NT_EV_THREAD;
		}
	}
	assert_true(nt_recording_file_end(file).finished);
	nt_recording_file_free(file);
	return heard;
}

/* Figures by chance: they are not packed well. */
static void record_second(struct nt_recorder *recorder, unsigned number, unsigned samples)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	uint64_t seed = (uint64_t)number << 32;
	batch->epoch = 1;
	nt_batch_announce_str(batch, number, "text", 4);
	nt_batch_announce_stack(batch, number, (const uint64_t[]){ number, 1 }, 0, 2);
	nt_batch_add(batch, NT_EV_THREAD, time_of(number), 1, number)->u.thread.name = number;
	for (unsigned i = 0; i < samples; i++)
		nt_batch_add(batch, NT_EV_SAMPLE, time_of(number), 1, number)->u.sample.weight_ns =
			nt_hash_mix(seed += UINT64_C(0x9e3779b97f4a7c15));
	nt_recorder_batch(recorder, batch);
	nt_recorder_tick(recorder, &(struct nt_tick){ .now = time_of(number) });
	nt_batch_free(batch);
}

/* Nobody reads what is written: who records goes on, within a bound; what was left out is counted; of what holds nothing is missing. */
static void a_disk_that_takes_nothing_holds_up_nobody(void **state)
{
	(void)state;
	enum { SECONDS = 120, SAMPLES = 30000 };
	int ends[2];
	pthread_t reader;
	const struct nt_model_config config = { .pid = 4711, .interval_ns = NT_NS_PER_S, .window_half_life = 5 };
	assert_int_equal(pipe(ends), 0);
	struct nt_recorder *recorder = nt_recorder_to(ends[1], "a pipe", 0);
	nt_recorder_settings(recorder, &config, OFFSET);
	for (unsigned i = 1; i <= SECONDS; i++) {
		record_second(recorder, i, SAMPLES);
		assert_true(nt_recorder_waiting(recorder) < 18 << 20);
	}
	assert_true(nt_recorder_waiting(recorder) > 16 << 20);
	assert_int_equal(pthread_create(&reader, NULL, read_on, &ends[0]), 0);
	while (nt_recorder_waiting(recorder))
		usleep(1000);
	for (unsigned i = SECONDS + 1; i <= SECONDS + 20; i++)
		record_second(recorder, i, 1);
	nt_recorder_end(recorder);
	assert_null(nt_recorder_problem(recorder));
	nt_recorder_free(recorder);
	pthread_join(reader, NULL);
	close(ends[0]);
	const struct heard heard = hear();
	assert_true(heard.lost > SAMPLES && heard.samples > SAMPLES);
	assert_int_equal(heard.lost + heard.samples, SECONDS * SAMPLES + 20);
	assert_int_equal(heard.texts, SECONDS + 20);
	assert_int_equal(heard.chains, SECONDS + 20);
	assert_int_equal(heard.states, SECONDS + 20);
}

static char *whole_file(size_t *length)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	char *bytes = malloc((size_t)st.st_size);
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	*length = (size_t)st.st_size;
	return bytes;
}

static void put_file(const char *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, bytes, length), length);
	close(fd);
}

/* Cut at any byte it is a recording that was not ended; with any byte changed it is refused, or read up to there. What is given out is always what was recorded: read_back() looks. */
static void what_is_cut_or_changed_is_read_up_to_there(void **state)
{
	(void)state;
	struct nt_recording_end end;
	struct nt_error err;
	enum nt_status status;
	size_t length, before = 0;
	uint64_t seed = seed_of_rounds();
	struct nt_recorder *recorder = open_new(0);
	record(recorder, 20);
	nt_recorder_end(recorder);
	nt_recorder_free(recorder);
	char *bytes = whole_file(&length);
	for (size_t cut = 0; cut < length; cut += cut < 64 || cut + 64 > length ? 1 : 61) {
		put_file(bytes, cut);
		size_t ticks = read_back(&end, &status, NULL);
		assert_int_equal(status, cut < 32 ? NT_ERR_MALFORMED : NT_END);
		assert_true(!end.finished && ticks >= before);
		before = ticks;
	}
	assert_int_equal(before, 20);
	for (size_t i = 0; i < 500; i++) {
		size_t at = random_below(&seed, length);
		char was = bytes[at];
		bytes[at] ^= (char)(1 << random_below(&seed, 8));
		put_file(bytes, length);
		err = (struct nt_error){ 0 };
		size_t ticks = read_back(&end, &status, &err);
		/* A byte of the index, which says nothing of what was recorded, may be another. */
		assert_true(status < 0 ? err.cause_count > 0 : !end.finished || ticks == 20);
		bytes[at] = was;
	}
	free(bytes);
}

/* By name, of which version it is; there is nothing in it for this nettop. */
static void another_form_is_refused(void **state)
{
	(void)state;
	struct nt_recording_end end;
	struct nt_error err = { 0 };
	enum nt_status status;
	size_t length;
	struct nt_recorder *recorder = open_new(0);
	record(recorder, 3);
	nt_recorder_end(recorder);
	nt_recorder_free(recorder);
	char *bytes = whole_file(&length);
	bytes[28] = 77;
	put_file(bytes, length);
	read_back(&end, &status, &err);
	assert_int_equal(status, NT_ERR_UNSUPPORTED);
	assert_non_null(strstr(err.cause[0], "has events of format 77, of another nettop: this one reads format 1"));
	bytes[28] = 1;
	bytes[24] = 9;
	put_file(bytes, length);
	read_back(&end, &status, &err);
	assert_int_equal(status, NT_ERR_UNSUPPORTED);
	assert_non_null(strstr(err.cause[0], "is a recording of version 9"));
	free(bytes);
}

/* A frame of ticks alone, each of which would close an interval: 64 MB of them are some KB in the file. */
static void small_files_are_over_soon(void **state)
{
	(void)state;
	enum { TICKS = 1000000, EACH_NS = 1000000 };
	struct nt_recorder *recorder = open_new(0);
	nt_recorder_end(recorder);
	nt_recorder_free(recorder);
	size_t length, most = ZSTD_compressBound((size_t)TICKS * 16);
	char *begin = whole_file(&length), *packed = nt_alloc(most);
	struct nt_recording_put put;
	nt_recording_put_init(&put);
	for (uint64_t i = 1; i <= TICKS; i++)
		nt_recording_put_tick(&put, &(struct nt_tick){ .now = i * EACH_NS, .how = NT_TICK_CLOSE });
	size_t packed_length = ZSTD_compress(packed, most, put.out.bytes, put.out.length, 3);
	assert_false(ZSTD_isError(packed_length));
	assert_true(packed_length < 100000);
	char *file = nt_alloc(length + packed_length);
	size_t settings = length - 8 - NT_RECORDING_INDEX_BYTES; /* the index goes */
	memcpy(file, begin, settings);
	memcpy(file + settings, packed, packed_length);
	put_file(file, settings + packed_length);
	struct nt_recording_file *read = NULL;
	struct nt_recording_input input;
	struct nt_error err = { 0 };
	size_t ticks = 0;
	enum nt_status status;
	assert_int_equal(nt_recording_file_open(path, &read, &err), NT_OK);
	while ((status = nt_recording_file_next(read, &input, &err)) == NT_OK)
		ticks += input.what == NT_RECORDED_TICK;
	assert_int_equal(status, NT_ERR_MALFORMED);
	assert_non_null(strstr(err.cause[0], "more ticks than nettop writes"));
	assert_in_range(ticks, 1 << 17, (1 << 17) + 100000);
	nt_recording_file_free(read);
	nt_recording_put_fini(&put);
	free(file);
	free(packed);
	free(begin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_ended_is_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_there_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_ends_within_its_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_is_killed_leaves_whole_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_full_stays_readable, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_disk_that_takes_nothing_holds_up_nobody, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_cut_or_changed_is_read_up_to_there, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_form_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(small_files_are_over_soon, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
