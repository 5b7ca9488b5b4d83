// Reference models: slow and obvious implementations, compared with the fast ones.

export { LARGEST_AMOUNT } from './exact-arithmetic.ts';
export type { BookView, LevelView, OrderView, StopView } from './reference-book.ts';
export { createReferenceExchange, type ReferenceExchange } from './reference-exchange.ts';
export type { ReferenceAccount } from './reference-ledger.ts';
export {
  type CommandWithoutId,
  commandOf,
  type PlainCommand,
  type PlainEvent,
} from './unbranded.ts';
