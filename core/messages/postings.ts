// The postings of each event. Applying the postings of all events, in order, to empty accounts
// gives exactly the engine's ledger. This is the only place that defines them.

import type { AssetId, Atoms } from '../money/index.ts';
import type {
  AssetBurned,
  AssetMinted,
  AssetTransferred,
  DepositCredited,
  Event,
  FeesSettled,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  TradeExecuted,
  WithdrawalCanceled,
  WithdrawalCompleted,
  WithdrawalOpened,
} from './events.ts';
import { EXTERNAL_OWNER, FEES_OWNER, type Owner } from './owners.ts';

export type AccountPart = 'available' | 'held';

export interface PostingSide {
  readonly owner: Owner;
  readonly part: AccountPart;
}

/** Why money moved. The pair of kind and id is unique. */
export interface PostingCause {
  readonly kind:
    | 'deposit'
    | 'mint'
    | 'burn'
    | 'transfer'
    | 'fee_settlement'
    | 'withdrawal'
    | 'order'
    | 'trade';
  /** The number of the trade, order or withdrawal; otherwise of the command. */
  readonly id: number;
}

/** Moves at least one atom from one part of an account to another. */
export interface Posting {
  readonly asset: AssetId;
  readonly from: PostingSide;
  readonly to: PostingSide;
  readonly amountAtoms: Atoms;
  readonly cause: PostingCause;
}

export function postingsOf(event: Event): readonly Posting[] {
  switch (event.kind) {
    case 'OrderPlaced':
    case 'OrderAmended':
    case 'OrderClosed':
      return holdPostings(event);
    case 'TradeExecuted':
      return tradePostings(event);
    case 'DepositCredited':
    case 'AssetMinted':
    case 'AssetBurned':
    case 'AssetTransferred':
    case 'FeesSettled':
      return payments(event);
    case 'WithdrawalOpened':
    case 'WithdrawalCompleted':
    case 'WithdrawalCanceled':
      return withdrawalPostings(event);
    case 'CommandRefused':
    case 'CommandRepeated':
    case 'OrderTriggered':
    case 'DeadManSwitchSet':
    case 'DeadManSwitchFired':
    case 'AssetListed':
    case 'IssuanceCapSet':
    case 'MarketListed':
    case 'MarketStatusSet':
    case 'MarketFeesSet':
    case 'UserFeesSet':
    case 'UserGroupSet':
    case 'PriceBandSet':
    case 'LimitsSet':
    case 'CommandPoisoned':
    case 'CommandVoided':
    case 'AuditAnchored':
    case 'BandReferenceMoved':
    case 'RulesVersionSet':
    case 'AuctionPriceSet':
      return [];
  }
}

const EXTERNAL: PostingSide = { owner: EXTERNAL_OWNER, part: 'available' };
const FEES: PostingSide = { owner: FEES_OWNER, part: 'available' };

function available(owner: Owner): PostingSide {
  return { owner, part: 'available' };
}

function held(owner: Owner): PostingSide {
  return { owner, part: 'held' };
}

function withoutZeros(postings: readonly Posting[]): readonly Posting[] {
  return postings.filter(({ amountAtoms }) => amountAtoms !== 0n);
}

function holdPostings(event: OrderPlaced | OrderAmended | OrderClosed): readonly Posting[] {
  const change = heldChange(event);
  const [from, to] =
    change > 0n
      ? [available(event.user), held(event.user)]
      : [held(event.user), available(event.user)];
  const amountAtoms = (change > 0n ? change : -change) as Atoms;
  const cause = { kind: 'order', id: event.order } as const;
  return withoutZeros([{ asset: event.heldAsset, from, to, amountAtoms, cause }]);
}

/** Positive is held, negative is released. */
function heldChange(event: OrderPlaced | OrderAmended | OrderClosed): bigint {
  if (event.kind === 'OrderPlaced') return event.heldAtoms;
  if (event.kind === 'OrderAmended') return event.heldChangeAtoms;
  return -event.releasedAtoms;
}

function tradePostings(trade: TradeExecuted): readonly Posting[] {
  const { base, quote } = trade;
  const takerBuys = trade.takerSide === 'buy';
  const [buyer, seller] = takerBuys ? [trade.taker, trade.maker] : [trade.maker, trade.taker];
  const [buyerFee, sellerFee] = takerBuys
    ? [trade.takerFeeAtoms, trade.makerFeeAtoms]
    : [trade.makerFeeAtoms, trade.takerFeeAtoms];
  // A direct trade has neither orders nor holds.
  const payer = trade.takerOrder === 0 ? available : held;
  const cause = { kind: 'trade', id: trade.trade } as const;
  const [fromBuyer, toBuyer] = [payer(buyer), available(buyer)];
  const [fromSeller, toSeller] = [payer(seller), available(seller)];
  return withoutZeros([
    { asset: quote, from: fromBuyer, to: toSeller, amountAtoms: trade.quoteAtoms, cause },
    { asset: base, from: fromSeller, to: toBuyer, amountAtoms: trade.baseAtoms, cause },
    { asset: base, from: toBuyer, to: FEES, amountAtoms: buyerFee, cause },
    { asset: quote, from: toSeller, to: FEES, amountAtoms: sellerFee, cause },
    { asset: quote, from: held(buyer), to: toBuyer, amountAtoms: trade.releasedAtoms, cause },
  ]);
}

type Payment = DepositCredited | AssetMinted | AssetBurned | AssetTransferred | FeesSettled;

function payments(event: Payment): readonly Posting[] {
  const { from, to, kind } = paymentRoute(event);
  const { asset, amountAtoms, command } = event;
  return withoutZeros([{ asset, from, to, amountAtoms, cause: { kind, id: command } }]);
}

function paymentRoute(event: Payment): Pick<Posting, 'from' | 'to'> & Pick<PostingCause, 'kind'> {
  switch (event.kind) {
    case 'DepositCredited':
      return { kind: 'deposit', from: EXTERNAL, to: available(event.user) };
    case 'AssetMinted':
      return { kind: 'mint', from: EXTERNAL, to: available(event.user) };
    case 'AssetBurned':
      return { kind: 'burn', from: available(event.user), to: EXTERNAL };
    case 'AssetTransferred':
      return { kind: 'transfer', from: available(event.sender), to: available(event.receiver) };
    case 'FeesSettled':
      return { kind: 'fee_settlement', from: FEES, to: available(event.user) };
  }
}

function withdrawalPostings(
  event: WithdrawalOpened | WithdrawalCompleted | WithdrawalCanceled,
): readonly Posting[] {
  const { user, asset, amountAtoms, feeAsset, feeAtoms } = event;
  const cause = { kind: 'withdrawal', id: event.withdrawal } as const;
  const from = event.kind === 'WithdrawalOpened' ? available(user) : held(user);
  const back = event.kind === 'WithdrawalOpened' ? held(user) : available(user);
  const isCompleted = event.kind === 'WithdrawalCompleted';
  return withoutZeros([
    { asset, from, to: isCompleted ? EXTERNAL : back, amountAtoms, cause },
    { asset: feeAsset, from, to: isCompleted ? FEES : back, amountAtoms: feeAtoms, cause },
  ]);
}
