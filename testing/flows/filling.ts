// Filling: every capacity is filled to its last place, the next one is refused, the limits are
// raised by a little, and from then on the exchange is kept at its bounds.

import { type CommandFrame, type EventFrame, INITIAL_LIMITS } from '../../core/messages/index.ts';
import { Desk, type Flow } from './desk.ts';
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
  const desk = new Desk(seed);
  yield* setUp(desk, PLAN);
  const listing = { ...PLAN.markets[0], base: 3, quote: 4 };
  const { market: _market, middleTicks: _middle, ...body } = listing;
  desk.send({ kind: 'ListMarket', ...body });
  desk.send({ kind: 'ListAsset', symbol: 'onemore', scale: 8, issuanceCapAtoms: 1n });
  yield* desk.publish(1);
  yield* fillUsersAndAccounts(desk);
  yield* fillOrders(desk);
  yield* fillPromises(desk);
  for (let raised = 0; ; raised = Math.min(raised + 1, 500)) {
    for (let frame = 0; frame < 30; frame += 1) {
      for (let sent = 0; sent < 40; sent += 1) stayAtBounds(desk, raised);
      yield* desk.publish(desk.random.between(0, 30));
    }
    desk.send({ kind: 'SetLimits', ...raisedLimits(raised + 1) });
    yield* desk.publish(1);
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

function* fillUsersAndAccounts(desk: Desk): Filler {
  for (let user = RICH_USERS.length + 1; user <= INITIAL_LIMITS.usersMax + 1; user += 1) {
    desk.send({ kind: 'SetUserGroup', user, group: 0, house: false });
    if (desk.pending >= COMMANDS_PER_FRAME) yield* desk.publish(1);
  }
  // The rich have their accounts; the others get as many, and then there is no room.
  for (let user = RICH_USERS.length + 1; user <= INITIAL_LIMITS.usersMax; user += 1) {
    for (let asset = 1; asset <= FUNDED_ASSETS; asset += 1) deposit(desk, user, asset);
    if (desk.pending >= COMMANDS_PER_FRAME) yield* desk.publish(1);
  }
  deposit(desk, 1, FUNDED_ASSETS + 1);
  deposit(desk, INITIAL_LIMITS.usersMax + 1, 1);
  yield* desk.publish(1);
}

function deposit(desk: Desk, user: number, asset: number): void {
  const reference = '';
  desk.sendFrom(DEPOSITS, { kind: 'CreditDeposit', user, asset, amountAtoms: 5n, reference });
}

function* fillOrders(desk: Desk): Filler {
  const perUser = INITIAL_LIMITS.ordersPerUserMax;
  for (const user of RICH_USERS) {
    for (let placed = 0; placed <= perUser; placed += 1) {
      restingOrder(desk, user);
      if (desk.pending >= COMMANDS_PER_FRAME) yield* desk.publish(1);
    }
  }
  yield* desk.publish(1);
}

function restingOrder(desk: Desk, user: number): void {
  const { random } = desk;
  const side = random.chance(50) ? 'buy' : 'sell';
  const away = random.between(1, 40);
  const priceTicks = side === 'buy' ? 10_000 - away : 10_000 + away;
  const clientOrderId = random.chance(30) ? `f${random.word()}` : '';
  desk.send(
    order({ user, market: 1, side, priceTicks, sizeLots: 1, key: away % 3, clientOrderId }),
  );
}

/** Withdrawals and switches: promises that are kept one by one. */
function* fillPromises(desk: Desk): Filler {
  for (let withdrawal = 1; withdrawal <= INITIAL_LIMITS.withdrawalsMax + 1; withdrawal += 1) {
    openWithdrawal(desk, withdrawal);
  }
  for (let key = 0; key <= INITIAL_LIMITS.deadManSwitchesMax; key += 1) {
    desk.send({ kind: 'SetDeadManSwitch', user: 50, key, timeoutMs: 86_400_000 });
  }
  yield* desk.publish(1);
}

function openWithdrawal(desk: Desk, withdrawal: number): void {
  const amounts = { amountAtoms: 1n, feeAsset: 1, feeAtoms: BigInt(withdrawal % 2) };
  const user = desk.random.pick(RICH_USERS);
  desk.sendFrom(WITHDRAWALS, { kind: 'OpenWithdrawal', withdrawal, user, asset: 2, ...amounts });
}

function stayAtBounds(desk: Desk, raised: number): void {
  const { random } = desk;
  const dice = random.below(100);
  const seen = desk.orders.pick(random);
  if (dice < 45) {
    restingOrder(desk, random.pick(RICH_USERS));
  } else if (dice < 80 && seen !== undefined) {
    const { user, order: number } = seen;
    desk.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
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
    desk.send(order({ ...stop, timeInForce: 'IOC' }));
  } else if (dice < 84) {
    const body = { user: random.pick(RICH_USERS), market: 1, sizeLots: random.between(1, 3) };
    const side = random.chance(50) ? 'buy' : 'sell';
    desk.send(order({ ...body, side, type: 'market', timeInForce: 'IOC', selfTrade: 'off' }));
  } else if (dice < 88) {
    openWithdrawal(desk, random.between(1, 300 + raised));
  } else if (dice < 92) {
    const withdrawal = random.between(1, 300 + raised);
    desk.sendFrom(WITHDRAWALS, { kind: 'CompleteWithdrawal', withdrawal, reference: '' });
  } else if (dice < 95) {
    const user = INITIAL_LIMITS.usersMax - 5 + random.below(raised + 10);
    deposit(desk, user, random.between(1, FUNDED_ASSETS + 1));
  } else if (dice < 98) {
    const timeoutMs = random.pick([0, 1_000, 86_400_000]);
    desk.send({ kind: 'SetDeadManSwitch', user: 50, key: random.below(80 + raised), timeoutMs });
  } else {
    const symbol = `n${random.below(200)}`;
    desk.send({ kind: 'ListAsset', symbol, scale: 8, issuanceCapAtoms: 10n ** 18n });
  }
}
