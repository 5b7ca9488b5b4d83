// The name of the simulated exchange, in the subjects of its bus.

export const EXCHANGE = 'simulated';
