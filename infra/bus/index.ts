// Bus: messages between services that may be lost, and the connection to NATS that carries them.

export * from './bus-port.ts';
export * from './connect-nats.ts';
export * from './nats-bus.ts';
export * from './raise-bug.ts';
