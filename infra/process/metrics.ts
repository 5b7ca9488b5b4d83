// Metrics: counters, gauges and histograms of one service, in its own registry. By default
// prom-client uses one global registry; this wrapper never registers anything there.

import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** Each measurement wakes an idle process. */
const EVENT_LOOP_RESOLUTION_MS = 100;

type Unregistered<Configuration> = Omit<Configuration, 'registers'>;

export interface Metrics {
  counter<Label extends string>(of: Unregistered<CounterConfiguration<Label>>): Counter<Label>;
  gauge<Label extends string>(of: Unregistered<GaugeConfiguration<Label>>): Gauge<Label>;
  histogram<Label extends string>(
    of: Unregistered<HistogramConfiguration<Label>>,
  ): Histogram<Label>;
  /** All metrics in the Prometheus text format, whose media type is `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** `ofProcess` adds Node's own metrics: memory, processor, event loop, garbage collection. */
export function createMetrics({ ofProcess = false }: { ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) {
    const eventLoopMonitoringPrecision = EVENT_LOOP_RESOLUTION_MS;
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  }
  return {
    counter: (of) => new Counter({ ...of, registers }),
    gauge: (of) => new Gauge({ ...of, registers }),
    histogram: (of) => new Histogram({ ...of, registers }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
