// Metrics: counters, gauges and histograms of one service, in a registry of its own. prom-client
// puts what names no registry into one for the whole process; here nothing can be left there.

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

type Unregistered<Configuration> = Omit<Configuration, 'registers'>;

export interface Metrics {
  counter<Label extends string>(of: Unregistered<CounterConfiguration<Label>>): Counter<Label>;
  gauge<Label extends string>(of: Unregistered<GaugeConfiguration<Label>>): Gauge<Label>;
  histogram<Label extends string>(
    of: Unregistered<HistogramConfiguration<Label>>,
  ): Histogram<Label>;
  /** All of them in Prometheus' text format, which has `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** With `ofProcess` also those of Node itself: memory, processor, event loop, garbage. */
export function createMetrics({ ofProcess = false }: { ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) collectDefaultMetrics({ register: registry });
  return {
    counter: (of) => new Counter({ ...of, registers }),
    gauge: (of) => new Gauge({ ...of, registers }),
    histogram: (of) => new Histogram({ ...of, registers }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
