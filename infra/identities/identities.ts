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
  'market-agents',
] as const;

/** Tests, benches and seeds, in development only: it may do everything. */
export const SANDBOX_IDENTITY = 'sandbox';

export type ServiceIdentity = (typeof IDENTITIES)[number];
export type IdentityName = ServiceIdentity | typeof SANDBOX_IDENTITY;

/** In production a service refuses what only a test machine may do without. */
export type IdentityMode = 'production' | 'development';

export function isIdentity(name: string): name is IdentityName {
  return name === SANDBOX_IDENTITY || IDENTITIES.some((identity) => identity === name);
}

/**
 * The service whose code has this identity: an HTTP gateway has one of three, by the routes that it
 * serves. Its status beats name the service.
 */
export function serviceOf(name: IdentityName): string {
  return name === 'gateway-identity' || name === 'gateway-admin' ? 'gateway-http' : name;
}

/** The identity of an HTTP gateway that serves these modules: the widest of them decides. */
export function gatewayIdentity(modules: readonly string[]): ServiceIdentity {
  if (modules.includes('admin')) return 'gateway-admin';
  return modules.every((module) => module === 'identity') ? 'gateway-identity' : 'gateway-http';
}
