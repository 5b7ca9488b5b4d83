// The form of a row in the table of settings: how its text becomes a value, who reads it, and what
// an operator must know about it. The documents are generated from these rows.

import type { Setting } from '../process/index.ts';

export const SERVICES = [
  'sequencer',
  'archivist',
  'projector',
  'publisher',
  'outbox-dispatcher',
  'reconciler',
  'monitor',
  'notifier',
  'gateway-http',
  'gateway-websocket',
  'market-agents',
  'chain-watcher',
  'signer',
] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Market agents trade only on a demo exchange. Custody is optional, so its services are too. */
export const PRODUCTION_SERVICES = SERVICES.filter(
  (service) => service !== 'market-agents' && service !== 'chain-watcher' && service !== 'signer',
);

/** Services that connect to others. The signer serves one Unix socket and has no network. */
export const WITH_NETWORK = SERVICES.filter((service) => service !== 'signer');

/** `tools`: the command line and its older names. */
export type Program = ServiceName | 'tools';

/** Services with tables. */
export const WITH_TABLES = [
  'projector',
  'outbox-dispatcher',
  'reconciler',
  'monitor',
  'notifier',
  'gateway-http',
  'gateway-websocket',
  'chain-watcher',
] as const;

export interface SettingDescription {
  readonly usedBy: readonly Program[];
  /** Programs that also run without it, although it has no default. */
  readonly optionalFor?: readonly Program[];
  /** One or two sentences. */
  readonly meaning: string;
  /** Unit of a number. */
  readonly unit?: string;
  /** A value that production accepts. Without it, the default is one. */
  readonly example?: string;
  /** Instead of the default, where that depends on the process. */
  readonly defaultText?: string;
}

export function setting<Value, const Description extends SettingDescription>(
  kind: Setting<Value>,
  description: Description,
): Setting<Value> & Description {
  return { ...kind, ...description };
}
