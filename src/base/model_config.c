// SPDX-License-Identifier: GPL-2.0-only
/* The defaults of the model's settings: for whoever makes a model, and for whoever writes down what one is to be told. */
#include "nettop/model.h"

enum { HISTORY_LIMIT = 2000 };

void nt_model_config_init(struct nt_model_config *config)
{
	*config = (struct nt_model_config){ .interval_ns = NT_NS_PER_S,
					    .watermark_ns = 300 * NT_NS_PER_MS,
					    .window_half_life = NT_WINDOW_HALF_LIFE,
					    .history_limit = HISTORY_LIMIT };
}
