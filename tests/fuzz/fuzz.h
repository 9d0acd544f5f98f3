/* SPDX-License-Identifier: GPL-2.0-only */
/* What every fuzz target has in common: libFuzzer's entry, and a check that ends the run. */
#ifndef NT_TESTS_FUZZ_H
#define NT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* corpus_main.c: a target that takes long for an input defines it. */
size_t fuzz_cut_step(size_t size);

/* steps.c: how many steps an input of this size may take. FUZZ_STEPS(): in a target that may take more than most. */
size_t fuzz_steps_max(size_t size);

#define FUZZ_STEPS(once, per_byte)                                                                                                         \
	size_t fuzz_steps_max(size_t size)                                                                                                 \
	{                                                                                                                                  \
		return (size_t)(once) + (size_t)(per_byte)*size;                                                                           \
	}

/* A rule that must hold for any input. */
#define FUZZ_CHECK(condition)                                                                                                              \
	do {                                                                                                                               \
		if (!(condition))                                                                                                          \
			abort();                                                                                                           \
	} while (0)

#endif
