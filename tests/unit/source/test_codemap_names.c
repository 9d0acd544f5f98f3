// SPDX-License-Identifier: GPL-2.0-only
/* Mappings and questions: this test program is the target, its own functions are the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_questions.h"
#include "hanging_mount.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/* A C++ function in all but its compiler. */
int cxx_function(int n) __asm__("_ZN3SVR7gc_heap10plan_phaseEi");
__attribute__((noinline)) int cxx_function(int n)
{
	return n * 3 + 1;
}

static void test_mappings(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_start(f);
	size_t two = 2;
	for (nt_time until = nt_clock_now() + 20 * NT_NS_PER_S; fixture_count(f, 0, NT_EV_MAP) < two && nt_clock_now() < until;)
		fixture_drain(f);
	assert_int_equal(fixture_count(f, 0, NT_EV_MAP), 2); /* the executable ones */
	const struct seen *jit = fixture_last(f, 0, NT_EV_MAP);
	assert_int_equal(jit->event.u.map.flags, NT_MAP_JIT);
	assert_int_equal(jit->event.u.map.start, 0x7f0000100000);
	assert_int_equal(jit->event.u.map.length, 0x100000);
	const char *image;
	const struct nt_ev_map *file = map_of(f, 0x7f0000000000, &image);
	assert_string_equal(image, "/app/libcoreclr.so");
	assert_int_equal(file->flags, NT_MAP_FILE);
	assert_int_equal(file->inode, 77);
	assert_int_equal(file->file_offset, 0x1000);
	/* A new one is reported, the known ones are not reported again. */
	size_t seen = f->seen_count;
	fixture_shell(f, "echo '7f0000300000-7f0000310000 r-xp 00000000 08:01 78 /app/libnew.so (deleted)' >> proc/maps");
	for (nt_time until = nt_clock_now() + 20 * NT_NS_PER_S; !fixture_count(f, seen, NT_EV_MAP) && nt_clock_now() < until;)
		fixture_drain(f);
	assert_int_equal(fixture_count(f, seen, NT_EV_MAP), 1);
	assert_int_equal(fixture_last(f, seen, NT_EV_MAP)->event.u.map.flags, NT_MAP_FILE | NT_MAP_DELETED);
	assert_string_equal(fixture_last(f, seen, NT_EV_MAP)->text[0], "/app/libnew.so");
	fixture_free(f);
}

static void test_own_functions(void **state)
{
	(void)state;
	struct fixture *f = watch_self();
	struct nt_question question = question_for(f, (uintptr_t)test_own_functions + 5);
	const struct seen *answer = ask(f, &question);
	assert_string_equal(answer->text[1], "test_own_functions");
	assert_int_equal(answer->event.u.name.start, question.offset - 5);
	assert_int_equal(answer->event.u.name.kind, NT_CODE_NATIVE);
	question = question_for(f, (uintptr_t)cxx_function);
	assert_string_equal(ask(f, &question)->text[1], "SVR::gc_heap::plan_phase(int)");
	/* The same through the path, where map_files is not allowed or the mapping is gone. */
	question.map_start = question.map_end = 0;
	assert_string_equal(ask(f, &question)->text[1], "SVR::gc_heap::plan_phase(int)");
	fixture_free(f);
}

/* What the last samples hit is asked for when the target has ended: its root is gone then, but its files are ours. */
static void test_target_that_has_ended(void **state)
{
	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child)
		for (;;)
			pause();
	struct fixture *f = fixture_new();
	free(f->target.proc_dir);
	free(f->target.root_dir);
	f->target.proc_dir = nt_format("/proc/%d", (int)child);
	f->target.root_dir = nt_format("/proc/%d/root", (int)child);
	fixture_start(f);
	fixture_wait(f, 0, questions_has_vdso, NULL);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	struct nt_question question = question_for(f, (uintptr_t)cxx_function);
	assert_string_equal(ask(f, &question)->text[1], "SVR::gc_heap::plan_phase(int)");
	fixture_free(f);
}

/* The entries stand at the begin of the code: question by question from there. */
static void test_plt(void **state)
{
	(void)state;
	struct fixture *f = watch_self();
	struct nt_question question = question_for(f, (uintptr_t)test_plt);
	question.offset -= (uintptr_t)test_plt - question.map_start;
	uint64_t limit = question.offset + (question.map_end - question.map_start);
	const struct seen *answer = ask(f, &question);
	while (strcmp(answer->text[1], "mkdtemp@plt") != 0) {
		assert_true(answer->event.u.name.end < limit);
		question.offset = answer->event.u.name.end;
		answer = ask(f, &question);
	}
	uint64_t size = answer->event.u.name.end - answer->event.u.name.start;
	assert_true(size == 8 || size == 16);
	assert_int_equal(answer->event.u.name.kind, NT_CODE_NATIVE);
	assert_int_equal(answer->event.u.name.naming, NT_NAMING_NAMED);
	fixture_free(f);
}

static void test_vdso(void **state)
{
	(void)state;
	if (!getauxval(AT_SYSINFO_EHDR))
		skip();
	struct fixture *f = watch_self();
	const char *image;
	const struct nt_ev_map map = *map_of(f, getauxval(AT_SYSINFO_EHDR), &image);
	assert_true(map.flags & NT_MAP_VDSO);
	bool found = false;
	for (uint64_t offset = 0; offset < map.length && !found;) {
		const struct seen *answer = ask(f, &(struct nt_question){ .pid = FIXTURE_PID, .offset = offset, .image = "[vdso]" });
		found = strcmp(answer->text[1], "__vdso_clock_gettime") == 0;
		offset = answer->event.u.name.end;
	}
	assert_true(found);
	fixture_free(f);
}

static void test_kernel(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_shell(f, "printf '%%s\\n' 'ffffffff81000000 T _stext' 'ffffffff81000100 t helper' 'ffffffff81000100 T do_work' "
			 "'ffffffff81000180 D some_data' 'ffffffff81000200 t last' 'ffffffffc0001000 t mod_begin\t[mod]' "
			 "'ffffffffc0001100 t mod_end\t[mod]' > proc/kallsyms");
	char path[128];
	snprintf(path, sizeof(path), "%s/proc", f->dir);
	f->config.proc_root = path;
	fixture_start(f);
	struct nt_question question = { .pid = FIXTURE_PID, .offset = 0xffffffff81000190, .image = "[kernel]" };
	const struct seen *answer = ask(f, &question);
	assert_string_equal(answer->text[1], "do_work");
	assert_int_equal(answer->event.u.name.start, 0xffffffff81000100);
	assert_int_equal(answer->event.u.name.end, 0xffffffff81000200);
	assert_int_equal(answer->event.u.name.kind, NT_CODE_KERNEL);
	question.offset = 0xffffffffc0001080; /* of a module */
	assert_string_equal(ask(f, &question)->text[1], "mod_begin");
	question.offset = 0xffffffff80000000;
	assert_string_equal(ask(f, &question)->text[2], "no function of the kernel covers this place");
	question.offset = 0xffffffffc0000000; /* far behind the last one */
	assert_string_equal(ask(f, &question)->text[2], "no function of the kernel covers this place");
	fixture_free(f);
}

static void test_hidden_kernel_addresses(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_shell(f, "printf '%%s\\n' '0000000000000000 T _stext' '0000000000000000 t helper' > proc/kallsyms");
	char path[128];
	snprintf(path, sizeof(path), "%s/proc", f->dir);
	f->config.proc_root = path;
	fixture_start(f);
	const struct seen *answer = ask(f, &(struct nt_question){ .pid = FIXTURE_PID, .offset = 0xffffffff81000190, .image = "[kernel]" });
	assert_ptr_equal(strstr(answer->text[2], "no names of kernel functions: kernel addresses are hidden"), answer->text[2]);
	assert_non_null(strstr(answer->text[2], "; sudo sysctl kernel.kptr_restrict="));
	fixture_free(f);
}

static void test_image_faults(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_start(f);
	fixture_shell(f,
		      "printf 'MZ..managed' > root/app/Shop.dll; echo text > root/app/text; cp /proc/%d/exe root/app/replaced; "
		      "mkfifo root/app/fifo; ln -s text root/app/link; : > root/app/empty",
		      (int)getpid());

	struct nt_question question = question_of_file(f, "/app/Shop.dll", 4);
	const struct seen *answer = ask(f, &question);
	assert_string_equal(answer->text[2], "no managed image: Shop.dll");
	assert_int_equal(answer->event.u.name.kind, NT_CODE_UNKNOWN);
	assert_int_equal(answer->event.u.name.end, 11);

	question = question_of_file(f, "/app/text", 4);
	assert_string_equal(ask(f, &question)->text[2], "no ELF image: text");
	question = question_of_file(f, "/app/empty", 4);
	assert_string_equal(ask(f, &question)->text[2], "no ELF image: empty");
	question = question_of_file(f, "/app/replaced", 4096);
	question.inode += 1000000;
	assert_string_equal(ask(f, &question)->text[2], "image replaced on disk since start");
	question = question_of_file(f, "/app/fifo", 0);
	assert_string_equal(ask(f, &question)->text[2], "image not read: it is a FIFO");
	question = question_of_file(f, "/app/link", 0);
	assert_string_equal(ask(f, &question)->text[2], "image not read: it is a symbolic link");
	question = (struct nt_question){ .pid = FIXTURE_PID, .inode = 1, .image = "/app/gone.so" };
	assert_string_equal(ask(f, &question)->text[2], "image deleted on disk since start");
	question = (struct nt_question){ .pid = FIXTURE_PID, .image = "/memfd:doublemapper" };
	assert_string_equal(ask(f, &question)->text[2], "generated code without a line in the perf map");
	fixture_free(f);
}

static void test_image_of_another_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	struct fixture *f = fixture_new();
	fixture_start(f);
	fixture_shell(f, "cp /proc/%d/exe root/app/theirs && chown 54321 root/app/theirs", (int)getpid());
	struct nt_question question = question_of_file(f, "/app/theirs", 4096);
	assert_string_equal(ask(f, &question)->text[2], "image not read: it belongs to uid 54321, not to the target's user or root");
	fixture_free(f);
}

static bool has_sentence(const struct fixture *f, size_t from, const void *what)
{
	const struct seen *seen = fixture_last(f, from, NT_EV_SOURCE_STATE);
	return seen && strcmp(seen->text[0], what) == 0;
}

static void test_file_system_that_hangs(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	char where[128];
	snprintf(where, sizeof(where), "%s/root/tmp", f->dir);
	int server = hanging_mount(where);
	if (server < 0) {
		fixture_free(f);
		skip();
	}
	fixture_start(f);
	fixture_wait(f, 0, has_sentence, "perf map /tmp/perf-7.map unreadable: timed out");
	assert_int_equal(fixture_count(f, 0, NT_EV_MAP), 2); /* the rest goes on */
	const struct seen *answer =
		ask(f, &(struct nt_question){ .pid = FIXTURE_PID, .inode = 5, .image = "/tmp/libhangs.so", .offset = 4096 });
	assert_string_equal(answer->text[2], "image unreadable: timed out");
	answer = ask(f, &(struct nt_question){ .pid = FIXTURE_PID, .image = "[vdso]" });
	assert_non_null(answer);
	nt_time before = nt_clock_now();
	nt_source_codemap.close(f->source);
	f->source = NULL;
	assert_true(nt_clock_now() - before < 10 * NT_NS_PER_S); /* though threads still hang */
	hanging_unmount(server, where);
	fixture_free(f);
}

/* While no file can be opened, no process can be had: that is the reason for now, and nobody has to ask again. */
static void test_no_decoder_for_now(void **state)
{
	(void)state;
	struct fixture *f = watch_self();
	struct nt_question question = question_for(f, (uintptr_t)test_no_decoder_for_now + 5);
	struct rlimit before;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	int next = dup(STDERR_FILENO);
	close(next);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)next, before.rlim_max }), 0);
	const struct seen *answer = ask(f, &question);
	assert_string_equal(answer->text[2], "image not read: the process for it cannot be started");
	assert_int_equal(answer->event.u.name.end, question.offset + 1); /* its neighbours are asked for */
	size_t seen = f->seen_count, one = 1;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	fixture_wait(f, seen, questions_has_names, &one);
	assert_string_equal(fixture_last(f, seen, NT_EV_NAME)->text[1], "test_no_decoder_for_now");
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mappings),
		cmocka_unit_test(test_own_functions),
		cmocka_unit_test(test_target_that_has_ended),
		cmocka_unit_test(test_no_decoder_for_now),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_hidden_kernel_addresses),
		cmocka_unit_test(test_image_faults),
		cmocka_unit_test(test_image_of_another_user),
		cmocka_unit_test(test_file_system_that_hangs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
