/* SPDX-License-Identifier: GPL-2.0-only */
/* What of the present screen can become a file (key w). */
#ifndef NT_UI_FILE_CHOICE_H
#define NT_UI_FILE_CHOICE_H

#include "ui/state/state.h"

struct nt_file_choice {
	enum nt_file file;
	const char *suffix; /* of the name that is suggested; NULL = it needs none */
	const char *word, *help;
};

size_t nt_file_choice_count(const struct nt_ui *ui);

/* NULL = there are not so many. */
const struct nt_file_choice *nt_file_choice_at(const struct nt_ui *ui, size_t index);

#endif
