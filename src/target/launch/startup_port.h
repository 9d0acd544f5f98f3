/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A diagnostics port of nettop's own, to which .NET programs connect when they start and wait: DOTNET_DiagnosticPorts=PATH,suspend (dotnet/diagnostics,
 * ipc-protocol.md, "Advertise"). So tracing can begin before the first method of a program, without LTTng. Every runtime that inherits the variable
 * connects, also those of launchers: who is not wanted goes on at once. Each is told to give its children the variable as it was before, so that they
 * come no more.
 */
#ifndef NT_TARGET_STARTUP_PORT_H
#define NT_TARGET_STARTUP_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "target/common/deed.h"
#include "target/process/target.h"

struct nt_startup_port;

/*
 * Listen in this folder, which is ours alone; who removes it removes the socket's file. The program may become any user before it starts its runtime, so folder and
 * socket are made such that everybody can connect who can reach them; who does is judged by whom the kernel says it is (startup_port_heirs.h). `before`: the
 * variable's value in nettop's own environment, NULL when it has none; copied. *out is the caller's.
 */
enum nt_status nt_startup_port_open(const char *folder, const char *before, struct nt_startup_port **out, struct nt_error *err);

/* The same port in another process, which got a duplicate of its listener: takes that. Only one of the two may serve it at a time. */
struct nt_startup_port *nt_startup_port_adopt(int listener, const char *path, const char *before);

/*
 * The second listener of the same (nt_startup_port_reach()), a duplicate; takes it. It may not listen yet: whoever is to make it do so can be killed at any time. So it is served from the second call
 * on, which drops one that never came to be.
 */
void nt_startup_port_adopt_second(struct nt_startup_port *port, int listener);
void nt_startup_port_serve_second(struct nt_startup_port *port);

/* What the program gets in front of the variable's value, "PATH,suspend"; borrowed. */
const char *nt_startup_port_setting(const struct nt_startup_port *port);

/* For who adopts it: the socket's file, and the socket; borrowed. */
const char *nt_startup_port_path(const struct nt_startup_port *port);
int nt_startup_port_listener(const struct nt_startup_port *port);
int nt_startup_port_second_listener(const struct nt_startup_port *port);

/* How what nt_startup_port_make_second() makes is removed by somebody else: the text of that deed, and the folder that comes with it, borrowed. Only after nt_startup_port_reach(). */
int nt_startup_port_lent_deed(const struct nt_startup_port *port, char text[NT_DEED_TEXT_BYTES]);

/* Readable when somebody connects or says something; the port's. */
int nt_startup_port_fd(const struct nt_startup_port *port);

/*
 * Take who has connected, without waiting. `wanted` (NULL: nobody is) is asked once about each process, by its pid in our namespace, that waits at its
 * start: those for which it is false go on.
 */
void nt_startup_port_serve(struct nt_startup_port *port, bool (*wanted)(void *context, uint32_t pid), void *context);

/*
 * Let a process connect that was started with the setting and does not see the port's folder, in two steps, so that whoever removes it can be told before it is there. NT_OK: there is a second
 * socket, and a place for it. NT_END: it sees the port, or this has been done. FAILED: it cannot be had, and such a program waits for ever.
 */
enum nt_status nt_startup_port_reach(struct nt_startup_port *port, const struct nt_target *target, struct nt_error *err);

/* After NT_OK: from now on it listens there. FAILED as above; nothing was made. */
enum nt_status nt_startup_port_make_second(struct nt_startup_port *port, const struct nt_target *target, struct nt_error *err);

/* Does this process wait, because it is wanted? */
bool nt_startup_port_holds(const struct nt_startup_port *port, uint32_t pid);

/* Let those go on who wait. From now on nobody is taken here: who comes, comes to the process that has adopted the port. */
void nt_startup_port_leave(struct nt_startup_port *port);

/* Is there a process that was started with the setting, so that it or what it starts may come? Reads /proc. */
bool nt_startup_port_has_heirs(const struct nt_startup_port *port);

/* Who waits still goes on. NULL is allowed. */
void nt_startup_port_close(struct nt_startup_port *port);

#endif
