// Process: what every service shares of the machine, and nothing of the exchange.

export * from './clock.ts';
