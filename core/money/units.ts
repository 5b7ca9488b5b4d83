// The units of money and trading as branded types that the compiler keeps apart. Numbers with a
// unit carry its brand across package boundaries. No conversion happens here.

declare const unit: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [unit]: Name };

/** The smallest part of an asset in the ledger. Always a whole number, at most 2^62. */
export type Atoms = Branded<bigint, 'Atoms'>;
/** A price as a whole number of a market's ticks. */
export type Ticks = Branded<number, 'Ticks'>;
/** A size as a whole number of a market's lots. */
export type Lots = Branded<number, 'Lots'>;
/** A rate in millionths: 1,000 is 0.1%. */
export type Ppm = Branded<number, 'Ppm'>;
/** Milliseconds since 1970 UTC, from the sequencer's timestamp of a frame. */
export type TimeMs = Branded<number, 'TimeMs'>;

/** From 1 to USER_MAX. */
export type UserId = Branded<number, 'UserId'>;
/** Assets and markets are numbered from 1 in order of listing; 0 means none. */
export type AssetId = Branded<number, 'AssetId'>;
export type MarketId = Branded<number, 'MarketId'>;
/** The API key or session that sent an order, below 2^32; 0 for none. */
export type KeyId = Branded<number, 'KeyId'>;

/** Position of a command in the log, starting at 1. An order's id is its command's number. */
export type CommandNumber = Branded<number, 'CommandNumber'>;
export type OrderNumber = CommandNumber;
/** Position of a trade among all trades, from 1. */
export type TradeNumber = Branded<number, 'TradeNumber'>;

/** The largest balance, notional or issuance cap: the sum of two still fits 64 bits. */
export const ATOMS_MAX = (1n << 62n) as Atoms;
export const USER_MAX = 2 ** 31 - 1;
export const ONE_MILLION_PPM = 1_000_000;
