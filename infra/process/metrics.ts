// Metrics: counters, gauges and histograms of one service, in its own registry, and Node's own,
// which the services of a process share. By default prom-client uses one global registry; this
// wrapper never registers anything there.

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
import { EVENT_LOOP_RESOLUTION_MS } from './event-loop.ts';

export type { Counter, Gauge, Histogram } from 'prom-client';

let processRegistry: Registry | undefined;

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
  return {
    counter: (of) => new Counter({ ...of, registers }),
    gauge: (of) => new Gauge({ ...of, registers }),
    histogram: (of) => new Histogram({ ...of, registers }),
    text: () => (ofProcess ? Registry.merge([registry, metricsOfProcess()]) : registry).metrics(),
    contentType: registry.contentType,
  };
}

/** Measured since they were first read, once for all services. */
function metricsOfProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    const eventLoopMonitoringPrecision = EVENT_LOOP_RESOLUTION_MS;
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision });
  }
  return processRegistry;
}
