// Filling: the flow fills every capacity, gets a rejection for the next item, raises the limits a
// little, and then keeps the exchange at its limits.

import {
  type CommandFrame,
  type EventFrame,
  INITIAL_LIMITS,
  RULES_VERSION_MAX,
} from '../../core/messages/index.ts';
import { type Flow, FlowSender } from './flow-sender.ts';
import { coin, DEPOSITS, order, type Plan, setUp, usualMarket } from './set-up.ts';

const COMMANDS_PER_FRAME = 128;
const RICH_USERS = Array.from({ length: 22 }, (_, index) => index + 1);
const ASSETS = Array.from({ length: INITIAL_LIMITS.assetsMax }, (_, index) => coin(`c${index}`));
const FUNDED_ASSETS = 4;
const WITHDRAWALS = 2;

const PLAN: Plan = {
  assets: ASSETS.map((asset, index) =>
    index < FUNDED_ASSETS ? asset : { ...asset, fundsAtoms: 0n },
  ),
  markets: Array.from({ length: INITIAL_LIMITS.marketsMax }, (_, index) =>
    usualMarket(
      { market: index + 1, base: index === 0 ? 2 : index, quote: index === 0 ? 1 : 16 },
      {
        tickScale: 4,
      },
    ),
  ),
  users: RICH_USERS,
};

type Filler = Generator<CommandFrame, void, EventFrame>;

export function* filling(seed: number): Flow {
  const sender = new FlowSender(seed);
  yield* setUp(sender, PLAN);
  const listing = { ...PLAN.markets[0], base: 3, quote: 4 };
  const { market: _market, middleTicks: _middle, ...body } = listing;
  sender.send({ kind: 'ListMarket', ...body });
  sender.send({ kind: 'ListAsset', symbol: 'onemore', scale: 8, issuanceCapAtoms: 1n });
  yield* sender.publish(1);
  yield* fillUsersAndAccounts(sender);
  yield* fillOrders(sender);
  yield* fillPromises(sender);
  for (let raised = 0; ; raised = Math.min(raised + 1, 500)) {
    for (let frame = 0; frame < 30; frame += 1) {
      for (let sent = 0; sent < 40; sent += 1) stayAtBounds(sender, raised);
      yield* sender.publish(sender.random.between(0, 30));
    }
    sender.send({ kind: 'SetLimits', ...raisedLimits(raised + 1) });
    if (raised === 1) sender.send({ kind: 'SetRulesVersion', version: RULES_VERSION_MAX });
    yield* sender.publish(1);
  }
}

function raisedLimits(by: number) {
  return {
    ...INITIAL_LIMITS,
    assetsMax: INITIAL_LIMITS.assetsMax + by,
    usersMax: INITIAL_LIMITS.usersMax + by,
    accountsMax: INITIAL_LIMITS.accountsMax + 2 * by,
    ordersMax: INITIAL_LIMITS.ordersMax + 3 * by,
    withdrawalsMax: INITIAL_LIMITS.withdrawalsMax + by,
    deadManSwitchesMax: INITIAL_LIMITS.deadManSwitchesMax + by,
    commandWindow: INITIAL_LIMITS.commandWindow + by,
    clientOrderIdWindow: INITIAL_LIMITS.clientOrderIdWindow + by,
  };
}

function* fillUsersAndAccounts(sender: FlowSender): Filler {
  for (let user = RICH_USERS.length + 1; user <= INITIAL_LIMITS.usersMax + 1; user += 1) {
    sender.send({ kind: 'SetUserGroup', user, group: 0, house: false });
    if (sender.pending >= COMMANDS_PER_FRAME) yield* sender.publish(1);
  }
  // Rich users already have accounts. New users take the rest until none is left.
  for (let user = RICH_USERS.length + 1; user <= INITIAL_LIMITS.usersMax; user += 1) {
    for (let asset = 1; asset <= FUNDED_ASSETS; asset += 1) deposit(sender, user, asset);
    if (sender.pending >= COMMANDS_PER_FRAME) yield* sender.publish(1);
  }
  deposit(sender, 1, FUNDED_ASSETS + 1);
  deposit(sender, INITIAL_LIMITS.usersMax + 1, 1);
  yield* sender.publish(1);
}

function deposit(sender: FlowSender, user: number, asset: number): void {
  const reference = '';
  sender.sendFrom(DEPOSITS, { kind: 'CreditDeposit', user, asset, amountAtoms: 5n, reference });
}

function* fillOrders(sender: FlowSender): Filler {
  const perUser = INITIAL_LIMITS.ordersPerUserMax;
  for (const user of RICH_USERS) {
    for (let placed = 0; placed <= perUser; placed += 1) {
      restingOrder(sender, user);
      if (sender.pending >= COMMANDS_PER_FRAME) yield* sender.publish(1);
    }
  }
  yield* sender.publish(1);
}

function restingOrder(sender: FlowSender, user: number): void {
  const { random } = sender;
  const side = random.chance(50) ? 'buy' : 'sell';
  const away = random.between(1, 40);
  const priceTicks = side === 'buy' ? 10_000 - away : 10_000 + away;
  const clientOrderId = random.chance(30) ? `f${random.word()}` : '';
  sender.send(
    order({ user, market: 1, side, priceTicks, sizeLots: 1, key: away % 3, clientOrderId }),
  );
}

/** Withdrawals and switches, settled one by one. */
function* fillPromises(sender: FlowSender): Filler {
  for (let withdrawal = 1; withdrawal <= INITIAL_LIMITS.withdrawalsMax + 1; withdrawal += 1) {
    openWithdrawal(sender, withdrawal);
  }
  for (let key = 0; key <= INITIAL_LIMITS.deadManSwitchesMax; key += 1) {
    sender.send({ kind: 'SetDeadManSwitch', user: 50, key, timeoutMs: 86_400_000 });
  }
  yield* sender.publish(1);
}

function openWithdrawal(sender: FlowSender, withdrawal: number): void {
  const feeAtoms = BigInt(withdrawal % 2);
  const amounts = { amountAtoms: 1n, feeAsset: 1, feeAtoms, destination: 'd1'.repeat(32) };
  const user = sender.random.pick(RICH_USERS);
  sender.sendFrom(WITHDRAWALS, { kind: 'OpenWithdrawal', withdrawal, user, asset: 2, ...amounts });
}

function stayAtBounds(sender: FlowSender, raised: number): void {
  const { random } = sender;
  const dice = random.below(100);
  const seen = sender.orders.pick(random);
  if (dice < 45) {
    restingOrder(sender, random.pick(RICH_USERS));
  } else if (dice < 80 && seen !== undefined) {
    const { user, order: number } = seen;
    sender.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
  } else if (dice < 82) {
    const user = random.pick(RICH_USERS);
    const stop = {
      user,
      market: 1,
      side: 'sell',
      stopTicks: 3,
      priceTicks: 2,
      sizeLots: 1,
    } as const;
    sender.send(order({ ...stop, timeInForce: 'IOC' }));
  } else if (dice < 84) {
    const body = { user: random.pick(RICH_USERS), market: 1, sizeLots: random.between(1, 3) };
    const side = random.chance(50) ? 'buy' : 'sell';
    sender.send(order({ ...body, side, type: 'market', timeInForce: 'IOC', selfTrade: 'off' }));
  } else if (dice < 88) {
    openWithdrawal(sender, random.between(1, 300 + raised));
  } else if (dice < 92) {
    const withdrawal = random.between(1, 300 + raised);
    sender.sendFrom(WITHDRAWALS, { kind: 'CompleteWithdrawal', withdrawal, reference: '' });
  } else if (dice < 95) {
    const user = INITIAL_LIMITS.usersMax - 5 + random.below(raised + 10);
    deposit(sender, user, random.between(1, FUNDED_ASSETS + 1));
  } else if (dice < 98) {
    const timeoutMs = random.pick([0, 1_000, 86_400_000]);
    sender.send({ kind: 'SetDeadManSwitch', user: 50, key: random.below(80 + raised), timeoutMs });
  } else {
    const symbol = `n${random.below(200)}`;
    sender.send({ kind: 'ListAsset', symbol, scale: 8, issuanceCapAtoms: 10n ** 18n });
  }
}
