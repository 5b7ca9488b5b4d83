// Names of everything that a process can run: services, their variants, and groups that share a
// process.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '../../infra/process/index.ts';

const SERVICES = join(import.meta.dirname, '../../services');

interface Variant {
  readonly service: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Services that are another one with different settings. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  // Serves everything to operators. The other gateways then omit the `admin` module.
  'gateway-admin': {
    service: 'gateway-http',
    settings: { RIALTO_GATEWAY_MODULES: 'public,user,admin,identity' },
  },
  // Hashes passwords at a low priority, so orders are not slower.
  'gateway-identity': {
    service: 'gateway-http',
    settings: { RIALTO_GATEWAY_MODULES: 'identity', RIALTO_PROCESS_PRIORITY: '15' },
  },
  // Stream on the gateway for operators.
  'gateway-ws-admin': {
    service: 'gateway-websocket',
    settings: { RIALTO_STREAM_AUDIENCE: 'operators' },
  },
};

/**
 * Processes of a small exchange. Clients and operators reach different processes, and neither has
 * the keys of the log. `gateway-identity` is always alone, because it has a low priority.
 */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  exchange: [
    'sequencer',
    'archivist',
    'projector',
    'publisher',
    'outbox-dispatcher',
    'reconciler',
    'monitor',
    'notifier',
  ],
  public: ['gateway-http', 'gateway-websocket'],
  operators: ['gateway-admin', 'gateway-ws-admin'],
};

const folders = readdirSync(SERVICES).filter((name) =>
  existsSync(join(SERVICES, name, 'service.ts')),
);

export const SERVICE_NAMES: readonly string[] = [...folders, ...Object.keys(VARIANTS)].sort();

export function variantSettings(name: string): Readonly<Record<string, string>> {
  return VARIANTS[name]?.settings ?? {};
}

export async function loadService(name: string): Promise<Service> {
  const folder = VARIANTS[name]?.service ?? name;
  const loaded: { service: Service } = await import(join(SERVICES, folder, 'service.ts'));
  return loaded.service;
}
