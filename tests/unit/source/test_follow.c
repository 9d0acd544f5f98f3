// SPDX-License-Identifier: GPL-2.0-only
/* From a command to the .NET program that comes of it: what is a launcher, who is looked at, and who decides first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/launch/dotnet_command.h"
#include "target/launch/follow.h"

#define CLR        "7f0000000000-7f0000001000 r-xp 00000000 08:01 7 /usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so\n"
#define SDK        "/usr/share/dotnet/sdk/10.0.100/"
#define LINE(text) text, sizeof(text)

enum { COMMAND = 100, CHILD = 110, GRANDCHILD = 120, STRANGER = 900 };

static void make_stat(const struct fake_proc *proc, unsigned pid, unsigned parent, unsigned threads)
{
	char *text =
		nt_format("%u (x) S %u %u %u 0 -1 0 1 2 3 4 5 6 0 0 20 0 %u 0 %u 1000 10 0\n", pid, parent, pid, pid, threads, 5000 + pid);
	fake_proc_text(proc, pid, "stat", text);
	free(text);
}

/* `children`: of the command's only thread, as the kernel lists them. */
static void make_process(const struct fake_proc *proc, unsigned pid, unsigned parent, const char *cmdline, size_t length, const char *maps,
			 const char *children)
{
	make_stat(proc, pid, parent, 2);
	char *status = nt_format("Uid:\t%u\t%u\t%u\t%u\nNSpid:\t%u\n", getuid(), getuid(), getuid(), getuid(), pid);
	fake_proc_text(proc, pid, "status", status);
	free(status);
	fake_proc_bytes(proc, pid, "cmdline", cmdline, length);
	fake_proc_text(proc, pid, "maps", maps);
	fake_proc_text(proc, pid, "environ", "");
	char *path = nt_format("task/%u/children", pid);
	fake_proc_text(proc, pid, path, children);
	free(path);
}

/* A script that builds with a compiler of the SDK and then starts the program. */
static void make_family(const struct fake_proc *proc)
{
	make_process(proc, COMMAND, 1, LINE("sh\0start.sh"), "", "110 111 ");
	make_process(proc, CHILD, COMMAND, LINE("dotnet\0run"), CLR, "120 ");
	make_process(proc, 111, COMMAND, LINE("dotnet\0" SDK "MSBuild.dll\0/nodemode:1"), CLR, "");
	make_process(proc, GRANDCHILD, CHILD,
		     LINE("/home/me/bin/App\0--port\0"
			  "80"),
		     CLR, "");
	make_process(proc, STRANGER, 1, LINE("dotnet\0Other.dll"), CLR, "");
}

static void expect(struct nt_follow *follow, uint32_t pid)
{
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	if (nt_follow_look(follow, &target, &err) != NT_OK)
		fail_msg("nobody: %s", err.cause[0]);
	assert_int_equal(target->pid, pid);
	assert_int_equal(nt_follow_chosen(follow), pid);
	nt_target_free(target);
}

static void expect_nobody(struct nt_follow *follow)
{
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_follow_look(follow, &target, &err), NT_AGAIN);
	assert_null(target);
	assert_int_equal(nt_follow_chosen(follow), 0);
}

static void test_command_lines(void **state)
{
	(void)state;
	static const struct {
		const char *line; /* words separated by blanks */
		bool sdk;
	} cases[] = {
		{ "dotnet run", true },
		{ "/usr/bin/dotnet run --project App.csproj", true },
		{ "dotnet test", true },
		{ "dotnet run -- x.dll", true },
		{ "dotnet " SDK "MSBuild.dll /nodemode:1", true },
		{ "dotnet exec --depsfile x.json " SDK "Roslyn/bincore/VBCSCompiler.dll -pipename:1", true },
		{ SDK "Roslyn/bincore/VBCSCompiler -pipename:1", true },
		{ "dotnet App.dll", false },
		{ "dotnet App.dll run", false },
		{ "dotnet exec App.dll", false },
		{ "dotnet --roll-forward Major App.dll " SDK "MSBuild.dll", false },
		{ "dotnet", false },
		{ "/srv/app run", false },
		{ "/srv/sdk/app", false },
		{ "sh dotnet run", false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[256];
		size_t length = strlen(cases[i].line) + 1;
		memcpy(line, cases[i].line, length);
		for (size_t c = 0; c < length; c++)
			line[c] = line[c] == ' ' ? '\0' : line[c];
		if (nt_dotnet_is_sdk(line, length) != cases[i].sdk)
			fail_msg("'%s' %s of the SDK", cases[i].line, cases[i].sdk ? "is" : "is not");
		for (size_t cut = 0; cut < length; cut++) /* whoever writes it may be half done: no byte beyond is read */
			nt_dotnet_is_sdk(line, cut);
	}
}

static void test_program_in_the_commands_own_process(void **state)
{
	(void)state;
	char dotnet[] = "/usr/bin/dotnet", dll[] = "App.dll", exec[] = "exec", run[] = "run", shell[] = "sh";
	assert_true(nt_dotnet_is_program((char *[]){ dotnet, dll, NULL }));
	assert_true(nt_dotnet_is_program((char *[]){ dotnet, exec, dll, NULL }));
	assert_false(nt_dotnet_is_program((char *[]){ dotnet, run, NULL }));
	assert_false(nt_dotnet_is_program((char *[]){ dotnet, NULL }));
	assert_false(nt_dotnet_is_program((char *[]){ shell, dll, NULL }));
}

static void test_the_program_behind_launchers(void **state)
{
	struct fake_proc *proc = *state;
	make_family(proc);
	struct nt_follow *follow = nt_follow_new(proc->root, COMMAND);
	expect(follow, GRANDCHILD);
	expect(follow, GRANDCHILD);
	nt_follow_drop(follow);
}

static void test_a_runtime_that_is_not_up_yet(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, COMMAND, 1, LINE("dotnet\0App.dll"), "", "");
	struct nt_follow *follow = nt_follow_new(proc->root, COMMAND);
	expect_nobody(follow);
	fake_proc_text(proc, COMMAND, "maps", CLR);
	make_stat(proc, COMMAND, 1, 1); /* no thread yet: libcoreclr is being loaded */
	expect_nobody(follow);
	make_stat(proc, COMMAND, 1, 2);
	expect(follow, COMMAND);
	nt_follow_drop(follow);
}

static void test_an_event_decides_first(void **state)
{
	struct fake_proc *proc = *state;
	make_family(proc);
	struct nt_follow *follow = nt_follow_new(proc->root, COMMAND);
	assert_false(nt_follow_ask(follow, STRANGER));
	assert_false(nt_follow_ask(follow, CHILD)); /* of the SDK */
	assert_false(nt_follow_ask(follow, 4242));  /* gone */
	assert_int_equal(nt_follow_chosen(follow), 0);
	assert_true(nt_follow_ask(follow, GRANDCHILD));
	assert_true(nt_follow_ask(follow, GRANDCHILD));
	assert_false(nt_follow_ask(follow, COMMAND));
	expect(follow, GRANDCHILD);
	nt_follow_drop(follow);
}

static void test_the_chosen_one_has_ended(void **state)
{
	struct fake_proc *proc = *state;
	make_family(proc);
	struct nt_follow *follow = nt_follow_share(nt_follow_new(proc->root, COMMAND));
	nt_follow_drop(follow); /* one of two */
	expect(follow, GRANDCHILD);
	fake_proc_text(proc, GRANDCHILD, "stat", "120 (x) Z 110 120 120 0 -1 0 1 2 3 4 5 6 0 0 20 0 1 0 5120 1000 10 0\n");
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	assert_true(nt_follow_look(follow, &target, &err) < 0);
	assert_non_null(strstr(err.cause[0], "120"));
	nt_follow_drop(follow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command_lines),
		cmocka_unit_test(test_program_in_the_commands_own_process),
		cmocka_unit_test_setup_teardown(test_the_program_behind_launchers, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_a_runtime_that_is_not_up_yet, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_an_event_decides_first, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_the_chosen_one_has_ended, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
