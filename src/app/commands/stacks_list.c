// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/stacks_list.h"

#include "source/common/moment.h"
#include "source/perf/perf_tap.h"
#include "source/perf/tap_place.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* A line of what cannot be had: the sentence, and the one fix. */
static void put_lack(FILE *out, const struct nt_error *err)
{
	char text[2 * NT_ERROR_TEXT];
	fprintf(out, "  not here: %s%s%s\n", nt_error_reason(err, text, sizeof(text)), *err->fix ? "; " : "", err->fix);
}

/* Does the kernel tell this of nettop itself? What it takes for that it takes for any process that nettop may watch. */
static bool try(const char *word, struct nt_error *err)
{
	struct nt_moment_asked asked;
	struct nt_tap tap;
	struct nt_tap_target target = { .pid = (uint32_t)getpid(), .ns_pid = (uint32_t)getpid(), .uid = geteuid() };
	const struct nt_tap_wish wish = { .hz = 99, .ring_bytes = 16 << 10 };
	strcpy(target.proc_dir, "/proc/self");
	strcpy(target.root_dir, "/proc/self/root");
	if (nt_moment_parse(word, strlen(word), &asked, err) != NT_OK || nt_tap_open(&tap, &asked, &target, &wish, err) != NT_OK)
		return false;
	nt_tap_close(&tap);
	return true;
}

static void put_software(FILE *out)
{
	struct nt_error err = { 0 };
	const char *name, *about;
	fputs("The kernel's software events:\n", out);
	for (size_t i = 0; (name = nt_moment_software_name(i, &about)); i++)
		fprintf(out, "  %-32s %s\n", name, about);
	if (!try("page-faults", &err))
		put_lack(out, &err);
}

static void put_tracepoints(FILE *out)
{
	struct nt_error err = { 0 };
	fputs("\nTracepoints of the kernel, SYSTEM:NAME:\n"
	      "  sched:sched_switch               a thread leaves its CPU\n"
	      "  syscalls:sys_enter_openat        a file is opened; others: ls /sys/kernel/tracing/events\n",
	      out);
	if (!try("sched:sched_switch", &err))
		put_lack(out, &err);
}

static void put_calls(FILE *out)
{
	struct nt_error err = { 0 };
	fputs("\nFunctions of the program and its libraries, by the name or the path of the file:\n"
	      "  u:libc.so.6:malloc               it is called\n"
	      "  ur:libc.so.6:malloc              it returns\n",
	      out);
	if (!try("u:libc.so.6:malloc", &err))
		put_lack(out, &err);
}

static void put_runtime(FILE *out)
{
	fputs("\nEvents of the runtime, over its diagnostics port:\n", out);
	const struct nt_moment_runtime *event;
	for (size_t i = 0; (event = nt_moment_runtime_at(i)); i++) {
		fprintf(out, "  clr:%-28s %s", event->name, event->about);
		if (event->last_major != UINT_MAX)
			fprintf(out, " (up to .NET %u)", event->last_major);
		else if (event->first_major > 8)
			fprintf(out, " (.NET %u and later)", event->first_major);
		fputc('\n', out);
	}
}

static void put_waits(FILE *out)
{
	fprintf(out, "\nBlocked time, by each switch of the threads, or by looks from outside (.NET 10 and later):\n  %-32s %s\n",
		NT_MOMENT_WAIT_WORD, "ns in which a thread waits, not for a CPU, and the code that it waits in");
}

void nt_stacks_list(FILE *out)
{
	put_software(out);
	put_tracepoints(out);
	put_calls(out);
	put_runtime(out);
	put_waits(out);
}
