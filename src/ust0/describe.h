// SPDX-License-Identifier: MIT
/*
 * What events look like, said anew in the 1-ABI: a deep mirror, because every structure has changed.
 *
 * A mirror lives for ever, as LTTng and its readers keep pointers into it; names and signatures are those of the provider's module, which is pinned.
 */
#ifndef UST0_DESCRIBE_H
#define UST0_DESCRIBE_H

#include "ust0.h"
#include "ust1.h"

/*
 * The description of a provider, with a stub for each event's probe. An event that cannot be described is left out. NULL when none can, or when the
 * provider speaks a later ABI.
 */
const struct ust1_probe_desc *ust0_describe(const struct ust0_probe_desc *old);

#endif
