/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbabeltrace2, loaded when a live session is to be read: it brings glib and PCRE along, a megabyte of memory together that a target without LTTng does not
 * need.
 */
#ifndef NT_SOURCE_BABELTRACE_H
#define NT_SOURCE_BABELTRACE_H

#include <babeltrace2/babeltrace.h>

#include "nettop/status.h"

/* Its functions, named without their prefix bt_. */
struct nt_babeltrace {
#define FUNCTION(name) __typeof__(bt_##name) *name;
#include "source/lttng/babeltrace.def"
};

/* A variable, not an answer, because an event is a dozen calls. There once nt_babeltrace_load() was NT_OK, before which nothing of the library exists. */
extern struct nt_babeltrace nt_bt;

/* The first call loads the library, for ever. Not NT_OK: it or one of its functions is missing, *err says which. From any thread. */
enum nt_status nt_babeltrace_load(struct nt_error *err);

#endif
