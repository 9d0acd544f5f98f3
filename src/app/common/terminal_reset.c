// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/terminal_reset.h"

#include <poll.h>
#include <unistd.h>

enum { TAKES_MS = 100 };

static const char reset[] = "\033[?1049l\033[?25h\033[0m\033[?1l\033>\033[?1000l\033[?1006l\033[?2004l\r\n";

void nt_terminal_reset(int fd, const struct termios *modes)
{
	tcsetattr(fd, TCSANOW, modes);
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	if (poll(&ready, 1, TAKES_MS) <= 0)
		return;
	ssize_t written = write(fd, reset, sizeof(reset) - 1);
	(void)written;
}
