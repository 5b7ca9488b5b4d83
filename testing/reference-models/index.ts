// Reference models: slow and obvious implementations, compared with the fast ones.

export type { BookView } from './reference-book.ts';
export { createReferenceExchange } from './reference-exchange.ts';
export { type CommandWithoutId, commandOf } from './unbranded.ts';
