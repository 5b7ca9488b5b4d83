// User journeys through the screens, using only roles and names.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { addAuthenticator } from '../browser/passkey-browser.ts';
import type { Check } from './check.ts';
import { rowEquals } from './ledger.ts';
import { mailedCode } from './mailed-code.ts';
import { SYMBOL } from './moving-market.ts';
import { type Stage, visit } from './stage.ts';

const PASSWORD = 'correct horse battery staple';

const signUp: Check = {
  name: 'journey: sign up by keyboard, with a passkey, and sign in with it',
  from: 'smoke',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const page = await stage.openPage();
    await addAuthenticator(page);
    const email = `journey-${Date.now()}@example.com`;
    await visit(page, stage.url, '/sign-up');
    await page.getByLabel('Email address').focus();
    await page.keyboard.type(email);
    await pressOn(page, page.getByLabel('Password', { exact: true }), PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Email code').waitFor();
    await pressOn(page, page.getByLabel('Email code'), await mailedCode(stage, email));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Add passkey' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('checkbox', { name: "I've saved these codes" }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Continue' }));
    await page.keyboard.press('Enter');
    await isSignedIn(page, email);
    await tabTo(page, page.getByRole('button', { name: `Account: ${email}` }));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await visit(page, stage.url, '/sign-in');
    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    const address = page.getByLabel('Email address');
    if ((await address.inputValue()) === '') await address.fill(email);
    await signIn.click();
    await isSignedIn(page, email);
    await page.context().close();
    return undefined;
  },
};

const unknownOutcome: Check = {
  name: 'journey: the response to an order is lost, and exactly one order exists',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const { alice, page } = await openTrade(stage);
    let sent = 0;
    await page.route('**/v2/order', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await fillLimitOrder(page, { price: '50000', size: '0.0123' });
    await page
      .getByText(/may have gone through|status unknown|the order was placed/)
      .first()
      .waitFor();
    await waitUntil({
      what: 'the order exists once',
      timeoutMs: stage.patienceMs,
      question: async () => (await openOrders(stage)).length === 1,
    });
    await page.getByText('the order was placed').first().waitFor();
    // The client might repeat the request. The client order ID makes it the same order.
    assert.ok(sent > 0, 'the order was not sent');
    assert.equal((await openOrders(stage)).length, 1);
    await alice.delete('/order/all', { symbol: SYMBOL });
    await page.context().close();
    return undefined;
  },
};

const placeAndCancel: Check = {
  name: 'journey: place an order and cancel it; balances equal the ledger',
  from: 'smoke',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const { alice, page } = await openTrade(stage);
    await fillLimitOrder(page, { price: '50000', size: '0.0123' });
    await waitUntil({
      what: 'the order is open',
      timeoutMs: stage.patienceMs,
      question: async () => (await openOrders(stage)).length === 1,
    });
    const row = page.getByRole('row').filter({ hasText: '0.0123' });
    await row.first().waitFor();
    const { body } = await alice.get('/user/balance');
    // 50,000 × 0.0123
    assert.equal(body.usdt_balance - body.usdt_available, 615);
    await row
      .first()
      .getByRole('button', { name: /Cancel order/ })
      .click();
    await waitUntil({
      what: 'the order is canceled',
      timeoutMs: stage.patienceMs,
      question: async () => (await openOrders(stage)).length === 0,
    });
    await page.getByText('No open orders').first().waitFor();
    await page.context().close();
    return undefined;
  },
};

const amendAndFill: Check = {
  name: 'journey: amend, a partial fill, a stop that triggers; balances on screen equal the ledger',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  needsQuietMarket: true,
  async run(stage) {
    const { alice, page } = await openTrade(stage);
    await fillLimitOrder(page, { price: '59995', size: '0.0301' });
    await page.getByRole('button', { name: 'Edit order btc-usdt 59995' }).click();
    const size = page.getByRole('table', { name: 'Open orders' }).getByLabel('Size');
    await size.fill('0.0404');
    await size.press('Enter');
    const row = page.getByRole('row').filter({ hasText: '0.0404' });
    await row.waitFor();
    await stage.market.place('sell', 59_995, 0.0101);
    await row.filter({ hasText: '0.0101' }).waitFor();
    await balancesAgree(stage, page);
    await page.getByRole('button', { name: 'Cancel order btc-usdt 59995' }).click();
    await page.getByText('No open orders').first().waitFor();

    await page.getByRole('button', { name: 'Sell', exact: true }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByLabel('Stop price').fill('59990');
    await page.getByLabel('Size', { exact: true }).fill('0.0101');
    await send(page, /^At .*, sell/, 'Sell');
    await page.getByRole('row').filter({ hasText: '59,990' }).first().waitFor();
    // A trade at the best bid of 59,990 triggers it.
    await alice.post('/order', { symbol: SYMBOL, side: 'sell', type: 'market', size: 0.0001 });
    await page.getByText('No open orders').first().waitFor();
    await page.getByRole('tab', { name: 'Order history' }).click();
    const sold = page.getByRole('row').filter({ hasText: 'Sell' }).filter({ hasText: '0.0101' });
    await sold.filter({ hasText: 'Filled' }).first().waitFor();
    await balancesAgree(stage, page);
    await page.context().close();
    return undefined;
  },
};

const quickTrade: Check = {
  name: 'journey: a quick trade at its quoted price',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const alice = stage.clientOf('alice');
    const before = (await alice.get('/user/balance')).body;
    const page = await stage.openPage({ user: stage.sandbox.seeded.users.alice.user });
    await visit(page, stage.url, '/convert');
    await page.getByLabel('You pay', { exact: true }).fill('600');
    await page.getByLabel('Asset: You receive').selectOption('btc');
    await page.getByRole('button', { name: /^Convert .* USDT to .* BTC/ }).click();
    await page.getByText('Conversion complete').first().waitFor();
    const after = (await alice.get('/user/balance')).body;
    assert.ok(after.usdt_balance < before.usdt_balance && after.btc_balance > before.btc_balance);
    await page.context().close();
    return undefined;
  },
};

export const journeys: readonly Check[] = [
  signUp,
  placeAndCancel,
  amendAndFill,
  unknownOutcome,
  quickTrade,
];

/** Opens the trade screen as alice, without open orders. */
async function openTrade(stage: Stage) {
  const alice = stage.clientOf('alice');
  await alice.delete('/order/all', { symbol: SYMBOL });
  const page = await stage.openPage({ user: stage.sandbox.seeded.users.alice.user });
  await visit(page, stage.url, `/trade/${SYMBOL}`);
  return { alice, page };
}

async function openOrders(stage: Stage): Promise<unknown[]> {
  const { body } = await stage.clientOf('alice').get('/orders', { symbol: SYMBOL, open: true });
  return body.data;
}

/** Fills in the form, submits it and confirms. */
async function fillLimitOrder(
  page: Page,
  { price, size }: { readonly price: string; readonly size: string },
): Promise<void> {
  await page.getByLabel('Price', { exact: true }).fill(price);
  await page.getByLabel('Size', { exact: true }).fill(size);
  await send(page, /^Buy .* for up to/, 'Buy');
}

async function send(page: Page, act: RegExp, side: 'Buy' | 'Sell'): Promise<void> {
  await page.getByRole('button', { name: act }).click();
  const dialog = page.getByRole('dialog', { name: 'Place this order?' });
  await dialog.getByRole('button', { name: side, exact: true }).click();
}

/** Checks that the balances on the screen equal the ledger's digit by digit. */
async function balancesAgree(stage: Stage, page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Balances' }).click();
  const { user } = stage.sandbox.seeded.users.alice;
  for (const coin of ['btc', 'usdt']) {
    const row = page.getByRole('row').filter({ hasText: coin.toUpperCase() });
    await rowEquals(stage, row, { user, coin });
  }
  await page.getByRole('tab', { name: /^Open orders/ }).click();
}

const TABS_MAX = 60;

/** Presses Tab until the element has the focus, which proves keyboard access. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tab = 0; tab < TABS_MAX; tab++) {
    if (await target.evaluate(hasFocus)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reachable by Tab`);
}

// Runs in the page.
function hasFocus(element: { readonly ownerDocument: { readonly activeElement: unknown } }) {
  return element === element.ownerDocument.activeElement;
}

async function pressOn(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

async function isSignedIn(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: `Account: ${email}` }).waitFor();
}
