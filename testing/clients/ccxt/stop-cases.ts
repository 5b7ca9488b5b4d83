// Stop orders of both types and sides: placed, pending, triggered by a trade. Only these cases
// trade in BTC/EUR. Each first sets the last price to 55,000.

import type { hollaex } from 'ccxt';
import { assertFields, type ClientCase, eventually } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';
import { assertBalance } from './order-cases.ts';

const SYMBOL = 'BTC/EUR';
const FUNDS = { btc: '10', eur: '1000000' };

/** Trades 0.01 at this price between two separate users. */
async function tradeAt(stage: ClientStage, price: number): Promise<void> {
  const [maker, taker] = await stage.traders(2, FUNDS);
  await maker.createLimitSellOrder(SYMBOL, 0.01, price);
  await taker.createLimitBuyOrder(SYMBOL, 0.01, price);
}

async function assertClosed(client: hollaex, id: string, filled: string): Promise<void> {
  await eventually(async () => {
    assertFields(await client.fetchOrder(id), { status: 'closed', filled, remaining: '0' });
  });
}

export const stopCases: readonly ClientCase[] = [
  {
    title: 'createStopLimitOrder to buy is pending with its hold, and fills at its price',
    covers: ['createStopLimitOrder'],
    async run(stage) {
      await tradeAt(stage, 55_000);
      const [client, maker] = await stage.traders(2, FUNDS);
      const order = await client.createStopLimitOrder(SYMBOL, 'buy', 0.5, 55_300, 55_200);
      assertFields(order, {
        type: 'limit',
        side: 'buy',
        status: 'open',
        price: '55300',
        triggerPrice: '55200',
        stopPrice: '55200',
        amount: '0.5',
        filled: '0',
      });
      await assertBalance(client, { EUR: ['972350', '27650', '1000000'] });
      assertFields(await client.fetchOrder(order.id!), { status: 'open', triggerPrice: '55200' });
      await maker.createLimitSellOrder(SYMBOL, 0.5, 55_250);
      await tradeAt(stage, 55_200);
      await assertClosed(client, order.id!, '0.5');
      await assertBalance(client, {
        BTC: ['10.499', '0', '10.499'],
        EUR: ['972375', '0', '972375'],
      });
    },
  },
  {
    title: 'createStopLimitOrder to sell is triggered by a trade at its stop',
    covers: ['createStopLimitOrder'],
    async run(stage) {
      await tradeAt(stage, 55_000);
      const [client, maker] = await stage.traders(2, FUNDS);
      const order = await client.createStopLimitOrder(SYMBOL, 'sell', 0.5, 54_700, 54_800);
      assertFields(order, { side: 'sell', status: 'open', price: '54700', triggerPrice: '54800' });
      await assertBalance(client, { BTC: ['9.5', '0.5', '10'] });
      await maker.createLimitBuyOrder(SYMBOL, 0.5, 54_750);
      await tradeAt(stage, 54_800);
      await assertClosed(client, order.id!, '0.5');
      await assertBalance(client, {
        BTC: ['9.5', '0', '9.5'],
        EUR: ['1027320.25', '0', '1027320.25'],
      });
    },
  },
  {
    title: 'createStopMarketOrder to buy takes what is offered when it is triggered',
    covers: ['createStopMarketOrder'],
    async run(stage) {
      await tradeAt(stage, 55_000);
      const [client, maker] = await stage.traders(2, FUNDS);
      const order = await client.createStopMarketOrder(SYMBOL, 'buy', 0.2, 55_100);
      assertFields(order, { type: 'market', side: 'buy', status: 'open', triggerPrice: '55100' });
      await maker.createLimitSellOrder(SYMBOL, 0.2, 55_150);
      await tradeAt(stage, 55_100);
      await assertClosed(client, order.id!, '0.2');
      await assertBalance(client, {
        BTC: ['10.1996', '0', '10.1996'],
        EUR: ['988970', '0', '988970'],
      });
    },
  },
  {
    title: 'createStopMarketOrder to sell takes what is bid when it is triggered',
    covers: ['createStopMarketOrder'],
    async run(stage) {
      await tradeAt(stage, 55_000);
      const [client, maker] = await stage.traders(2, FUNDS);
      const order = await client.createStopMarketOrder(SYMBOL, 'sell', 0.2, 54_900);
      assertFields(order, { type: 'market', side: 'sell', status: 'open', triggerPrice: '54900' });
      await maker.createLimitBuyOrder(SYMBOL, 0.2, 54_850);
      await tradeAt(stage, 54_900);
      await assertClosed(client, order.id!, '0.2');
      await assertBalance(client, {
        BTC: ['9.8', '0', '9.8'],
        EUR: ['1010948.06', '0', '1010948.06'],
      });
    },
  },
  {
    title: 'createStopOrder takes type and side as arguments, and a pending stop is canceled',
    covers: ['createStopOrder'],
    async run(stage) {
      await tradeAt(stage, 55_000);
      const [client] = await stage.traders(1, FUNDS);
      const args = [SYMBOL, 'limit', 'buy', 0.1, 56_000, 56_000] as const;
      const order = await client.createStopOrder(...args);
      assertFields(order, { status: 'open', price: '56000', triggerPrice: '56000' });
      await assertBalance(client, { EUR: ['994400', '5600', '1000000'] });
      assertFields(await client.cancelOrder(order.id!), { status: 'canceled', filled: '0' });
      await assertBalance(client, { EUR: ['1000000', '0', '1000000'] });
    },
  },
];
