// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/unmapped.h"

#include "base/alloc.h"

#define PAUSE_NS      (500 * NT_NS_PER_MS)
#define PAUSE_MOST_NS (30 * NT_NS_PER_S)

struct nt_question *nt_unmapped_ask(struct nt_unmapped *unmapped, nt_time now, uint32_t pid, size_t max, struct nt_question *questions,
				    size_t *count)
{
	if (!unmapped->met || now < unmapped->next || *count >= max)
		return questions;
	unmapped->met = false;
	unmapped->open = true;
	nt_time longer = 2 * unmapped->pause_ns;
	unmapped->pause_ns = !longer ? PAUSE_NS : longer < PAUSE_MOST_NS ? longer : PAUSE_MOST_NS;
	unmapped->next = now + unmapped->pause_ns;
	questions = nt_realloc(questions, *count + 1, sizeof(*questions));
	questions[(*count)++] = (struct nt_question){ .pid = pid, .offset = ++unmapped->asked_count, .image = NT_MAPPINGS_IMAGE };
	return questions;
}
