// Protocol: the interface as data, and the values that the wire is made of. Knows no handler.

export * from './route.ts';
export * from './time-text.ts';
export * from './wire-types.ts';
