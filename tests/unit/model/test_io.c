// SPDX-License-Identifier: GPL-2.0-only
/* What a process reads and writes, and what it has open: from readings and looks to figures and rows. */
#include "build.h"

#include "model/io/io.h"

struct world {
	struct nt_model *model;
	struct feed procfs;
	struct nt_snapshot *s;
};

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	delivering(&w->procfs);
}

static void end(struct world *w)
{
	feed_fini(&w->procfs);
	nt_model_free(w->model);
}

static const struct nt_process_snapshot *close_interval(struct world *w, double at)
{
	feed_send(&w->procfs);
	w->s = close_at(w->model, at);
	return &w->s->processes[0];
}

static void reading(struct world *w, double at, uint64_t calls, uint64_t bytes)
{
	event(&w->procfs, NT_EV_IO, at, 0)->u.io =
		(struct nt_ev_io){ .read_count = calls, .read_bytes = bytes, .write_count = 7, .write_bytes = 70, .known = 1 };
}

static struct nt_ev_descriptor *found(struct world *w, double at, const char *what, uint32_t kind, uint32_t open, uint32_t opened)
{
	nt_str id = what ? text(&w->procfs, what) : 0;
	struct nt_ev_descriptor *told = &event(&w->procfs, NT_EV_DESCRIPTOR, at, 0)->u.descriptor;
	*told = (struct nt_ev_descriptor){ .what = id, .kind = kind, .open_count = open, .opened_count = opened };
	return told;
}

static struct nt_ev_descriptors *looked(struct world *w, double at)
{
	struct nt_ev_descriptors *told = &event(&w->procfs, NT_EV_DESCRIPTORS, at, 0)->u.descriptors;
	*told = (struct nt_ev_descriptors){ .hidden_known = 1, .threads_count = 3 };
	return told;
}

static const struct nt_io_row *row(const struct nt_process_snapshot *process, const char *what, enum nt_io_kind kind)
{
	for (size_t i = 0; i < process->io_count; i++) {
		const struct nt_io_row *at = &process->io[i];
		if (at->kind == kind && (what ? at->what && strcmp(at->what, what) == 0 : !at->what))
			return at;
	}
	return NULL;
}

static void test_readings(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w, 0, 100, 5000);
	reading(&w, 1000, 130, 6000);
	const struct nt_io_figures *io = &close_interval(&w, 1000)->interval.io;
	assert_known(io->read_count, 30);
	assert_known(io->read_bytes, 1000);
	assert_known(io->write_count, 0);
	assert_known(io->covered_ns, NT_NS_PER_S);
	reading(&w, 2000, 131, 6001);
	const struct nt_process_snapshot *process = close_interval(&w, 2000);
	assert_known(process->interval.io.read_count, 1);
	assert_known(process->total.io.read_count, 31);
	assert_known(process->total.io.covered_ns, 2 * NT_NS_PER_S);
	/* None in an interval: nothing is known of it, and the next reading is not taken for that of one. */
	assert_unknown(close_interval(&w, 3000)->interval.io.read_count);
	/* Numbers that fall are those of another program. */
	reading(&w, 3500, 10, 100);
	reading(&w, 4000, 12, 120);
	process = close_interval(&w, 4000);
	assert_known(process->interval.io.read_count, 2);
	assert_known(process->total.io.read_count, 2);
	/* It may not be read any more. */
	event(&w.procfs, NT_EV_IO, 4900, 0)->u.io = (struct nt_ev_io){ .refused = 1, .descriptor_count = 40 };
	io = &close_interval(&w, 5000)->interval.io;
	assert_unknown(io->read_count);
	/* What it has open may be countable all the same. */
	assert_known(io->descriptor_count, 40);
	assert_unknown(io->descriptor_limit);
	assert_non_null(strstr(io->why.reason, "CAP_SYS_PTRACE"));
	/* Nobody has refused it, it is not there: no right would help. */
	event(&w.procfs, NT_EV_IO, 5900, 0)->u.io = (struct nt_ev_io){ 0 };
	io = &close_interval(&w, 6000)->interval.io;
	assert_unknown(io->read_count);
	assert_null(strstr(io->why.reason, "CAP_SYS_PTRACE"));
	end(&w);
}

static void test_looks(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(process->io_count, 0);
	assert_unknown(process->interval.io.open_count);
	assert_non_null(strstr(process->interval.io.open_why.reason, "only while somebody looks"));

	found(&w, 1500, "/srv/orders", NT_IO_FILE, 3, 0);
	struct nt_ev_descriptor *blocked = found(&w, 1500, NULL, NT_IO_SOCKET, 10, 0);
	blocked->blocked_count = 2;
	blocked->blocked_tid = 9;
	blocked->blocked_since = ms(1200);
	looked(&w, 1500);
	process = close_interval(&w, 2000);
	assert_int_equal(process->io_count, 2);
	assert_null(process->interval.io.open_why.reason);
	assert_known(process->interval.io.open_count, 13);
	assert_known(process->interval.io.blocked_count, 2);
	const struct nt_io_row *socket = row(process, NULL, NT_IO_SOCKET);
	assert_known(socket->blocked_ns, 300 * NT_NS_PER_MS);
	assert_int_equal(socket->blocked_tid, 9);
	assert_true(socket->fresh);
	assert_unknown(row(process, "/srv/orders", NT_IO_FILE)->blocked_ns);

	/* Two looks in an interval; of the second a part was not looked at. */
	found(&w, 2200, "/srv/orders", NT_IO_FILE, 4, 1);
	looked(&w, 2200);
	found(&w, 2800, "/srv/orders", NT_IO_FILE, 6, 2);
	struct nt_ev_descriptors *end_of_look = looked(&w, 2800);
	end_of_look->hidden_count = 500;
	end_of_look->threads_hidden = 4;
	process = close_interval(&w, 3000);
	const struct nt_io_row *orders = row(process, "/srv/orders", NT_IO_FILE);
	assert_int_equal(orders->open_count, 6);
	assert_int_equal(orders->opened_count, 3);
	assert_false(orders->fresh);
	assert_known(process->interval.io.open_count, 506);
	assert_unknown(process->interval.io.blocked_count);
	assert_int_equal(process->io_hidden, 500);
	assert_int_equal(process->io_threads_hidden, 4);
	socket = row(process, NULL, NT_IO_SOCKET);
	assert_true(socket->ended);
	assert_int_equal(socket->open_count + socket->blocked_count, 0);
	assert_unknown(socket->blocked_ns);

	/* What has gone leaves after a while. */
	for (int i = 4; i < 20; i++) {
		found(&w, i * 1000 - 100, "/srv/orders", NT_IO_FILE, 6, 0);
		looked(&w, i * 1000 - 100);
		process = close_interval(&w, i * 1000);
	}
	assert_int_equal(process->io_count, 1);
	assert_int_equal(row(process, "/srv/orders", NT_IO_FILE)->opened_all, 3);

	/* Nobody looks any more. */
	nt_str reason = text(&w.procfs, "nobody looks");
	looked(&w, 19500)->reason = reason;
	process = close_interval(&w, 20000);
	assert_int_equal(process->io_count, 0);
	assert_unknown(process->interval.io.open_count);
	assert_string_equal(process->interval.io.open_why.reason, "nobody looks");
	end(&w);
}

static void test_rows_are_bounded(void **state_)
{
	(void)state_;
	struct world w;
	char name[32];
	begin(&w);
	for (int i = 0; i < NT_IO_ROWS + 5; i++) {
		snprintf(name, sizeof(name), "/f/%d", i);
		found(&w, 500, name, NT_IO_FILE, 1, 0);
	}
	found(&w, 500, "/what", 99, 1, 0); /* of no kind that there is */
	looked(&w, 500);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(process->io_count, NT_IO_ROWS);
	assert_int_equal(process->io_hidden, 5);
	end(&w);
}

/* Calls of one sort on `what`, each of which took as long as a bucket says. */
static struct nt_ev_calls *called(struct world *w, double at, const char *what, uint32_t kind, uint32_t call, uint64_t count)
{
	nt_str id = what ? text(&w->procfs, what) : 0;
	struct nt_ev_calls *calls = &event(&w->procfs, NT_EV_CALLS, at, 0)->u.calls;
	*calls = (struct nt_ev_calls){ .what = id, .kind = kind, .call = call, .count = count };
	calls->buckets[0] = (uint32_t)count;
	return calls;
}

static struct nt_ev_calls_told *calls_told(struct world *w, double from, double at)
{
	struct nt_ev_calls_told *told = &event(&w->procfs, NT_EV_CALLS_TOLD, at, 0)->u.calls_told;
	*told = (struct nt_ev_calls_told){ .from = ms(from), .told = 1 };
	return told;
}

static void test_calls(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_unknown(process->interval.io.call_count);
	assert_non_null(strstr(process->interval.io.calls_why.reason, "only while somebody looks"));

	/* On two descriptors of one file; how long they took is in two events. */
	struct nt_ev_calls *calls = called(&w, 2000, "/srv/orders", NT_IO_FILE, NT_IO_READ, 90);
	calls->bytes = 9000;
	calls->ns = 90000;
	calls->first = 8; /* 1024 ns and more */
	called(&w, 2000, "/srv/orders", NT_IO_FILE, NT_IO_READ, 0)->first = NT_IO_LATENCY_BUCKETS - 1;
	calls = called(&w, 2000, "/srv/orders", NT_IO_FILE, NT_IO_WRITE, 10);
	calls->bytes = 70;
	calls->error_count = 3;
	calls->again_count = 2;
	calls->first = 48; /* 1024 times as much */
	called(&w, 2000, "10.0.0.7:80", NT_IO_SOCKET, NT_IO_CONNECT, 1);
	called(&w, 2000, "/of/no/sort", NT_IO_FILE, NT_IO_CALL_COUNT, 1000);
	called(&w, 2000, "/of/no/kind", NT_IO_KIND_COUNT, NT_IO_READ, 1000);
	struct nt_ev_calls_told *told = calls_told(&w, 1250, 2000);
	told->unnamed_count = 4;
	told->lost_count = 5;
	process = close_interval(&w, 2000);
	assert_int_equal(process->io_count, 2);
	const struct nt_io_row *orders = row(process, "/srv/orders", NT_IO_FILE);
	assert_int_equal(orders->calls.count[NT_IO_READ], 90);
	assert_int_equal(orders->calls.count[NT_IO_WRITE], 10);
	assert_int_equal(orders->calls.read_bytes, 9000);
	assert_int_equal(orders->calls.written_bytes, 70);
	assert_int_equal(orders->calls.error_count, 3);
	assert_int_equal(orders->calls.again_count, 2);
	assert_false(orders->ended);
	assert_known(orders->p50_ns, 1024 + 128);
	assert_known(orders->p99_ns, (1024 + 128) << 10);
	const struct nt_io_figures *io = &process->interval.io;
	assert_known(io->calls_covered_ns, 750 * NT_NS_PER_MS);
	assert_known(io->call_count, 101);
	assert_known(io->call_error_count, 3);
	assert_known(io->call_unnamed_count, 4);
	assert_known(io->call_lost_count, 5);
	assert_null(io->calls_why.reason);

	/* A look finds it under the same name; what was only called goes after a while. */
	for (int i = 3; i < 20; i++) {
		found(&w, i * 1000 - 100, "/srv/orders", NT_IO_FILE, 6, 0);
		looked(&w, i * 1000 - 100);
		calls_told(&w, i * 1000 - 1000, i * 1000);
		process = close_interval(&w, i * 1000);
	}
	assert_int_equal(process->io_count, 1);
	orders = row(process, "/srv/orders", NT_IO_FILE);
	assert_int_equal(orders->open_count, 6);
	assert_int_equal(nt_io_calls_count(&orders->calls), 0);
	assert_int_equal(nt_io_calls_count(&orders->calls_all), 100);
	assert_known(process->interval.io.call_count, 0);
	assert_known(process->total.io.call_count, 101);

	/* It was too dear: what was counted stays. */
	nt_str reason = text(&w.procfs, "too dear"), fix = text(&w.procfs, "pay more");
	*calls_told(&w, 19500, 19500) = (struct nt_ev_calls_told){ .reason = reason, .fix = fix };
	process = close_interval(&w, 20000);
	assert_unknown(process->interval.io.call_count);
	assert_string_equal(process->interval.io.calls_why.reason, "too dear");
	assert_string_equal(process->interval.io.calls_why.fix, "pay more");
	assert_known(process->total.io.call_count, 101);
	end(&w);
}

/* Its operations are no calls: that is said as long as it is there. */
static void test_a_ring_is_no_call(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	found(&w, 500, "io_uring", NT_IO_OTHER, 2, 0);
	looked(&w, 500);
	calls_told(&w, 0, 500);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_non_null(strstr(process->interval.io.calls_lack.reason, "io_uring"));
	assert_non_null(process->total.io.calls_lack.reason);
	found(&w, 1500, "/io_uring", NT_IO_FILE, 1, 0);
	looked(&w, 1500);
	calls_told(&w, 500, 1500);
	process = close_interval(&w, 2000);
	assert_null(process->interval.io.calls_lack.reason);
	end(&w);
}

static void test_calls_beyond_the_rows(void **state_)
{
	(void)state_;
	struct world w;
	char name[32];
	begin(&w);
	for (int i = 0; i < NT_IO_ROWS + 5; i++) {
		snprintf(name, sizeof(name), "/f/%d", i);
		called(&w, 500, name, NT_IO_FILE, NT_IO_READ, 1);
	}
	calls_told(&w, 0, 500);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(process->io_count, NT_IO_ROWS);
	assert_known(process->interval.io.call_count, NT_IO_ROWS + 5);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readings),          cmocka_unit_test(test_looks),
		cmocka_unit_test(test_rows_are_bounded),  cmocka_unit_test(test_calls),
		cmocka_unit_test(test_a_ring_is_no_call), cmocka_unit_test(test_calls_beyond_the_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
