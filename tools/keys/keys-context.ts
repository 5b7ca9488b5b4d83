// Connections and settings for the commands of the keys tool.

import type { Bus } from '../../infra/bus/index.ts';
import type { OpenedRegistry } from '../registry-tool.ts';

export interface Context extends Omit<OpenedRegistry, 'log'> {
  /** Prints progress immediately; results are returned. */
  print(line: string): void;
  /** Runs the work with a bus that reaches the gateways, if NATS is reachable. */
  withBus<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result>;
}
