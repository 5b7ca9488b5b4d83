// Process: what every service shares of the machine, and nothing of the exchange. Time, the
// environment, the log, metrics, health and the end of a process.

export * from './clock.ts';
export * from './config.ts';
export * from './health-server.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './secret.ts';
export * from './service-settings.ts';
export * from './stop.ts';
