// The connection is lost while orders are filled. The screen must show that within a second and dim
// its data. Afterwards its orders, fills and balances equal the exchange's, each once.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Check } from './check.ts';
import { plain, rowEquals } from './ledger.ts';
import { loadAverage, withSlack } from './load.ts';
import { SYMBOL } from './moving-market.ts';
import { type Stage, visit } from './stage.ts';

const FILLS = 50;
/** Fills before the loss, then fills during the loss. */
const BEFORE = 10;
const DURING = 30;
const CUT_MS = 3_000;
const SAID_WITHIN_MS = 1_000;
const PRICE = 59_995;
const ORDER_SIZE = 0.2;

interface Loss {
  begin(): Promise<void>;
  end(): Promise<void>;
}

const wireCut: Check = {
  name: 'loss: the wire is cut for 3 s during 50 fills; the screen equals REST afterwards',
  from: 'quick',
  lane: 'alone',
  needsQuietMarket: true,
  async run(stage) {
    let endsMs = 0;
    const said = await loseDuringFills(stage, {
      async begin() {
        stage.wire.cut();
        endsMs = performance.now() + CUT_MS;
      },
      async end() {
        await delay(Math.max(0, endsMs - performance.now()));
        stage.wire.mend();
      },
    });
    return { wireLossSaidMs: said, lossLoadAverage: loadAverage() };
  },
};

const gatewayKilled: Check = {
  name: 'loss: the gateway is killed during 50 fills; the screen equals REST afterwards',
  from: 'full',
  lane: 'alone',
  needsQuietMarket: true,
  async run(stage) {
    const gateway = stage.sandbox.service('gateway-http-1');
    const said = await loseDuringFills(stage, {
      begin: () => gateway.kill('SIGKILL'),
      end: () => gateway.start(),
    });
    return { gatewayLossSaidMs: said };
  },
};

export const losses: readonly Check[] = [wireCut, gatewayKilled];

/** Resolves with the time until the screen showed the loss, in milliseconds. */
async function loseDuringFills(stage: Stage, loss: Loss): Promise<number> {
  // Bypasses the wire. If there are two gateways, uses the second one, which is not killed.
  const client = (name: 'alice' | 'bob') =>
    new RestClient({ url: stage.sandbox.urls.at(-1)!, ...stage.sandbox.seeded.users[name] });
  const [alice, bob] = [client('alice'), client('bob')];
  await alice.delete('/order/all', { symbol: SYMBOL });
  const { user } = stage.sandbox.seeded.users.alice;
  const page = await stage.openPage({ user });
  await visit(page, stage.url, `/trade/${SYMBOL}`);
  const light = page.getByRole('status').filter({ hasText: /Live|[Cc]onnect/ });
  await light.filter({ hasText: 'Live' }).waitFor();
  const order = { symbol: SYMBOL, type: 'limit' } as const;
  const bid = { ...order, side: 'buy', price: PRICE, size: ORDER_SIZE };
  await expectOk(alice.post('/order', bid));
  await page.getByRole('row').filter({ hasText: '59,995' }).first().waitFor();
  const fill = async (from: number, count: number) => {
    for (let at = from; at < from + count; at++) {
      // Each fill has a different size.
      const size = Number((0.0011 + at / 10_000).toFixed(4));
      await expectOk(bob.post('/order', { ...order, side: 'sell', price: PRICE, size }));
    }
  };
  await fill(0, BEFORE);
  const beganMs = performance.now();
  await loss.begin();
  let saidMs = 0;
  try {
    await light.filter({ hasText: /Disconnected|Connecting/ }).waitFor();
    saidMs = Math.round(performance.now() - beganMs);
    await isDimmed(page);
    await fill(BEFORE, DURING);
  } finally {
    await loss.end();
  }
  await fill(BEFORE + DURING, FILLS - BEFORE - DURING);
  await light.filter({ hasText: 'Live' }).waitFor();
  await page.getByText(/Not updated for/).waitFor({ state: 'hidden' });
  await ordersAndFillsAgree(stage, page, alice);
  await page.getByRole('tab', { name: 'Balances' }).click();
  for (const coin of ['btc', 'usdt']) {
    const row = page.getByRole('row').filter({ hasText: coin.toUpperCase() });
    await rowEquals(stage, row, { user, coin });
  }
  await alice.delete('/order/all', { symbol: SYMBOL });
  await page.context().close();
  const limitMs = withSlack(SAID_WITHIN_MS);
  assert.ok(saidMs <= limitMs, `shown after ${saidMs} ms (expected at most ${limitMs})`);
  return saidMs;
}

async function expectOk(sent: ReturnType<RestClient['post']>): Promise<void> {
  const { status, text } = await sent;
  assert.equal(status, 200, text);
}

/** Checks that the book and the account are grayed out and show the time of the last update. */
async function isDimmed(page: Page): Promise<void> {
  for (const title of ['Order book', 'Your orders and balances']) {
    const panel = page.getByRole('region', { name: title });
    await panel.getByText(/Not updated for/).waitFor();
    const filters = await page.evaluate<string[]>(
      `[...document.querySelectorAll('section')]
         .filter((section) => section.querySelector('h2')?.textContent === ${JSON.stringify(title)})
         .flatMap(({ children }) => [...children].map((child) => getComputedStyle(child).filter))`,
    );
    assert.ok(
      filters.some((text) => text.includes('grayscale')),
      `${title} is not dimmed`,
    );
  }
}

/** Compares the rows of both lists with REST, in any order. */
async function ordersAndFillsAgree(stage: Stage, page: Page, alice: RestClient): Promise<void> {
  const rowsOf = async (name: string, cells: readonly number[]) => {
    const rows = await page.getByRole('table', { name }).locator('tbody tr').all();
    const texts = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
    return texts.map((row) => cells.map((at) => plain(row[at])).join(' '));
  };
  const agree = async (name: string, shown: () => Promise<string[]>, wanted: string[]) => {
    let seen: string[] = [];
    await waitUntil({
      what: `${name} on the screen equal the exchange's`,
      timeoutMs: stage.patienceMs,
      question: async () => {
        seen = (await shown()).slice(0, wanted.length);
        return seen.toSorted().join() === wanted.toSorted().join();
      },
    }).catch(() => assert.deepEqual(seen.toSorted(), wanted.toSorted()));
  };
  const { body: orders } = await alice.get('/orders', { symbol: SYMBOL, open: true });
  const text = (one: Record<string, number>) => `${one.price} ${one.size}`;
  await agree('open orders', () => rowsOf('Open orders', [4, 5]), orders.data.map(text));
  await page.getByRole('tab', { name: 'Fills' }).click();
  const { body: fills } = await alice.get('/user/trades', { symbol: SYMBOL, limit: FILLS });
  assert.equal(fills.data.length, FILLS);
  await agree('fills', () => rowsOf('Fills', [3, 4]), fills.data.map(text));
  await page.getByRole('tab', { name: /^Open orders/ }).click();
}
