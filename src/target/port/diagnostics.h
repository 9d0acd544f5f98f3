/* SPDX-License-Identifier: GPL-2.0-only */
/* Room target/port: commands at the diagnostics port. */
/*
 * The target's diagnostics port: one request to its runtime and the reply, without ever waiting. What is sent and what the answers mean is
 * decode/eventpipe/ipc.h.
 *
 *   length = nt_ipc_request(NT_IPC_PROCESS_INFO3, request, sizeof(request));
 *   status = nt_ipc_start(target, request, length, now + 5 * NT_NS_PER_S, &exchange, &err);
 *   ... nt_ipc_fd() readable, or a timer: status = nt_ipc_advance(exchange, now, &reply, &err) until it is not NT_AGAIN ...
 *   nt_ipc_close(exchange);
 *
 * The runtime serves one connection after the other, and reads a request to its end before it looks at the next. So a request is sent whole or not at all;
 * and what was sent is carried out even when nobody waits for the answer any more, as soon as a target that was stopped goes on.
 */
#ifndef NT_TARGET_DIAGNOSTICS_H
#define NT_TARGET_DIAGNOSTICS_H

#include "decode/eventpipe/ipc.h"
#include "nettop/clock.h"
#include "target/process/diagnostics_socket.h"
#include "target/process/target.h"

/* One request. */
struct nt_ipc_exchange;

/*
 * Find the target's socket, see that it is its own, connect, send. `request` is copied; `target` is borrowed until nt_ipc_close().
 * `deadline`: when nt_ipc_advance() gives up, by the clock of its caller. Opens a folder of the target's file system, which may be slow there.
 * Errors, each a sentence (and a fix where there is one): ABSENT (no .NET process, the port is switched off, no socket), FORBIDDEN (another user's
 * process; a socket that is not the target's), GONE (nobody listens any more; the target has ended), TIMEOUT (it is stopped: nothing was sent), FAILED.
 */
enum nt_status nt_ipc_start(const struct nt_target *target, const uint8_t *request, size_t length, nt_time deadline,
			    struct nt_ipc_exchange **out, struct nt_error *err);

/*
 * The same in two parts, for who must not wait for the target's file system: what nt_diagnostics_find_socket() has found, wherever that was done, is checked
 * (with its errors), and connected to. `socket_file` is taken.
 */
enum nt_status nt_ipc_check_socket(const struct nt_target *target, const struct nt_diagnostics_socket *found, struct nt_error *err);
enum nt_status nt_ipc_start_at(const struct nt_target *target, int socket_file, const uint8_t *request, size_t length, nt_time deadline,
			       struct nt_ipc_exchange **out, struct nt_error *err);

/* Readable when nt_ipc_advance() has something to do. -1: only time will tell, because others stand before us in the runtime's queue. */
int nt_ipc_fd(const struct nt_ipc_exchange *exchange);

/*
 * Go on as far as that is possible now. NT_AGAIN: the answer is not here yet. NT_OK: *out borrows from the exchange. Errors: those of nt_ipc_start(),
 * TIMEOUT (no answer until the deadline), GONE (closed without an answer), MALFORMED, and the runtime's own refusals (nt_ipc_reply_parse()). After
 * anything but NT_AGAIN it must not be called again.
 */
enum nt_status nt_ipc_advance(struct nt_ipc_exchange *exchange, nt_time now, struct nt_ipc_reply *out, struct nt_error *err);

/* The same, waiting for it, by nt_clock_now(): for who has nothing else to do. Never NT_AGAIN. */
enum nt_status nt_ipc_wait(struct nt_ipc_exchange *exchange, struct nt_ipc_reply *out, struct nt_error *err);

/*
 * Send it and do not wait, also to a target that stands still: it carries the request out when it goes on. For undoing. TIMEOUT: its queue is full.
 */
enum nt_status nt_ipc_post(const struct nt_target *target, const uint8_t *request, size_t length, struct nt_error *err);

/* Take the connection, non-blocking, after an answer: nothing behind the reply has been read. The caller's. */
int nt_ipc_take_fd(struct nt_ipc_exchange *exchange);

void nt_ipc_close(struct nt_ipc_exchange *exchange); /* NULL is allowed */

#endif
