// SPDX-License-Identifier: MIT
#ifndef UST0_FILTER_H
#define UST0_FILTER_H

#include <stdint.h>

/*
 * The one filter of a gated stand-in, called by the old probe with its fields on an interpreter stack, whose layout is the same in both ABIs. Runs the real event's
 * filters; sends the notification of a trigger. Says whether the probe shall go on to record.
 */
uint64_t ust0_filter(void *self, const char *stack);

#endif
