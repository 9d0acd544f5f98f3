// SPDX-License-Identifier: GPL-2.0-only
/* Methods in which threads wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/wait_method.h"

#include <string.h>

/* What is not in order would not be found. */
static void test_the_table_is_in_order(void **state)
{
	(void)state;
	static const char *const names[] = {
#define WAIT(name, part, kind) name,
#include "decode/names/wait_method.def"
#undef WAIT
	};
	for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(strcmp(names[i - 1], names[i]) < 0);
}

static void test_names(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum nt_wait_part part;
		enum nt_wait_kind kind;
	} cases[] = {
		{ "System.Threading.Monitor.Wait(Object, int)", NT_WAIT_PART_MEANS, NT_WAIT_PULSE },
		{ "System.Threading.Monitor.Enter(object, ref bool)", NT_WAIT_PART_MEANS, NT_WAIT_MONITOR },
		{ "System.Threading.Lock.EnterAndGetCurrentThreadId()", NT_WAIT_PART_MEANS, NT_WAIT_LOCK },
		{ "System.Threading.Tasks.Task<int>.GetResultCore(bool)", NT_WAIT_PART_MEANS, NT_WAIT_TASK },
		{ "System.Threading.Tasks.Task`1[System.Int32].GetResultCore(bool)", NT_WAIT_PART_NONE, NT_WAIT_UNKNOWN },
		{ "System.Runtime.CompilerServices.TaskAwaiter<System.Collections.Generic.List<int>>.GetResult()", NT_WAIT_PART_MEANS,
		  NT_WAIT_TASK },
		{ "System.Threading.Tasks.Task.Run(Action)", NT_WAIT_PART_NONE, NT_WAIT_UNKNOWN },
		{ "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()", NT_WAIT_PART_LOOP, NT_WAIT_IDLE },
		{ "System.Net.Sockets.Socket.Accept()", NT_WAIT_PART_MEANS, NT_WAIT_IDLE },
		{ "System.Net.Sockets.Socket.Receive(byte[])", NT_WAIT_PART_MEANS, NT_WAIT_SOCKET },
		{ "exc_page_fault", NT_WAIT_PART_FINAL, NT_WAIT_FAULT },
		{ "epoll_wait@@GLIBC_2.3.2", NT_WAIT_PART_MEANS, NT_WAIT_POLL },
		{ "Shop.System.Threading.Monitor.Wait()", NT_WAIT_PART_NONE, NT_WAIT_UNKNOWN },
		{ "<Main>$", NT_WAIT_PART_NONE, NT_WAIT_UNKNOWN },
		{ "", NT_WAIT_PART_NONE, NT_WAIT_UNKNOWN },
		{ NULL, NT_WAIT_PART_NONE, NT_WAIT_UNKNOWN },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_wait_method method = nt_wait_method_of(cases[i].name);
		assert_int_equal(method.part, cases[i].part);
		assert_int_equal(method.kind, cases[i].kind);
	}
}

/* Names are what the target says. */
static void test_a_long_name(void **state)
{
	(void)state;
	char name[1000];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(nt_wait_method_of(name).part, NT_WAIT_PART_NONE);
	name[126] = '(';
	assert_int_equal(nt_wait_method_of(name).part, NT_WAIT_PART_NONE);
	name[125] = '.';
	assert_int_equal(nt_wait_method_of(name).part, NT_WAIT_PART_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_table_is_in_order),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_a_long_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
