// A trader on a phone, and defects that once were on the screens: everything is within reach of a
// thumb, and nothing is cut off.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { createUser } from '../../features/accounts/index.ts';
import { givePassword } from '../../tools/sandbox/console-operators.ts';
import type { Check } from './check.ts';
import { LOOKS, MORE_LOOKS } from './looks.ts';
import { SYMBOL } from './moving-market.ts';
import { visit } from './stage.ts';

const PASSWORD = 'four quiet lamps negotiate';

const phone: Check = {
  name: 'journey: on a phone every screen is one tap away, and nothing is cut off',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const { user } = stage.sandbox.seeded.users.alice;
    const page = await stage.openPage({ user, look: LOOKS[3] });
    await visit(page, stage.url, `/trade/${SYMBOL}`);
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    await page.getByLabel('Size', { exact: true }).fill('0.01');
    await isOnScreen(page, page.locator('[data-send]'));
    await page.keyboard.press('Escape');
    const nav = page.getByRole('navigation', { name: 'Main' });
    for (const [name, path] of [
      ['Markets', '/markets'],
      ['Convert', '/convert'],
      ['Orders', '/orders'],
      ['Wallet', '/wallet'],
    ]) {
      const link = nav.getByRole('link', { name });
      await isOnScreen(page, link);
      await link.click();
      await page.waitForURL(`**${path}`);
    }
    const persian = await stage.openPage({ user, look: MORE_LOOKS[2] });
    await visit(persian, stage.url, '/wallet');
    await persian.getByRole('tab').first().waitFor();
    for (const tab of await persian.getByRole('tab').all()) await isOnScreen(persian, tab);
    for (const one of [page, persian]) await one.context().close();
    return undefined;
  },
};

/** Fails if a part of the element is outside of the page, or if something covers its middle. */
async function isOnScreen(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  const box = await element.boundingBox();
  const { height, width } = page.viewportSize()!;
  const name = (await element.innerText()).trim();
  assert.ok(box !== null, `${name} is not shown`);
  const { x, y } = box;
  const isInside = x >= 0 && y >= 0 && x + box.width <= width && y + box.height <= height;
  assert.ok(isInside, `${name} is cut off: ${JSON.stringify(box)}`);
  const isFree = await element.evaluate((found) => {
    const { bottom, left, right, top } = found.getBoundingClientRect();
    const hit = found.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (found.contains(hit) || hit.contains(found));
  });
  assert.ok(isFree, `${name} is covered`);
}

const bookHead: Check = {
  name: 'journey: the head of the order book fits in German and for small prices',
  from: 'full',
  lane: 'views',
  async run(stage) {
    for (const look of [LOOKS[0], MORE_LOOKS[0]]) {
      const page = await stage.openPage({ look });
      await visit(page, stage.url, `/trade/${SYMBOL}`);
      await page.locator('section:has([data-book]) select').waitFor();
      const cut = await page
        .locator('section:has([data-book]) header')
        .evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth);
      assert.ok(cut <= 0, `${look.name}: ${cut} pixels are cut off`);
      await page.context().close();
    }
    return undefined;
  },
};

const wrongAddress: Check = {
  name: 'journey: an address that the network cannot pay is refused before a code is used',
  from: 'full',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const { user } = stage.sandbox.seeded.users.alice;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, '/wallet');
    await page.getByRole('button', { name: 'Withdraw BTC' }).click();
    const drawer = page.getByRole('dialog', { name: 'Withdraw BTC' });
    await drawer.getByLabel('Amount', { exact: true }).fill('0.5');
    await drawer.getByLabel('Address', { exact: true }).fill('not-an-address');
    await drawer.getByText("This isn't an address on this network").waitFor();
    const send = drawer.getByRole('button', { name: 'Withdraw 0.5 BTC' });
    assert.equal(await send.isDisabled(), true);
    await page.context().close();
    return undefined;
  },
};

const rows: Check = {
  name: 'journey: leaving an amendment does not cancel the order; numbers align in each column',
  from: 'full',
  lane: 'people',
  isJourney: true,
  needsQuietMarket: true,
  async run(stage) {
    const alice = stage.clientOf('alice');
    await alice.delete('/order/all', { symbol: SYMBOL });
    const limit = { symbol: SYMBOL, side: 'buy', type: 'limit' };
    await alice.post('/order', { ...limit, price: 50_000, size: 0.01 });
    await alice.post('/order', { ...limit, price: 50_000.25, size: 0.0125 });
    const { user } = stage.sandbox.seeded.users.alice;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, `/trade/${SYMBOL}`);
    const table = page.getByRole('table', { name: 'Open orders' });
    await table.getByRole('row').nth(2).waitFor();
    const [prices, sizes] = await Promise.all(
      ['Price', 'Size'].map((name) => decimalsOf(table, name)),
    );
    assert.deepEqual(
      [prices, sizes].map((found) => new Set(found).size),
      [1, 1],
    );
    await page.getByRole('button', { name: 'Edit order btc-usdt 50000', exact: true }).click();
    const leave = table.getByRole('button', { name: 'Stop editing' });
    await leave.dblclick();
    await table.getByRole('row').nth(2).waitFor();
    const { body } = await alice.get('/orders', { symbol: SYMBOL, open: true });
    assert.equal(body.data.length, 2, 'a second click canceled the order');
    await alice.delete('/order/all', { symbol: SYMBOL });
    await page.context().close();
    return undefined;
  },
};

const oldSession: Check = {
  name: 'journey: a session that is too old for a change confirms its password in place',
  from: 'full',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const { registry } = stage.sandbox.admin;
    const created = await createUser(registry, { email: `old-${Date.now()}@example.com` });
    assert.ok(typeof created === 'object', `${created}`);
    const { id: user } = created;
    await givePassword(stage.sandbox.admin, user, PASSWORD);
    const page = await stage.openPage({ user });
    await registry.query(
      "update sessions set strong_at = now() - interval '6 minutes' where user_id = $1",
      [user],
    );
    await visit(page, stage.url, '/account');
    await page.getByRole('button', { name: 'Enable authenticator app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enable authenticator app' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    // The secret to scan.
    await dialog.getByRole('img').first().waitFor();
    await page.context().close();
    return undefined;
  },
};

/** Returns how many decimals each cell of the column shows. */
async function decimalsOf(table: Locator, heading: string): Promise<number[]> {
  const headings = await table.getByRole('columnheader').allInnerTexts();
  const at = headings.findIndex((text) => text.trim() === heading);
  const cells = await table.locator(`tbody tr td:nth-child(${at + 1})`).allInnerTexts();
  return cells.map((text) => /\.(\d+)/.exec(text)?.[1].length ?? 0);
}

export const phoneJourneys: readonly Check[] = [phone, bookHead, wrongAddress, rows, oldSession];
