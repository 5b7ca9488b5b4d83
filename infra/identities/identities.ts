// The identities of processes: one list for NATS users, link peers and PostgreSQL roles. A process
// proves its identity with a key that no other process has.

/** One for each kind of process. A standby is a sequencer. */
export const IDENTITIES = [
  'sequencer',
  'archivist',
  'projector',
  'publisher',
  'outbox-dispatcher',
  'reconciler',
  'monitor',
  'notifier',
  'gateway-http',
  'gateway-identity',
  'gateway-admin',
  'gateway-websocket',
  'gateway-ws-admin',
  'market-agents',
  'chain-watcher',
] as const;

/** Tests, benches and seeds, in development only: it can do everything. */
export const SANDBOX_IDENTITY = 'sandbox';

export type ServiceIdentity = (typeof IDENTITIES)[number];
export type IdentityName = ServiceIdentity | typeof SANDBOX_IDENTITY;

/** In production a service refuses what only a test machine may do without. */
export type IdentityMode = 'production' | 'development';

export function isIdentity(name: string): name is IdentityName {
  return name === SANDBOX_IDENTITY || IDENTITIES.some((identity) => identity === name);
}

/** The service whose code has this identity. Its status beats name the service. */
export function serviceOf(name: IdentityName): string {
  switch (name) {
    case 'gateway-identity':
    case 'gateway-admin':
      return 'gateway-http';
    case 'gateway-ws-admin':
      return 'gateway-websocket';
    default:
      return name;
  }
}

/** The identity of an HTTP gateway that serves these modules: the widest of them decides. */
export function gatewayIdentity(modules: readonly string[]): ServiceIdentity {
  if (modules.includes('admin')) return 'gateway-admin';
  return modules.every((module) => module === 'identity') ? 'gateway-identity' : 'gateway-http';
}

/** Whom a stream gateway serves. Operators' keys and sessions do not exist for the one of users. */
export type StreamAudience = 'users' | 'operators';

export function streamIdentity(audience: StreamAudience): ServiceIdentity {
  return audience === 'operators' ? 'gateway-ws-admin' : 'gateway-websocket';
}
