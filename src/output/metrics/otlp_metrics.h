/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics as a request to a collector: OTLP 1 (opentelemetry.io/docs/specs/otlp), an ExportMetricsServiceRequest in the form of protocol buffers. Names are those of the text, and the unit stands
 * apart, too (s, By, 1): a collector that writes for Prometheus keeps them so. Counters are monotonic cumulative sums.
 */
#ifndef NT_OUTPUT_OTLP_METRICS_H
#define NT_OUTPUT_OTLP_METRICS_H

#include "output/metrics/metrics.h"
#include "output/stacks/protobuf.h"

/* Behind what is in `out`. `realtime_offset_ns`: what makes a time of day of a time. */
void nt_otlp_metrics_write(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, int64_t realtime_offset_ns,
			   struct nt_protobuf *out);

#endif
