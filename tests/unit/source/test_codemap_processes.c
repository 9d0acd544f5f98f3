// SPDX-License-Identifier: GPL-2.0-only
/* The code map of two processes: each is read by itself, and what is said of one has nothing to do with the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

enum { OTHER_PID = FIXTURE_PID + 1, LONG_S = 20 };

/* What was said of the two: the names of the lines of their maps, one after the other. */
struct said {
	char lines[2][256];
	bool mapped[2];
};

static void see(struct said *said, const struct nt_batch *batch)
{
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		assert_int_equal(event->pid, batch->pid); /* else its ids would mean nothing */
		assert_true(event->pid == FIXTURE_PID || event->pid == OTHER_PID);
		size_t which = event->pid == OTHER_PID;
		said->mapped[which] |= event->kind == NT_EV_MAP;
		for (size_t k = 0; event->kind == NT_EV_CODE && !event->u.code.map && k < event->u.code.count; k++) {
			const struct nt_batch_line *line = &batch->lines[event->u.code.first + k];
			size_t used = strlen(said->lines[which]);
			snprintf(said->lines[which] + used, sizeof(said->lines[which]) - used, "%.*s;", (int)line->length,
				 batch->bytes + line->offset);
		}
	}
}

/* Until that was said of the two. */
static void await(struct fixture *f, struct said *said, const char *first, const char *other)
{
	nt_time deadline = nt_clock_now() + LONG_S * NT_NS_PER_S;
	struct nt_error err = { 0 };
	struct nt_batch *batch;
	while ((strcmp(said->lines[0], first) != 0 || strcmp(said->lines[1], other) != 0) && nt_clock_now() < deadline) {
		struct pollfd news = { .fd = nt_source_codemap.fd(f->source), .events = POLLIN };
		poll(&news, 1, 20);
		while (nt_source_codemap.drain(f->source, 64, &batch, &err) == NT_OK) {
			see(said, batch);
			nt_source_codemap.give_back(f->source, batch);
		}
	}
	assert_string_equal(said->lines[0], first);
	assert_string_equal(said->lines[1], other);
}

static void each_has_its_own(void **state)
{
	(void)state;
	struct fixture *f = fixture_new(), *other = fixture_new();
	struct said said = { 0 };
	struct nt_error err = { 0 };
	other->target.pid = OTHER_PID;
	fixture_write(f->map_path, O_CREAT, "1000 100 void [App] Shop::Sell()[Tier0]\n");
	fixture_write(other->map_path, O_CREAT, "1000 100 void [App] Bank::Pay()[Tier0]\n");
	fixture_start(f);
	assert_int_equal(nt_source_codemap.add(f->source, &f->target, &err), NT_ERR_UNSUPPORTED);
	assert_int_equal(nt_source_codemap.add(f->source, &other->target, &err), NT_OK);
	await(f, &said, "void [App] Shop::Sell()[Tier0];", "void [App] Bank::Pay()[Tier0];");
	assert_true(said.mapped[0] && said.mapped[1]);
	/* One is let go: the other goes on. */
	nt_source_codemap.remove(f->source, FIXTURE_PID);
	fixture_write(other->map_path, O_APPEND, "1100 100 void [App] Bank::Close()[Tier0]\n");
	await(f, &said, "void [App] Shop::Sell()[Tier0];", "void [App] Bank::Pay()[Tier0];void [App] Bank::Close()[Tier0];");
	fixture_free(f);
	fixture_free(other);
}

/* A question goes to whoever knows the process. */
static void questions_are_about_one_of_them(void **state)
{
	(void)state;
	struct fixture *f = fixture_new(), *other = fixture_new();
	struct nt_error err = { 0 };
	other->target.pid = OTHER_PID;
	fixture_start(f);
	assert_int_equal(nt_source_codemap.add(f->source, &other->target, &err), NT_OK);
	const struct nt_question questions[] = { { .pid = OTHER_PID, .offset = 16, .image = "[vdso]" },
						 { .pid = OTHER_PID + 1, .offset = 16, .image = "[vdso]" } };
	assert_int_equal(nt_source_codemap.ask(f->source, questions, 2), 1);
	nt_time deadline = nt_clock_now() + LONG_S * NT_NS_PER_S;
	struct nt_batch *batch;
	for (uint32_t answered = 0; !answered && nt_clock_now() < deadline;) {
		while (nt_source_codemap.drain(f->source, 64, &batch, &err) == NT_OK) {
			for (size_t i = 0; i < batch->event_count; i++)
				answered = batch->events[i].kind == NT_EV_NAME ? batch->events[i].pid : answered;
			nt_source_codemap.give_back(f->source, batch);
		}
		assert_true(!answered || answered == OTHER_PID);
		assert_true(nt_clock_now() < deadline);
		poll(NULL, 0, 5);
	}
	fixture_free(f);
	fixture_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_has_its_own), cmocka_unit_test(questions_are_about_one_of_them) };
	return cmocka_run_group_tests_name("codemap_processes", tests, NULL, NULL);
}
