# SPDX-License-Identifier: GPL-2.0-only
"""A native library that uses CPU time in a function of its own, stripped."""
import subprocess

SPINNER = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static __attribute__((noinline)) void spin_for_ever(volatile unsigned long *turns)
{
	for (;;)
		++*turns;
}
static void *thread(void *turns)
{
	while (access(getenv("SPINNER_GO"), F_OK) != 0) /* the workload wants to be idle at its start */
		usleep(20000);
	spin_for_ever(turns);
	return 0;
}
__attribute__((constructor)) static void begin(void)
{
	static unsigned long turns;
	pthread_t id;
	pthread_create(&id, 0, thread, &turns);
}
"""


def spinner(env):
    """A stripped library of ours that spins in a thread of its own, and the debug file that would name its function, as dotnet-symbol leaves such files,
    but in a folder where nobody looks."""
    env.need_commands("gcc", "objcopy")
    library, aside = env.scratch / "libspinner.so", env.scratch / "aside" / "libspinner.so.dbg"
    aside.parent.mkdir(exist_ok=True)
    subprocess.run(["gcc", "-x", "c", "-O1", "-g", "-shared", "-fPIC", "-Wl,--build-id", "-o", library, "-", "-lpthread"], input=SPINNER, text=True,
                   check=True)
    subprocess.run(["objcopy", "--only-keep-debug", library, aside], check=True)
    subprocess.run(["objcopy", "--strip-all", library], check=True)
    return library, aside
