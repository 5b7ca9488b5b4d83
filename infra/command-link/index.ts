// Command link: the wire between gateways and sequencers, and the gateway's end of it. Knows
// commands and events as messages, not what they do; decides nothing about money.

export * from './batch.ts';
export * from './beats.ts';
export * from './command-client.ts';
export type { DoorAddress } from './handshake.ts';
export * from './link-dialer.ts';
export { LinkDoor, type LinkDoorOptions } from './link-door.ts';
export * from './open-command-client.ts';
export * from './results.ts';
export * from './subjects.ts';
