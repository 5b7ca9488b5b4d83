// Reference models: slow and obvious programs that the fast ones are compared with.

export { LARGEST_AMOUNT } from './exact-arithmetic.ts';
export type { BookView, LevelView, OrderView, StopView } from './reference-book.ts';
export { createReferenceExchange, type ReferenceExchange } from './reference-exchange.ts';
export type { ReferenceAccount } from './reference-ledger.ts';
export type { CommandWithoutId, PlainCommand, PlainEvent } from './unbranded.ts';
