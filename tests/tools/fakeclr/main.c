// SPDX-License-Identifier: GPL-2.0-only
/*
 * fakeclr: the stand-in for a .NET program (README.md beside this file). Obeys one command per line of standard input until `quit` or its end, and answers each with one
 * JSON line, as tests/live/workload does.  usage: fakeclr [COMMAND...]    these first, then standard input
 *        fakeclr --play    some of everything until it is killed, with the settings that a target of nettop should have
 */
#include "fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 1024 };

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	nanosleep(&t, NULL);
}

/* False: not a command. */
static bool work(struct fake *fake, const char *verb, const long n[3])
{
	if (strcmp(verb, "compute") == 0)
		fake_compute(fake, n[0]);
	else if (strcmp(verb, "compute-tiers") == 0)
		fake_compute_tiers(fake, n[0], n[1], n[2]);
	else if (strcmp(verb, "alloc") == 0 || strcmp(verb, "loh") == 0)
		fake_allocate(fake, n[0], strcmp(verb, "loh") == 0);
	else if (strcmp(verb, "gc") == 0)
		fake_collect(fake, (unsigned)n[0]);
	else if (strcmp(verb, "gc-background") == 0)
		fake_collect_background(fake);
	else if (strcmp(verb, "jit-expr") == 0)
		fake_compile(fake, FAKE_EXPRESSION, n[0]);
	else if (strcmp(verb, "jit-dynamic") == 0)
		fake_compile(fake, FAKE_DYNAMIC, n[0]);
	else if (strcmp(verb, "generics") == 0)
		fake_compile(fake, FAKE_GENERIC, n[0]);
	else if (strcmp(verb, "throw") == 0)
		fake_throw(fake, n[0]);
	else if (strcmp(verb, "locks") == 0)
		fake_contend(fake, n[0]);
	else if (strcmp(verb, "pool") == 0 || strcmp(verb, "async") == 0)
		fake_pool(fake, n[0]);
	else if (strcmp(verb, "starve") == 0)
		fake_starve(fake, n[0], n[1]);
	else if (strcmp(verb, "threads") == 0)
		fake_threads(fake, n[0]);
	else if (strcmp(verb, "churn") == 0)
		fake_churn(fake, n[0]);
	else if (strcmp(verb, "flood") == 0)
		fake_flood(fake, n[0]);
	else if (strcmp(verb, "idle") == 0)
		sleep_ms(n[0]);
	else
		return false;
	return true;
}

/* Answers one command; false after `quit`. */
static bool obey(struct fake *fake, const char *line)
{
	char verb[32] = "", rest[64] = "";
	long n[3] = { 1, 500, 500 };
	if (sscanf(line, "%31s %63s", verb, rest) < 1)
		return true;
	sscanf(line, "%*s %ld %ld %ld", &n[0], &n[1], &n[2]);
	if (strcmp(verb, "quit") == 0)
		return false;
	uint64_t start = now_ns();
	if (strcmp(verb, "mark") == 0) {
		printf("{\"cmd\":\"mark\",\"name\":\"%s\"", rest);
		fake_print_counters(fake);
	} else if (strcmp(verb, "settle") == 0) {
		/* Nothing here has echoes: every command ends with its last event. */
		printf("{\"cmd\":\"settle\",\"settled\":true,\"waited_ns\":0");
	} else if (work(fake, verb, n)) {
		printf("{\"cmd\":\"%s\",\"took_ns\":%" PRIu64, verb, now_ns() - start);
		if (strncmp(verb, "compute", 7) == 0)
			printf(",\"tid\":%d", fake_compute_tid(fake));
	} else {
		printf("{\"cmd\":\"unknown\",\"error\":\"unknown command\"");
	}
	puts("}");
	fflush(stdout);
	return true;
}

static void greet(const struct fake *fake)
{
	printf("{\"ready\":true,\"pid\":%d,\"runtime\":\"10.0.0\",\"server_gc\":false,\"concurrent_gc\":true,\"main_tid\":%d,\"compute_"
	       "tid\":%d}\n",
	       (int)getpid(), (int)gettid(), fake_compute_tid(fake));
	fflush(stdout);
}

/* The settings are read at start, here as in the real runtime, and nettop reads them in /proc/PID/environ. */
static int start_again_with_settings(char **argv)
{
	setenv("DOTNET_EnableEventLog", "1", 1);
	setenv("DOTNET_EventSourceFilter", "Microsoft-Windows-DotNETRuntime", 0);
	setenv("DOTNET_PerfMapEnabled", "3", 0);
	execv("/proc/self/exe", argv);
	perror("fakeclr");
	return 1;
}

static void play(struct fake *fake)
{
	static const char *const round[] = { "compute-tiers 150 150 200",
					     "alloc 100",
					     "loh 40",
					     "jit-expr 20",
					     "throw 20",
					     "locks 5",
					     "pool 2000",
					     "churn 2",
					     "gc-background",
					     "idle 50" };
	for (size_t i = 0;; i = (i + 1) % (sizeof(round) / sizeof(*round))) {
		char verb[32];
		long n[3] = { 1, 500, 500 };
		sscanf(round[i], "%31s %ld %ld %ld", verb, &n[0], &n[1], &n[2]);
		work(fake, verb, n);
	}
}

int main(int argc, char **argv)
{
	bool playing = argc == 2 && strcmp(argv[1], "--play") == 0;
	if (playing && !getenv("DOTNET_EnableEventLog"))
		return start_again_with_settings(argv);
	struct fake *fake = fake_new();
	greet(fake);
	if (playing)
		play(fake);
	bool on = true;
	for (int i = 1; i < argc && on; i++)
		on = obey(fake, argv[i]);
	char line[LINE_BYTES];
	while (on && fgets(line, sizeof(line), stdin))
		on = obey(fake, line);
	fake_free(fake);
	return 0;
}
