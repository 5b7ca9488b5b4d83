// Journey of the first administrator in the browser: from the one-time token over the second factor
// to an open market.

import assert from 'node:assert/strict';
import { useSolo, useTeam } from '../../../features/approvals/operators-for-test.ts';
import { totpCode } from '../../../features/auth/index.ts';
import { addSetupToken } from '../../../features/exchange-config/first-administrator.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { mailedCode } from '../mailed-code.ts';
import { visit } from '../stage.ts';
import type { ConsoleCheck } from './console-stage.ts';

const TOKEN = 'console-journey-token';
const EMAIL = 'first-administrator@example.com';
const PASSWORD = 'violet harbor engine 42';
/** A code is accepted once, so the sign-in uses the next one. */
const STEP_MS = 30_000;

const firstMarket: ConsoleCheck = {
  name: 'journey: from the one-time token to an open market in the browser',
  isJourney: true,
  async run(stage) {
    const { registry } = stage.sandbox.admin;
    await addSetupToken(registry, TOKEN);
    await useSolo(registry);
    try {
      const page = await stage.openPage();
      await visit(page, stage.url, '/');
      await page.getByRole('button', { name: 'Set up a new exchange' }).click();
      await page.getByLabel('One-time token').fill(TOKEN);
      await page.getByLabel('Email address').fill(EMAIL);
      await page.getByLabel('Password (at least 15 characters)').fill(PASSWORD);
      await page.getByRole('button', { name: 'Create administrator' }).click();
      const secret = (await page.locator('code').first().innerText()).trim();
      await page.getByLabel('6-digit code').fill(totpCode(secret, Date.now()));
      await page.getByRole('button', { name: 'Enable authenticator app' }).click();
      await page.getByLabel("I've saved these codes").check();
      await page.getByRole('button', { name: 'Continue' }).click();

      await page.getByLabel('Email address').fill(EMAIL);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in with password' }).click();
      const code = page.getByLabel('One-time code');
      const mailed = page.getByLabel('Email code');
      await code.or(mailed).waitFor();
      if (await mailed.isVisible()) {
        await mailed.fill(await mailedCode(stage, EMAIL));
        await page.keyboard.press('Enter');
        await code.waitFor();
      }
      await code.fill(totpCode(secret, Date.now() + STEP_MS));
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Setup', exact: true }).click();

      const dialog = page.getByRole('dialog').and(page.locator('dialog'));
      await page.getByRole('button', { name: 'Choose assets' }).click();
      await dialog.getByLabel('LTC Litecoin').check();
      await dialog.getByLabel('Price of LTC').fill('88.5');
      await dialog.getByText('Solo mode: takes effect immediately').waitFor();
      await dialog.getByRole('button', { name: 'List assets (1)' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Choose markets' }).click();
      await dialog.getByLabel('LTC/USDT', { exact: true }).check();
      await dialog.getByLabel('Price of LTC/USDT').fill('88.5');
      await dialog.getByText('min. 0.006 LTC').waitFor();
      await dialog.getByRole('button', { name: 'Open markets (1)' }).click();
      const constants = async () => (await stage.clientOf('alice').get('/constants')).body;
      await waitUntil({
        what: 'the market trades',
        timeoutMs: stage.patienceMs,
        question: async () => (await constants()).pairs['ltc-usdt']?.status === 'full',
      });
      assert.equal((await constants()).coins.ltc.allow_deposit, true);
      const order = { symbol: 'ltc-usdt', type: 'limit', side: 'buy', size: 1, price: 88 };
      const placed = await stage.clientOf('alice').post('/order', order);
      assert.equal(placed.status, 200, placed.text);

      await page.getByRole('button', { name: 'Send test email' }).click();
      await dialog.getByRole('button', { name: `Send to ${EMAIL}` }).click();
      await page.getByRole('listitem').filter({ hasText: '4. Email' }).getByText('Done').waitFor();
      await page.context().close();
    } finally {
      await useTeam(registry);
    }
    return undefined;
  },
};

export const setupActs = [firstMarket] as const;
