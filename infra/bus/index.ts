// Bus: messages between services that may be lost, and the NATS connection that carries them.

export type { Bus, Subscription } from './bus-port.ts';
export { connectNats, type Nats, raiseBug, type Watch } from './connect-nats.ts';
export { NatsBus } from './nats-bus.ts';
