// Reference models: slow, obvious implementations to compare with the fast ones.

export type { BookView } from './reference-book.ts';
export { createReferenceExchange } from './reference-exchange.ts';
export { type CommandWithoutId, commandOf } from './unbranded.ts';
