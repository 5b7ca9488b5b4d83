// Many users in two markets who trade, amend, transfer and withdraw a little each: for tests that
// look at each user's account.

import { type Flow, FlowSender } from './flow-sender.ts';
import { awayFrom, coin, DEPOSITS, order, type Plan, setUp, USDT, usualMarket } from './set-up.ts';

const TRANSFERS = 2;
const WITHDRAWALS = 3;
const OPEN_WITHDRAWALS_MAX = 40;
const OPEN_ORDERS_WANTED = 200;

interface OpenWithdrawal {
  readonly withdrawal: number;
  readonly user: number;
}

export function* manyUsers(seed: number, count: number): Flow {
  const plan: Plan = {
    assets: [USDT, coin('btc'), coin('eth')],
    markets: [
      usualMarket({ market: 1, base: 2, quote: 1 }),
      usualMarket({ market: 2, base: 3, quote: 1 }, { middleTicks: 2_500, referenceTicks: 0 }),
    ],
    users: Array.from({ length: count }, (_, index) => index + 1),
  };
  const sender = new FlowSender(seed);
  const withdrawals: OpenWithdrawal[] = [];
  yield* setUp(sender, plan);
  for (let next = 1; ; ) {
    const commands = sender.random.between(1, 24);
    for (let sent = 0; sent < commands; sent++) {
      const dice = sender.random.below(100);
      if (dice < 60) sendOrder(sender, plan);
      else if (dice < 80) changeOrder(sender);
      else if (dice < 90) sendMoney(sender, plan);
      else if (withdrawals.length < OPEN_WITHDRAWALS_MAX) {
        withdrawals.push(openWithdrawal(sender, plan, next++));
      } else endWithdrawal(sender, withdrawals.shift()!);
    }
    yield* sender.publish(sender.random.between(0, 400));
  }
}

function sendOrder(sender: FlowSender, plan: Plan): void {
  const { random } = sender;
  const market = random.pick(plan.markets);
  const side = random.chance(50) ? 'buy' : 'sell';
  const middleTicks = sender.lastPriceOf(market.market, market.middleTicks);
  const priceTicks = awayFrom(middleTicks, side, random.between(-4, 8), market);
  const user = random.pick(plan.users);
  const sizeLots = random.between(1, 500);
  sender.send(order({ user, market: market.market, side, priceTicks, sizeLots }));
}

function changeOrder(sender: FlowSender): void {
  const { orders, random } = sender;
  const seen = orders.pick(random);
  if (seen === undefined) return;
  const { order: number, sizeLots, user } = seen;
  if (orders.count > OPEN_ORDERS_WANTED || random.chance(50)) {
    sender.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
  } else {
    const amended = Math.max(1, sizeLots + random.between(-100, 60));
    const change = { priceTicks: 0, sizeLots: amended, stopTicks: 0 };
    sender.send({ kind: 'AmendOrder', user, order: number, ...change });
  }
}

function sendMoney(sender: FlowSender, { assets, users }: Plan): void {
  const { random } = sender;
  const asset = random.between(1, assets.length);
  const amountAtoms = BigInt(random.between(1, 1_000_000));
  const user = random.pick(users);
  const dice = random.below(10);
  if (dice === 0) {
    sender.sendFrom(DEPOSITS, { kind: 'SettleFees', user, asset });
  } else if (dice < 5) {
    const reference = `more for ${user}`;
    sender.sendFrom(DEPOSITS, { kind: 'CreditDeposit', user, asset, amountAtoms, reference });
  } else {
    const parties = { sender: user, receiver: random.pick(users) };
    const reference = 'between friends';
    sender.sendFrom(TRANSFERS, {
      kind: 'TransferAsset',
      ...parties,
      asset,
      amountAtoms,
      reference,
    });
  }
}

function openWithdrawal(sender: FlowSender, plan: Plan, withdrawal: number): OpenWithdrawal {
  const { random } = sender;
  const user = random.pick(plan.users);
  const [asset, feeAsset] = [2, 1];
  const amounts = { amountAtoms: BigInt(random.between(1, 1_000_000)), feeAtoms: 1_000n };
  sender.sendFrom(WITHDRAWALS, {
    kind: 'OpenWithdrawal',
    withdrawal,
    user,
    asset,
    feeAsset,
    destination: 'd1'.repeat(32),
    ...amounts,
  });
  return { withdrawal, user };
}

function endWithdrawal(sender: FlowSender, { withdrawal }: OpenWithdrawal): void {
  if (sender.random.chance(70)) {
    sender.sendFrom(WITHDRAWALS, { kind: 'CompleteWithdrawal', withdrawal, reference: 'paid' });
  } else {
    sender.sendFrom(WITHDRAWALS, { kind: 'CancelWithdrawal', withdrawal });
  }
}
