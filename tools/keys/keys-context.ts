// The connections and settings that a command of the keys tool works with.

import type { Bus } from '../../infra/bus/index.ts';
import type { OpenedRegistry } from '../registry-tool.ts';

export interface Context extends Omit<OpenedRegistry, 'log'> {
  /** Prints progress at once; results are returned. */
  print(line: string): void;
  /** Runs the work with a bus that reaches the gateways, if NATS is up. */
  withBus<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result>;
}
