// The endpoints that ccxt declares without a method, called like its users call them.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { InsufficientFunds } from 'ccxt';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { assertFields, assertRefused, type ClientCase, eventually } from '../client-case.ts';

type Raw = Readonly<Record<string, unknown>>;

const DAY_S = 86_400;
const now = () => Math.floor(Date.now() / 1_000);
const span = () => ({ from: now() - 2 * DAY_S, to: now() + DAY_S });

export const rawCases: readonly ClientCase[] = [
  {
    title: 'health returns name, version and that orders are accepted',
    covers: ['GET public health'],
    async run(stage) {
      const health = (await stage.client().publicGetHealth()) as Raw;
      assertFields(health, { name: 'Rialto', version: '2.19.2', basePath: '/v2', status: true });
    },
  },
  {
    title: 'kit returns the branding for clients',
    covers: ['GET public kit'],
    async run(stage) {
      const kit = (await stage.client().publicGetKit()) as Raw;
      assertFields(kit, { api_name: 'Rialto', native_currency: 'usdt', setup_completed: true });
      assert.ok((kit.valid_languages as string).split(',').includes('en'));
    },
  },
  {
    title: 'charts return the candles of all markets',
    covers: ['GET public charts'],
    async run(stage) {
      const charts = (await stage.client().publicGetCharts({ resolution: '1D', ...span() })) as Raw;
      assert.deepEqual(Object.keys(charts).sort(), ['btc-eur', 'btc-usdt', 'usdt-eur']);
      const [candle] = charts['usdt-eur'] as Raw[];
      assertFields(candle, { symbol: 'usdt-eur', open: 0.92, low: 0.92 });
    },
  },
  {
    title: 'minicharts return prices as strings in the requested quote currency',
    covers: ['GET public minicharts'],
    async run(stage) {
      const client = stage.client();
      await eventually(async () => {
        const charts = await client.publicGetMinicharts({ assets: 'usdt,btc', quote: 'eur' });
        const points = (charts as Record<string, Raw[]>).usdt;
        assertFields(points.at(-1)!, { symbol: 'usdt', quote: 'eur', price: '0.93' });
      });
    },
  },
  {
    title: 'oracle prices use the last trades and multiply by an amount',
    covers: ['GET public oracle/prices'],
    async run(stage) {
      const client = stage.client();
      const one = (await client.publicGetOraclePrices({ assets: 'usdt,eur', quote: 'eur' })) as Raw;
      assert.deepEqual(one, { usdt: 0.93, eur: 1 });
      const two = await client.publicGetOraclePrices({ assets: 'usdt', quote: 'eur', amount: 200 });
      assert.deepEqual(two, { usdt: 186 });
    },
  },
  {
    title: 'a quote returns the received amount, without a token for anonymous callers',
    covers: ['GET public quick-trade'],
    async run(stage) {
      const quote = (await stage.client().publicGetQuickTrade({
        spending_currency: 'usdt',
        receiving_currency: 'eur',
        spending_amount: '10',
      })) as Raw;
      assertFields(quote, {
        spending_currency: 'usdt',
        receiving_currency: 'eur',
        spending_amount: 10,
        receiving_amount: 9,
        type: 'market',
        token: undefined,
      });
    },
  },
  {
    title: 'udf config, symbols and history serve a charting library',
    covers: ['GET public udf/config', 'GET public udf/symbols', 'GET public udf/history'],
    async run(stage) {
      const client = stage.client();
      const config = (await client.publicGetUdfConfig()) as Raw;
      assert.ok((config.supported_resolutions as string[]).includes('1D'));
      const symbol = (await client.publicGetUdfSymbols({ symbol: 'usdt-eur' })) as Raw;
      assertFields(symbol, { name: 'usdt-eur', pricescale: 10_000, has_intraday: true });
      const asked = { symbol: 'usdt-eur', resolution: '1D', ...span() };
      const history = (await client.publicGetUdfHistory(asked)) as Record<string, unknown[]>;
      assertFields(history, { s: 'ok' });
      assert.deepEqual([history.o[0], history.h.at(-1), history.c.at(-1)], [0.92, 0.93, 0.93]);
      assert.equal(history.t.length, history.v.length);
    },
  },
  {
    title: 'user returns the caller with balance and addresses',
    covers: ['GET private user'],
    async run(stage) {
      const { alice } = stage.sandbox.seeded.users;
      const user = (await stage.client(alice).privateGetUser()) as Raw;
      assertFields(user, {
        id: alice.user,
        email: 'alice@example.com',
        full_name: 'Alice Trader',
        verification_level: 1,
        activated: true,
      });
      assertFields(user.balance as Raw, { btc_balance: 100, btc_available: 100 });
    },
  },
  {
    title: 'withdrawal fee returns the fee of a currency',
    covers: ['GET private user/withdrawal/fee'],
    async run(stage) {
      const client = stage.client(stage.sandbox.seeded.users.alice);
      const fee = (await client.privateGetUserWithdrawalFee({ currency: 'btc' })) as Raw;
      assertFields(fee, { fee: 0.0005 });
    },
  },
  {
    title: 'sub-accounts are listed, and money moves to one and back',
    covers: ['GET private subaccounts', 'POST private subaccount/transfer'],
    async run(stage) {
      const { alice } = stage.sandbox.seeded.users;
      const client = stage.client(alice);
      const rest = new RestClient({ url: stage.sandbox.url, key: alice.key, secret: alice.secret });
      const made = await rest.post('/subaccount', { label: randomUUID(), virtual: true });
      assert.equal(made.status, 201, made.text);
      const { data } = await client.privateGetSubaccounts();
      const ids = data.map(({ id }: { id: number | string }) => Number(id));
      assert.ok(ids.includes(made.body.id));
      const of = { subaccount_id: made.body.id, currency: 'usdt', amount: 1.5 };
      for (const direction of ['to_sub', 'to_master']) {
        const moved = await client.privatePostSubaccountTransfer({ ...of, direction });
        assert.equal(moved.message, 'Success');
      }
      const more = { ...of, amount: 2, direction: 'to_master' };
      const again = client.privatePostSubaccountTransfer(more);
      await assertRefused(again, InsufficientFunds, 'Insufficient balance');
    },
  },
];
