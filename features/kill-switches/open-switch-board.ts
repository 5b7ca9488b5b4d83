// Opens the switch board of a service, with its log lines and metrics.

import type { Bus } from '../../infra/bus/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { type Logger, type Metrics, systemClock } from '../../infra/process/index.ts';
import { SwitchBoard, type SwitchWatcher } from './switch-board.ts';

export interface OpenSwitchBoardOptions {
  /** Separate connections: a stop must not wait behind slow queries. */
  readonly pool: Statements;
  /** Undefined for a process without a bus, which only polls. */
  readonly bus: Bus | undefined;
  readonly exchange: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** For the pool of a board. A slower read is retried. */
export const SWITCH_POOL = { connectionsMax: 1, statementTimeoutMs: 1_000 };

/** The service awaits `start` before it serves. */
export function openSwitchBoard(options: OpenSwitchBoardOptions): SwitchBoard {
  const { bus, exchange, log, metrics, pool: statements } = options;
  const watcher = watchSwitches(log, metrics);
  return new SwitchBoard({ clock: systemClock, bus, exchange, statements, watcher });
}

function watchSwitches(log: Logger, metrics: Metrics): SwitchWatcher {
  const version = metrics.gauge({
    name: 'rialto_switches_version',
    help: 'Kill switch version that this process applies',
  });
  const failures = metrics.counter({
    name: 'rialto_switch_reads_failed_total',
    help: 'Periods in which this process could not read the kill switches',
  });
  return {
    changed({ areLoginsStopped, isReadOnly, stoppedServices, version: number }) {
      version.set(number);
      const services = [...stoppedServices];
      log.info({ version: number, isReadOnly, areLoginsStopped, services }, 'switches read');
    },
    readFailed(err) {
      failures.inc();
      log.warn({ err }, 'switch read failed');
    },
  };
}
