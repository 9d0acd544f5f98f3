// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of lttng-ust 2.12 for the live tests: built with its headers, run with its libraries or with the bridge.
 *
 * Commands on standard input: "go N" emits N rounds of every event, then answers "done". "threads N": N threads emit until the process ends. "quit": returns
 * from main().
 */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include "tp.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void emit(int i)
{
	const uint32_t values[] = { (uint32_t)i, 0xdeadbeef, 7, 0, UINT32_MAX };
	const int64_t wide = (int64_t)i * 0x0123456789ab - 1000;
	char text[32];
	snprintf(text, sizeof(text), "round %d", i);
	tracepoint(nt_fields, first, i);
	tracepoint(nt_fields, nothing);
	tracepoint(nt_fields, integers, wide);
	tracepoint(nt_fields, arguments, i, i * 0.5, text, UINT64_MAX - (uint64_t)i, (float)i / 8, (short)-i, wide, -1.0 / (i + 1),
		   (unsigned char)i, -wide);
	tracepoint(nt_fields, lists, values, (size_t)(i % 6), text);
	tracepoint(nt_fields, enumerations, i % 8 - 3);
	tracepoint(nt_fields, pair_a, i, -i);
	tracepoint(nt_fields, pair_b, -i, i);
}

static void *emit_for_ever(void *unused)
{
	for (int i = 0;; i++)
		emit(i);
	return unused;
}

int main(void)
{
	char line[64];
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		int count;
		if (sscanf(line, "go %d", &count) == 1) {
			for (int i = 0; i < count; i++)
				emit(i);
		} else if (sscanf(line, "threads %d", &count) == 1) {
			pthread_t thread;
			for (int i = 0; i < count; i++)
				if (pthread_create(&thread, NULL, emit_for_ever, NULL))
					return 2;
		} else {
			break;
		}
		puts("done");
		fflush(stdout);
	}
	return 0;
}
