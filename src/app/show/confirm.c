// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/confirm.h"

#include "app/common/print.h"
#include "app/loop/signals.h"
#include "base/text.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 100, ANSWER_BYTES = 64 };

/* False: no answer, or a signal. */
static bool take_answer(char answer[ANSWER_BYTES])
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	while (!nt_signals_ending_waits()) {
		int ready = poll(&input, 1, LOOK_MS);
		if (ready < 0 && nt_signals_ending_waits())
			break;
		if (ready <= 0)
			continue;
		ssize_t length = read(STDIN_FILENO, answer, ANSWER_BYTES - 1);
		answer[length > 0 ? length : 0] = '\0';
		return length > 0;
	}
	return false;
}

enum nt_status nt_confirm(const char *price, bool yes, struct nt_error *err)
{
	char answer[ANSWER_BYTES];
	fputs("nettop: ", stderr);
	nt_text_print(stderr, price);
	if (yes) {
		fputc('\n', stderr);
		return NT_OK;
	}
	if (!isatty(STDIN_FILENO) || !nt_print_is_terminal()) {
		fputc('\n', stderr);
		return nt_error_set(err, NT_ERR_USAGE, "nobody can be asked whether that is wanted: say --yes");
	}
	fputs(". Go on? [y/N] ", stderr);
	if (!take_answer(answer)) {
		fputc('\n', stderr);
		return NT_END;
	}
	answer[strcspn(answer, "\r\n")] = '\0';
	return strcmp(answer, "y") == 0 || strcmp(answer, "Y") == 0 || strcmp(answer, "yes") == 0 ? NT_OK : NT_END;
}

void nt_confirm_progress(const char *text)
{
	if (nt_print_is_terminal())
		nt_print_over(text);
}
