/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that speaks with strangers gives up, for good, what it does not need for that. */
#ifndef NT_SERVE_WEB_CONFINED_H
#define NT_SERVE_WEB_CONFINED_H

#include <stdbool.h>

/* After nt_decoder_give_up(): only the system calls that a server with a listening socket makes. It can open no file, and no connection. False: that is not to be had here. */
bool nt_web_confine(void);

#endif
