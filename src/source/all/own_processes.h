/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes that sources start: each is this program once more. */
#ifndef NT_SOURCE_OWN_PROCESSES_H
#define NT_SOURCE_OWN_PROCESSES_H

#include <stdbool.h>

/* Was this process started as one of them? Then it confines itself, serves until nobody wants it any more, and `status` is its exit status. To be asked before anything else is done. */
bool nt_own_process_served(int argc, char **argv, int *status);

#endif
