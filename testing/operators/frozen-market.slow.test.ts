// A poison command over HTTP on a real exchange: the engine fails on an order, and its market
// freezes while the others keep trading. Two operators void it and reopen the market.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp, waitingApproval } from '../identity/person-over-http.ts';
import { POISON_ORDER } from './failing-engine.ts';

const FROZEN = 'btc-usdt';
const OTHER = 'btc-eur';
const PATIENCE_MS = 30_000;

let sandbox: Sandbox;
let alice: RestClient;
let bob: RestClient;
let ann: PersonOverHttp;
let ben: PersonOverHttp;

describe('a frozen market', { timeout: 240_000 }, () => {
  before(async () => {
    const sequencerPreload = join(import.meta.dirname, 'failing-engine.ts');
    sandbox = await startSandbox({ gateways: 2, sequencerPreload });
    await useTeam(sandbox.admin.registry);
    const { url } = sandbox;
    alice = new RestClient({ url, ...sandbox.seeded.users.alice });
    bob = new RestClient({ url, ...sandbox.seeded.users.bob });
    ann = await PersonOverHttp.operator(sandbox, 'admin');
    ben = await PersonOverHttp.operator(sandbox, 'admin');
  });
  after(() => sandbox?.stop());

  test('it is inspected, voided and reopened by two operators each, and trades again', async () => {
    const resting = await place(alice, FROZEN, 'sell');
    assert.equal(resting.status, 200, resting.text);
    const poison = await place(bob, FROZEN, 'buy', { client_order_id: POISON_ORDER });
    assert.ok(poison.status >= 400, poison.text);
    const [freeze, ...others] = await untilFrozen((rows) => rows.length > 0);
    assert.deepEqual([freeze.symbol, others], [FROZEN, []]);

    assert.ok((await place(bob, FROZEN, 'buy')).status >= 400, 'frozen');
    await trades(OTHER);

    const { command } = freeze;
    const voiding = await ann.send('POST', '/admin/void-command', { body: { command } });
    const voided = waitingApproval(voiding);
    assert.equal((await ask()).length, 1, 'one operator alone changes nothing');
    assert.equal((await ann.approve(voided)).status, 403, 'not by the requester');
    assert.equal((await ben.approve(voided)).body.state, 'executed');
    await untilFrozen((rows) => rows.length === 0);

    // The market accepts only cancellations until two operators open it.
    assert.ok((await place(bob, FROZEN, 'buy')).status >= 400, 'cancel-only');
    const { id } = resting.body;
    const canceled = await alice.delete('/order', { order_id: id });
    assert.equal(canceled.status, 200, canceled.text);
    const opening = await ben.send('PUT', '/admin/pair', {
      body: { code: FROZEN, status: 'full' },
    });
    assert.equal((await ann.approve(waitingApproval(opening))).body.state, 'executed');
    await waitUntil({
      what: 'the market is open',
      timeoutMs: PATIENCE_MS,
      question: async () => {
        const { body } = await ann.send('GET', `/admin/pairs?pair=${FROZEN}`);
        return body.data[0].status === 'full';
      },
    });
    await trades(FROZEN);
  });
});

function place(
  who: RestClient,
  symbol: string,
  side: 'buy' | 'sell',
  more: object = {},
): Promise<RestAnswer> {
  const order = { symbol, side, type: 'limit', size: 0.001, price: PRICES[symbol] };
  return who.post('/order', { ...order, ...more });
}

const PRICES: Readonly<Record<string, number>> = { [FROZEN]: 60_000, [OTHER]: 55_000 };

/** Alice and Bob trade in the market. */
async function trades(symbol: string): Promise<void> {
  const sold = await place(alice, symbol, 'sell');
  assert.equal(sold.status, 200, sold.text);
  const bought = await place(bob, symbol, 'buy');
  assert.deepEqual([bought.status, bought.body.filled], [200, 0.001], bought.text);
}

interface FrozenRow {
  readonly command: number;
  readonly symbol: string | null;
}

async function ask(): Promise<FrozenRow[]> {
  return (await ann.send('GET', '/admin/frozen', { at: 1 })).body;
}

async function untilFrozen(isSo: (rows: FrozenRow[]) => boolean): Promise<FrozenRow[]> {
  let rows: FrozenRow[] = [];
  await waitUntil({
    what: 'the list of frozen markets is as expected',
    timeoutMs: PATIENCE_MS,
    question: async () => {
      rows = await ask();
      return isSo(rows);
    },
  });
  return rows;
}
