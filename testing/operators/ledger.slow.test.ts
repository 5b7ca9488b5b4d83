// The ledger over HTTP on a real exchange: a trade is visible in postings with running balances, in
// balances before and after it, and in totals that remain zero.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

interface Row {
  readonly frame: number;
  readonly currency: string;
  readonly available_change: number;
  readonly held_change: number;
  readonly available: number;
  readonly held: number;
  readonly cause: string;
  readonly command: number;
}

const USDT = 1_000_000;

let sandbox: Sandbox;
let admin: RestClient;
let alice: RestClient;
let bob: RestClient;
let user_id: number;

describe('the ledger over HTTP', { timeout: 240_000 }, () => {
  before(async () => {
    sandbox = await startSandbox({});
    const { seeded, url } = sandbox;
    admin = new RestClient({ url, ...seeded.users.admin });
    alice = new RestClient({ url, ...seeded.users.alice });
    bob = new RestClient({ url, ...seeded.users.bob });
    user_id = seeded.users.alice.user;
  });
  after(() => sandbox?.stop());

  test('a trade has one log position, with the balances before and after it', async () => {
    const { frame } = await positionNow();
    await place(alice, 'sell');
    await place(bob, 'buy');
    const rows = await postings({ user_id: `${user_id}`, currency: 'btc' });
    const [sold, held] = rows;
    assert.equal(sold.cause, 'trade');
    assert.equal(held.cause, 'order');
    assert.deepEqual([sold.available_change, sold.held_change], [0, -0.01]);
    assert.deepEqual([held.available_change, held.held_change], [-0.01, 0.01]);
    for (const [at, row] of rows.entries()) {
      const older = rows[at + 1];
      const wanted = older === undefined ? 0 : older.available;
      assert.ok(Math.abs(row.available - row.available_change - wanted) < 1e-9, `row ${at}`);
    }
    const btcAt = async (as_of: string) => {
      const { balances } = await get('/admin/ledger/balances', { user_id: `${user_id}`, as_of });
      return balances.find(({ currency }: Row) => currency === 'btc');
    };
    const earlier = await btcAt(`${frame}`);
    const between = await btcAt(`${held.frame}`);
    const later = await btcAt(`${sold.frame}`);
    assert.deepEqual([between.available, between.held], [held.available, held.held]);
    assert.deepEqual([later.available, later.held], [sold.available, sold.held]);
    assert.ok(Math.abs(earlier.total - later.total - 0.01) < 1e-9);
    const moved = await postings({ command: `${sold.command}` });
    assert.ok(new Set(moved.map(({ currency }) => currency)).size > 1, 'both sides');
  });

  test('each page continues after the previous one, and a file has all rows', async () => {
    const all = await postings({ user_id: `${user_id}` });
    const paged: Row[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const query: Record<string, string> = { user_id: `${user_id}`, limit: '2' };
      const answer: { data: Row[]; before: string | null } = await get('/admin/ledger/postings', {
        ...query,
        ...(before !== '' && { before }),
      });
      paged.push(...answer.data);
      before = answer.before;
    }
    assert.deepEqual(paged, all);
    const file = await admin.get('/admin/ledger/postings/csv', { user_id: `${user_id}` });
    assert.equal(file.status, 202, file.text);
    assert.equal(file.text.trim().split('\r\n').length, all.length + 1);
  });

  test('a statement as JSON, CSV and PDF has the same balances and every posting', async () => {
    const query = { start_date: '2020-01-01' };
    const { balances, end_date } = (await alice.get('/user/statement', query)).body;
    assert.equal(end_date, null);
    const btc = balances.find(({ currency }: Row) => currency === 'btc');
    const now = (await alice.get('/user/balance')).body;
    assert.deepEqual([btc.opening, btc.closing], [0, now.btc_balance]);
    const csv = await alice.get('/user/statement', { ...query, format: 'csv' });
    assert.equal(csv.status, 202, csv.text);
    const rows = csv.text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const all = await postings({ user_id: `${user_id}` });
    assert.equal(rows.length, 1 + all.length + 2 * balances.length);
    assert.deepEqual(rows[0].slice(0, 3), ['type', 'at', 'currency']);
    const ofBtc = rows.filter(([, , currency]) => currency === 'btc');
    const total = (row: readonly string[]) => Number(row[7]);
    assert.equal(ofBtc[0][0], 'opening_balance');
    assert.equal(total(ofBtc[0]), btc.opening);
    assert.deepEqual(ofBtc.at(-1)?.[0], 'closing_balance');
    assert.equal(total(ofBtc.at(-1)!), btc.closing);
    const pdf = await alice.get('/user/statement', { ...query, format: 'pdf' });
    assert.equal(pdf.status, 202, pdf.text);
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    for (const text of ['(Account statement)', '(BTC)', '(Opening balance)', `(${ofBtc[1][7]})`]) {
      assert.ok(pdf.text.includes(text), text);
    }
    if (process.env.RIALTO_STATEMENT_PDF !== undefined) {
      writeFileSync(process.env.RIALTO_STATEMENT_PDF, pdf.text);
    }
    const asked = { ...query, user_id: `${user_id}`, format: 'csv' };
    const ofOperator = await admin.get('/admin/user/statement', asked);
    assert.equal(ofOperator.status, 202, ofOperator.text);
    const closing = (text: string) => /closing_balance,[^,]*,btc,.*/.exec(text)?.[0].slice(40);
    assert.equal(closing(ofOperator.text), closing(csv.text));
  });

  test('the totals of every currency are zero, now and in the past', async () => {
    for (const query of [{}, { as_of: `${(await positionNow()).frame}` }]) {
      const { totals } = await get('/admin/ledger/totals', query);
      assert.ok(totals.length > 1);
      for (const one of totals) {
        assert.equal(one.total, 0, one.currency);
        assert.ok(one.external < 0 || one.users_available === 0, one.currency);
      }
    }
  });

  test('the effect of other fees is listed by pair and tier', async () => {
    const { registry } = sandbox.admin;
    await registry.query(
      'insert into fee_days_closed values (current_date - 1) on conflict do nothing',
    );
    const market = "(select id from rialto.markets where name = 'btc-usdt')";
    // Three fills at 0.2%, and one by a user with a discount of 10%.
    await registry.query(
      `insert into fee_days values
         (current_date - 1, ${market}, 'taker', 'sell', false, 1, 0, 2000, 3, 3000000000000,
           3000000000000, 6000000000),
         (current_date - 1, ${market}, 'taker', 'sell', false, 1, 100000, 1800, 1, 1000000000000,
           1000000000000, 1800000000)`,
    );
    await registry.query(`insert into fee_day_users values (current_date - 1, ${market}, 1, 3, 1)`);
    const fees = { 1: { maker: 0.1, taker: '0.1' } };
    const { body, status, text } = await admin.post('/admin/fees/effect', {
      pair: 'btc-usdt',
      fees,
    });
    assert.equal(status, 200, text);
    const [effect, ...others] = body.effects;
    assert.deepEqual(others, []);
    assert.deepEqual([effect.symbol, effect.tier, effect.fills], ['btc-usdt', 1, 4]);
    assert.deepEqual([effect.users, effect.users_with_own_fees], [3, 1]);
    assert.equal(effect.volume, 4_000_000_000_000 / USDT);
    assert.deepEqual(effect.collected, { usdt: 7_800_000_000 / USDT });
    // 0.1% of three, and 0.09% of one.
    assert.deepEqual(effect.proposed, { usdt: 3_900_000_000 / USDT });
    assert.deepEqual(effect.difference, { usdt: -3_900_000_000 / USDT });
    assert.equal(body.currency, 'usdt');
    assert.deepEqual(body.total, effect.value);
    assert.equal(effect.value.difference, -3_900_000_000 / USDT);
    const none = await admin.post('/admin/fees/effect', { discount: 0 });
    assert.equal(none.body.total.difference, 0, none.text);
    const refused: [body: object, code: number][] = [
      [{}, 2010],
      [{ discount: 10, fees: {} }, 2010],
    ];
    for (const [body, code] of refused) {
      const answer = await admin.post('/admin/fees/effect', body);
      assert.deepEqual([answer.status, answer.body.code], [400, code], answer.text);
    }
  });

  test('invalid queries are rejected', async () => {
    const { frame } = await positionNow();
    const refused: [path: string, query: Record<string, string>, code: number][] = [
      ['/admin/ledger/totals', { as_of: `${frame + 1_000_000}` }, 2880],
      ['/admin/ledger/totals', { as_of: 'yesterday' }, 2010],
      ['/admin/ledger/balances', {}, 2010],
      ['/admin/ledger/balances', { user_id: '1', account: 'fees' }, 2010],
      ['/admin/ledger/postings', { currency: 'btc' }, 2010],
      ['/admin/ledger/postings', { command: '1', frame: '1' }, 2010],
      ['/admin/ledger/postings', { command: '1', before: 'x' }, 2010],
    ];
    for (const [path, query, code] of refused) {
      const { body, status } = await admin.get(path, query);
      assert.deepEqual([status, body.code], [400, code], `${path} ${JSON.stringify(query)}`);
    }
  });
});

async function get(path: string, query: Record<string, string> = {}) {
  const { body, status, text } = await admin.get(path, query);
  assert.equal(status, 200, text);
  return body;
}

async function positionNow(): Promise<{ readonly frame: number }> {
  const account = { account: 'external' };
  return (await get('/admin/ledger/balances', account)).position;
}

async function postings(query: Record<string, string>): Promise<Row[]> {
  return (await get('/admin/ledger/postings', { ...query, limit: '100' })).data;
}

async function place(who: RestClient, side: 'buy' | 'sell'): Promise<void> {
  const order = { symbol: 'btc-usdt', side, size: 0.01, type: 'limit', price: 60_000 };
  const { status, text } = await who.post('/order', order);
  assert.equal(status, 200, text);
}
