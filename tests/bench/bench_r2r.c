// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of the methods of a precompiled image, read from its file as the code map source does.
 *
 *   bench_r2r FILE
 *
 * Prints one JSON object: methods; cpu_ns to read the table, bytes that it takes; and named_ns, to write the names of all methods.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "nettop/clock.h"
#include "source/image/image_r2r.h"

static uint64_t cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: bench_r2r FILE\n");
		return 2;
	}
	const struct nt_image_place place = { .root_dir = "/", .path = argv[1], .uid = getuid() };
	char reason[NT_IMAGE_R2R_REASON];
	uint64_t start = cpu_ns();
	struct nt_image_r2r *image = nt_image_r2r_new(&place, 0, reason);
	uint64_t read = cpu_ns();
	if (!image) {
		fprintf(stderr, "bench_r2r: %s: %s\n", argv[1], reason);
		return 1;
	}
	struct nt_image_r2r_answer answer;
	uint64_t methods = 0;
	for (uint32_t number = 0; nt_image_r2r_next(image, &number, &answer);)
		methods++;
	uint64_t named = cpu_ns();
	printf("{\"methods\": %" PRIu64 ", \"cpu_ns\": %" PRIu64 ", \"bytes\": %zu, \"named_ns\": %" PRIu64 "}\n", methods, read - start,
	       nt_image_r2r_bytes(image), named - read);
	nt_image_r2r_free(image);
	return 0;
}
