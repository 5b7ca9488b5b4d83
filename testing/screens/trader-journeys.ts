// Journeys of a trader who relies on the screen: orders by keyboard, stops with their trigger, an
// ended session, and markets that are empty or stopped. Never uses a class or a wire name to click.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TimeMs } from '../../core/money/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Check } from './check.ts';
import { SYMBOL } from './moving-market.ts';
import { type Stage, visit } from './stage.ts';

/** A seeded market without orders. */
const QUIET = 'btc-eur';

const orders: Check = {
  name: 'journey: orders by keyboard alone, with their time in force; stops show their trigger',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  needsQuietMarket: true,
  async run(stage) {
    const alice = stage.clientOf('alice');
    await alice.delete('/order/all', { symbol: SYMBOL });
    const { user } = stage.sandbox.seeded.users.alice;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, `/trade/${SYMBOL}`);
    const price = page.getByLabel('Price', { exact: true });
    await price.fill('50000');
    await page.getByLabel('Size', { exact: true }).fill('0.0123');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Place this order?' }).waitFor();
    await page.keyboard.press('Enter');
    await openOrdersAre(stage, 1, 'Enter and Enter send the order');

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Market', exact: true }).click();
    await page.getByRole('button', { name: 'Limit', exact: true }).click();
    assert.equal(await page.getByLabel('Time in force').inputValue(), 'GTC');
    await price.fill('50010');
    await page.getByLabel('Size', { exact: true }).fill('0.0124');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Place this order?' });
    await dialog.getByText('Good till canceled').waitFor();
    await page.keyboard.press('Enter');
    await openOrdersAre(stage, 2, 'a limit order after a market order rests in the book');

    await page.locator('[data-book]').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.type('sell si');
    await page.getByRole('option', { name: 'Sell side' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-book]').focus();
    await page.keyboard.press('/');
    const switcher = page.getByRole('dialog', { name: 'Select market' });
    await switcher.waitFor();
    await page.keyboard.type('eur');
    await switcher.getByRole('button', { name: 'BTC/EUR', exact: true }).waitFor();
    const row = switcher.getByRole('row').filter({ hasText: 'BTC/EUR' });
    await row.getByRole('button', { name: /favorite/i }).waitFor();
    assert.equal(await switcher.getByRole('row').filter({ hasText: 'BTC/USDT' }).count(), 0);
    await page.keyboard.press('Escape');

    await alice.delete('/order/all', { symbol: SYMBOL });
    const stop = { symbol: SYMBOL, side: 'sell', type: 'market', size: 0.0101, stop: 57_500 };
    await alice.post('/order', stop);
    await showsTrigger(page.getByRole('table', { name: 'Open orders' }));
    await visit(page, stage.url, '/orders');
    await showsTrigger(page.getByRole('main').getByRole('table'));
    await page.setViewportSize({ width: 390, height: 844 });
    await showsTrigger(page.getByRole('main').getByRole('table'));
    await alice.delete('/order/all', { symbol: SYMBOL });
    await page.context().close();
    return undefined;
  },
};

async function showsTrigger(table: ReturnType<Page['getByRole']>): Promise<void> {
  const row = table.getByRole('row').filter({ hasText: '57,500' });
  await row.first().waitFor();
  const text = await row.first().innerText();
  assert.match(text, /\bStop\b/, `a stop order is shown as: ${text}`);
}

const endedSession: Check = {
  name: 'journey: a session that ends elsewhere is shown as signed out, with live prices',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const alice = stage.clientOf('alice');
    await alice.delete('/order/all', { symbol: SYMBOL });
    const { user } = stage.sandbox.seeded.users.alice;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, `/trade/${SYMBOL}`);
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 50_000, size: 0.0125 };
    await alice.post('/order', order);
    const row = page.getByRole('row').filter({ hasText: '0.0125' });
    await row.first().waitFor();
    await endSession(stage, page);
    await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor();
    await page.locator('[data-connection=open]').waitFor();
    assert.equal(await row.count(), 0, 'orders of the ended session are still shown');
    await page.locator('.book-row[data-empty=false]').first().waitFor();
    assert.equal(await page.getByText(/^Not updated for/).count(), 0);
    await alice.delete('/order/all', { symbol: SYMBOL });
    await page.context().close();
    return undefined;
  },
};

/** Closes the page's session without the page: its cookie stays, and nothing tells it. */
async function endSession(stage: Stage, page: Page): Promise<void> {
  const [{ value }] = await page.context().cookies(stage.url);
  const headers = {
    cookie: `rialto=${value}`,
    origin: stage.url,
    'x-rialto-client': '1',
    'sec-fetch-site': 'same-origin',
  };
  const { status } = await fetch(`${stage.sandbox.url}/v2/logout`, { headers });
  assert.equal(status, 200);
}

const markets: Check = {
  name: 'journey: an empty market is not loading, and a market that stops is shown as stopped',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  needsQuietMarket: true,
  async run(stage) {
    const { user } = stage.sandbox.seeded.users.alice;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, `/trade/${QUIET}`);
    await page.getByText('No orders in this market yet.').waitFor();
    assert.equal(await page.locator('section[aria-busy=true]').count(), 0);

    await page.getByRole('button', { name: 'Sell', exact: true }).click();
    await page.getByLabel('Price', { exact: true }).fill('55000');
    await page.getByLabel('Size', { exact: true }).fill('0.1');
    const send = page.getByRole('button', { name: /^Sell .* for at least/ });
    await send.waitFor();
    assert.ok(await send.isEnabled());
    await setStatus(stage, 'cancel-only');
    const stoppedMs = Date.now();
    await page.getByText('This market accepts no new orders now (Cancel only)').waitFor();
    assert.ok(await send.isDisabled());
    const figures = { stoppedMarketShownMs: Date.now() - stoppedMs };
    await setStatus(stage, 'full');
    await page.getByText('This market accepts no new orders now').waitFor({ state: 'detached' });
    await page.context().close();
    return figures;
  },
};

async function setStatus(stage: Stage, status: 'full' | 'cancel-only'): Promise<void> {
  const { admin, seeded } = stage.sandbox;
  const market = seeded.markets.get(QUIET)!;
  await admin.apply({ kind: 'SetMarketStatus', market, status, auctionEndsMs: 0 as TimeMs });
}

async function openOrdersAre(stage: Stage, count: number, what: string): Promise<void> {
  await waitUntil({
    what,
    timeoutMs: stage.patienceMs,
    question: async () => {
      const query = { symbol: SYMBOL, open: true };
      const { body } = await stage.clientOf('alice').get('/orders', query);
      return body.data.length === count;
    },
  });
}

export const traderJourneys: readonly Check[] = [orders, endedSession, markets];
