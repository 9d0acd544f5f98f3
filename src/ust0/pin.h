// SPDX-License-Identifier: MIT
#ifndef UST0_PIN_H
#define UST0_PIN_H

/*
 * Keeps the module that holds `address` loaded until the process ends. liblttng-ust keeps pointers into modules that register; the 0-ABI's way out,
 * tracepoint_unregister_lib(), must not be exported (see callsites.h), so such a module must not go.
 */
void ust0_pin_module_of(const void *address);

#endif
