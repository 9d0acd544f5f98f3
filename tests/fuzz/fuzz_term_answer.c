// SPDX-License-Identifier: GPL-2.0-only
/* Input: bytes from a terminal. Every byte is a key or part of an answer, in its order; a text without end ends. */
#include "fuzz.h"

#include "ui/terminal/term_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_answer answer = { 0 };
	size_t taken = 0, inside = 0;
	bool known;
	char held[2];
	for (size_t i = 0; i < size; i++) {
		enum nt_answer_step step = nt_answer_take(&answer, data[i]);
		if (step == NT_ANSWER_IS_KEY) {
			size_t count = nt_answer_held(&answer, held);
			for (size_t k = 0; k < count; k++)
				FUZZ_CHECK((uint8_t)held[k] == data[i - count + k]);
			step = nt_answer_take(&answer, data[i]);
			FUZZ_CHECK(step == NT_ANSWER_IS_KEY || step == NT_ANSWER_HELD);
			taken += step == NT_ANSWER_IS_KEY;
		}
		if (step == NT_ANSWER_COLOR) {
			bool light = nt_answer_is_light(&answer, &known);
			FUZZ_CHECK(known || !light);
		}
		inside = answer.state == NT_ANSWER_TEXT ? inside + 1 : 0;
		FUZZ_CHECK(inside <= 4098);
	}
	FUZZ_CHECK(taken <= size);
	return 0;
}
