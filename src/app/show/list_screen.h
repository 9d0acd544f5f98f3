/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `nettop` without a process: the list of all of them as a screen; with several: the list of these, which are watched (app/many). It stays as it is left while one of them is opened.
 */
#ifndef NT_APP_LIST_SCREEN_H
#define NT_APP_LIST_SCREEN_H

#include "app/common/options.h"
#include "app/many/many.h"
#include "app/show/frame.h"
#include "target/process/target.h"

struct nt_list_screen;

/* `options` are borrowed for its life. many: what is watched, borrowed for its life; NULL = nothing is. *out is the caller's. */
enum nt_status nt_list_screen_new(const struct nt_options *options, const struct nt_many_setup *many, struct nt_list_screen **out,
				  struct nt_error *err);
void nt_list_screen_free(struct nt_list_screen *list); /* NULL is allowed */

/*
 * Show it in a frame that was entered, until somebody opens a process (*out, the caller's) or ends the program (*out is NULL).
 */
enum nt_status nt_list_screen_run(struct nt_list_screen *list, struct nt_frame *frame, struct nt_target **out, struct nt_error *err);

#endif
