/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command line says of a .NET process: is it the program that somebody wants to watch, or only helps to start it? */
#ifndef NT_TARGET_DOTNET_COMMAND_H
#define NT_TARGET_DOTNET_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is this a process of the SDK: `dotnet run`, `dotnet test`, ..., or what these start to build (MSBuild, the compiler's server)? They are .NET
 * processes, too. `cmdline` is NUL-separated, as /proc/PID/cmdline has it.
 */
bool nt_dotnet_is_sdk(const char *cmdline, size_t length);

/* Will this command (ends with NULL) itself be the .NET program, in the process in which it is executed: `dotnet App.dll`? */
bool nt_dotnet_is_program(char *const *argv);

#endif
