/* SPDX-License-Identifier: GPL-2.0-only */
/* A terminal that somebody left in full screen who cannot put it right any more. */
#ifndef NT_APP_TERMINAL_RESET_H
#define NT_APP_TERMINAL_RESET_H

#include <termios.h>

/*
 * Its line as it was, the alternate screen left, the cursor shown, attributes, keypad and mouse as usual: harmless where they were not set. One that takes nothing (Ctrl-S, nobody reads) is left after a
 * short time.
 */
void nt_terminal_reset(int fd, const struct termios *modes);

#endif
