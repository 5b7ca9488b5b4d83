// Access: who said it. Signatures, sealed keys, sessions, addresses, and what each may do.

export * from './access.ts';
export * from './access-changes.ts';
export * from './access-events.ts';
export * from './access-fault.ts';
export * from './access-settings.ts';
export * from './address-list.ts';
export type * from './caller.ts';
export * from './issue-credentials.ts';
export * from './open-access.ts';
export * from './seal.ts';
export * from './trusted-proxies.ts';
