// Bus: messages between services that may be lost, and the connection to NATS that carries them.

export type { Bus, Subscription } from './bus-port.ts';
export { connectNats, type Nats, type Watch } from './connect-nats.ts';
export { NatsBus } from './nats-bus.ts';
export { raiseBug } from './raise-bug.ts';
