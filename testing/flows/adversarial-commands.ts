// The adversarial flow's commands that are not orders: money, listings and operator settings.

import { CAPACITY_MAX, INITIAL_LIMITS, MARKET_STATUSES } from '../../core/messages/index.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';
import type { ChannelBody, FlowSender } from './flow-sender.ts';
import type { Random } from './random.ts';
import { type MarketPlan, order } from './set-up.ts';

const LARGEST = 2n ** 62n;
const WITHDRAWALS = 12;
/** A user and a channel that nothing else touches, so balances are known to the atom. */
const EXACT_USER = 77;
const EXACT_CHANNEL = 6;
const EXACT_WITHDRAWAL = 99;

/** Returns any amount from one atom up: dust, ordinary amounts, and more than any user has. */
function anyAmount({ random }: FlowSender): bigint {
  return random.pick([1n, 2n, 1_000n, BigInt(random.word()), LARGEST / 16n, LARGEST]);
}

export function moneyCommand(
  sender: FlowSender,
  users: readonly number[],
  assets: number,
): ChannelBody {
  const { random } = sender;
  const user = random.pick(users);
  const asset = random.between(1, assets);
  const amountAtoms = anyAmount(sender);
  const reference = 'r';
  const dice = random.below(16);
  if (dice < 2) return { kind: 'CreditDeposit', user, asset, amountAtoms, reference };
  if (dice < 4) return { kind: 'MintAsset', user, asset, amountAtoms, reference };
  if (dice < 6) return { kind: 'BurnAsset', user, asset, amountAtoms, reference };
  if (dice < 9) {
    const parties = { sender: user, receiver: random.pick(users) };
    return { kind: 'TransferAsset', ...parties, asset, amountAtoms, reference };
  }
  if (dice < 14) return withdrawalCommand(sender, user, asset);
  if (dice < 15) return { kind: 'SettleFees', asset, user };
  return {
    kind: 'TradeDirectly',
    market: random.between(1, 5),
    maker: user,
    taker: random.pick(users),
    takerSide: random.chance(50) ? 'buy' : 'sell',
    priceTicks: random.pick([2, 4, 1_000, 2 ** 41]),
    sizeLots: random.pick([1, 3, 300, 2 ** 20]),
    makerFeePpm: random.pick([0, 1, 500_000]),
    takerFeePpm: random.pick([0, 1, 500_000]),
  };
}

function withdrawalCommand(sender: FlowSender, user: number, asset: number): ChannelBody {
  const { random } = sender;
  const withdrawal = random.between(1, WITHDRAWALS);
  const dice = random.below(6);
  if (dice < 2) return { kind: 'CompleteWithdrawal', withdrawal, reference: 'paid' };
  if (dice < 3) return { kind: 'CancelWithdrawal', withdrawal };
  return {
    kind: 'OpenWithdrawal',
    withdrawal,
    user,
    asset,
    amountAtoms: anyAmount(sender),
    feeAsset: random.chance(60) ? asset : random.between(1, 4),
    feeAtoms: random.pick([0n, 1n, 500n, LARGEST]),
    destination: anyDestination(random),
  };
}

/** A hash, or what the engine must not keep. */
function anyDestination(random: Random): string {
  const hash = random
    .below(1 << 30)
    .toString(16)
    .padStart(64, '0');
  return random.pick([hash, hash, hash.slice(1), `${hash}0`, 'x'.repeat(300), '']);
}

/** Sends one atom too much (rejected), then the exact amount. The user starts and ends empty. */
export function sendToTheAtom(sender: FlowSender): void {
  const { random } = sender;
  const user = EXACT_USER;
  const priceTicks = random.between(900, 1_100);
  const sizeLots = random.between(3, 290);
  // Market 4: one lot at one tick is one atom of asset 4.
  const atoms = BigInt(priceTicks * sizeLots);
  const reference = 'exactly';
  const credit = { user, asset: 4, amountAtoms: atoms, reference };
  sender.sendFrom(EXACT_CHANNEL, { kind: 'CreditDeposit', ...credit });
  if (random.chance(50)) {
    const withdrawal = EXACT_WITHDRAWAL;
    const terms = { withdrawal, user, asset: 4, feeAsset: 4, destination: 'd1'.repeat(32) };
    const open = { kind: 'OpenWithdrawal', ...terms } as const;
    const feeAtoms = BigInt(random.between(1, 9));
    sender.sendFrom(EXACT_CHANNEL, { ...open, amountAtoms: atoms, feeAtoms });
    sender.sendFrom(EXACT_CHANNEL, { ...open, amountAtoms: atoms - feeAtoms + 1n, feeAtoms });
    sender.sendFrom(EXACT_CHANNEL, { ...open, amountAtoms: atoms - feeAtoms, feeAtoms });
    sender.sendFrom(EXACT_CHANNEL, { kind: 'CompleteWithdrawal', withdrawal, reference });
  } else {
    const body = { user, market: 4, side: 'buy', priceTicks } as const;
    sender.send(order({ ...body, sizeLots: sizeLots + 1 }));
    sender.send(order({ ...body, sizeLots }));
    sender.send({ kind: 'CancelAllOrders', user, market: 0, byOperator: false });
    sender.sendFrom(EXACT_CHANNEL, { kind: 'BurnAsset', ...credit, amountAtoms: atoms + 1n });
    sender.sendFrom(EXACT_CHANNEL, { kind: 'BurnAsset', ...credit });
  }
}

export function listingCommand({ random }: FlowSender, assets: number): CommandWithoutId {
  const dice = random.below(3);
  if (dice === 0) {
    const symbol = random.pick(['btc', 'usdt', 'dust', `n${random.below(30)}`]);
    const issuanceCapAtoms = random.pick([0n, 1n, LARGEST, LARGEST + 1n]);
    return { kind: 'ListAsset', symbol, scale: random.pick([0, 8, 18, 19]), issuanceCapAtoms };
  }
  if (dice === 1) {
    const issuanceCapAtoms = random.pick([1n, 60_005n, 60_010n, 10n ** 18n, LARGEST]);
    return { kind: 'SetIssuanceCap', asset: random.between(1, assets), issuanceCapAtoms };
  }
  if (random.chance(20)) return marketOfOneAtom(random.pick([1, 2, 6]));
  const lot = { lotAtoms: random.pick([1n, 2n, 100n, LARGEST]), tickMantissa: random.pick([1, 3]) };
  return {
    kind: 'ListMarket',
    base: random.between(1, 8),
    quote: random.between(1, 8),
    ...lot,
    tickScale: random.pick([0, 0, 2, 9]),
    minPriceTicks: random.pick([1, 2]),
    maxPriceTicks: random.pick([1, 5_000]),
    minSizeLots: random.pick([0, 1, 1, 2]),
    maxSizeLots: random.pick([1, 5_000]),
    referenceTicks: random.pick([0, 1, 5_000, 5_001]),
    status: 'pre-launch',
  };
}

/** One lot at the lowest price would be worth a single atom. */
function marketOfOneAtom(quote: number): CommandWithoutId {
  return {
    kind: 'ListMarket',
    base: 3,
    quote,
    lotAtoms: 100n,
    tickMantissa: 1,
    tickScale: 0,
    minPriceTicks: 1,
    maxPriceTicks: 10,
    minSizeLots: 1,
    maxSizeLots: 10,
    referenceTicks: 0,
    status: 'full',
  };
}

export function operatorCommand(
  sender: FlowSender,
  users: readonly number[],
  markets: readonly MarketPlan[],
): CommandWithoutId {
  const { random } = sender;
  const user = random.pick(users);
  const { market, middleTicks } = random.pick(markets);
  const dice = random.below(20);
  if (dice < 2) {
    const timeoutMs = random.pick([0, 0, 1_000, 5_000, 86_400_000]);
    return { kind: 'SetDeadManSwitch', user, key: random.below(3), timeoutMs };
  }
  if (dice < 7) {
    const status = random.chance(88) ? 'full' : random.pick(MARKET_STATUSES);
    const auctionEndsMs = sender.timeMs + random.pick([1, 700, 604_800_001]);
    const hasEnd = status === 'auction' ? random.chance(70) : random.chance(1);
    return { kind: 'SetMarketStatus', market, status, auctionEndsMs: hasEnd ? auctionEndsMs : 0 };
  }
  if (dice < 9) {
    const rates = random.pick([0, 1, 1_000, 500_000]);
    return { kind: 'SetMarketFees', market, tier: 1, makerPpm: rates, takerPpm: rates };
  }
  if (dice < 11)
    return { kind: 'SetUserFees', user, tier: random.pick([0, 1, 63]), discountPpm: 1 };
  if (dice < 13) return { kind: 'SetUserGroup', user, group: random.below(3), house: false };
  if (dice < 16) {
    const bandPpm = random.pick([0, 0, 1, 999_999]);
    const slippagePpm = random.pick([0, 0, 1, 999_999]);
    const referenceTicks = random.pick([0, 0, middleTicks, 2 ** 41]);
    return { kind: 'SetPriceBand', market, bandPpm, slippagePpm, referenceTicks };
  }
  if (dice < 18) return { kind: 'VoidCommand', command: random.between(0, 500) };
  if (dice < 19) {
    const hash = random.pick(['', 'x', 'ab'.repeat(32)]);
    return { kind: 'AnchorAudit', auditSequence: random.below(1_000), hash };
  }
  // A window that has grown cannot shrink again, so these remain unchanged.
  return {
    kind: 'SetLimits',
    ...INITIAL_LIMITS,
    fillsPerCommandMax: random.pick([1, 3, 100]),
    stopsPerStepMax: random.pick([1, 2, 100]),
    switchesPerFrameMax: random.pick([1, 100]),
    bandWindowMs: random.pick([1, 1_000]),
    accountsPerUserMax: random.pick([1, 3, CAPACITY_MAX]),
    stopsPerUserMax: random.pick([1, 3, CAPACITY_MAX]),
    withdrawalsPerUserMax: random.pick([1, 2, CAPACITY_MAX]),
    deadManSwitchesPerUserMax: random.pick([1, 2, CAPACITY_MAX]),
    clientOrderIdsPerUserMax: random.pick([1, 3, CAPACITY_MAX]),
    ownOrdersPerCommandMax: random.pick([1, 2, CAPACITY_MAX]),
  };
}
