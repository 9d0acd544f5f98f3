/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics as text: OpenMetrics 1.0 (github.com/prometheus/OpenMetrics, specification/OpenMetrics.md), and the older form of Prometheus (prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4),
 * in which a counter's family has the name of its samples, and info is a gauge.
 */
#ifndef NT_OUTPUT_OPENMETRICS_H
#define NT_OUTPUT_OPENMETRICS_H

#include "base/text_buffer.h"
#include "nettop/snapshot.h"
#include "output/metrics/metrics.h"

enum nt_metrics_text { NT_METRICS_OPENMETRICS, NT_METRICS_PROMETHEUS, NT_METRICS_TEXTS };

/* All of it, behind what is in `out`. It is valid UTF-8 without control characters whatever the names of the processes are; a label's value has at most 256 bytes. */
void nt_openmetrics_write(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, enum nt_metrics_text form,
			  struct nt_text_buffer *out);

#endif
