// Firefox smoke test over WebDriver BiDi: sign up, sign in with the password, place an order,
// cancel it. Balances equal the ledger, and nothing violates the content security policy.

import assert from 'node:assert/strict';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findFirefox } from '../../tools/services/install-browsers.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Check } from './check.ts';
import { depositFor, ledgerBalances } from './ledger.ts';
import { mailedCode } from './mailed-code.ts';
import { SYMBOL } from './moving-market.ts';
import type { Stage } from './stage.ts';

const PASSWORD = 'seven sober foxes audit';

export const firefox: Check = {
  name: 'journey: Firefox signs up, signs in with the password, places and cancels',
  from: 'full',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const executablePath = findFirefox();
    if (executablePath === undefined) {
      // A developer's machine might not have Firefox; CI installs it.
      assert.notEqual(process.env.CI, 'true', 'No Firefox found: npm run services -- install');
      console.log('  note: no Firefox found, skipping its check: npm run services -- install');
      return { firefoxJourneys: 0 };
    }
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      timeout: stage.patienceMs,
    });
    try {
      await journey(stage, browser);
    } finally {
      await browser.close();
    }
    return { firefoxJourneys: 1 };
  },
};

async function journey(stage: Stage, browser: Browser): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(stage.patienceMs);
  await page.setViewport({ width: 1440, height: 900 });
  const messages: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') messages.push(message.text());
  });
  const email = `firefox-${Date.now()}@example.com`;
  await signUp(stage, page, email);
  const user = await userOf(stage, email);
  await depositFor(stage, { user, currency: 'usdt', network: 'trx', amount: 10_000 });
  await page.deleteCookie(...(await page.cookies()));
  await page.goto(`${stage.url}/sign-in`);
  await type(page, textbox('Email address'), email);
  await type(page, '::-p-xpath(//input[@type="password"])', PASSWORD);
  await press(page, button('Sign in with password'));
  await page.waitForSelector(button(`Account: ${email}`));

  await page.goto(`${stage.url}/trade/${SYMBOL}`);
  await type(page, textbox('Price'), '50000');
  await type(page, textbox('Size'), '0.0123');
  await press(page, startsWith('Buy 0.0123'));
  await press(page, '::-p-xpath(//dialog[@open]//button[normalize-space(.)="Buy"])');
  await page.waitForSelector(startsWith('Cancel order'));
  await shows(stage, page, { user, available: 9_385 });
  await press(page, '::-p-xpath(//*[@role="tab"][starts-with(., "Open orders")])');
  await press(page, startsWith('Cancel order'));
  await page.waitForSelector('::-p-xpath(//p[contains(., "No open orders")])');
  await shows(stage, page, { user, available: 10_000 });
  const refused = messages.filter((text) => /content.security.policy|trusted/i.test(text));
  assert.deepEqual(refused, []);
}

async function signUp(stage: Stage, page: Page, email: string): Promise<void> {
  await page.goto(`${stage.url}/sign-up`);
  await type(page, textbox('Email address'), email);
  await type(page, '::-p-xpath(//input[@type="password"])', PASSWORD);
  await press(page, button('Create account'));
  const code = textbox('Email code');
  await page.waitForSelector(code);
  await type(page, code, await mailedCode(stage, email));
  await page.keyboard.press('Enter');
  await page.waitForSelector(button(`Account: ${email}`));
}

/** Resolves once the balances tab matches the ledger and `available` is this amount. */
async function shows(
  stage: Stage,
  page: Page,
  { available, user }: { readonly user: number; readonly available: number },
): Promise<void> {
  await press(page, '::-p-xpath(//*[@role="tab"][normalize-space(.)="Balances"])');
  await waitUntil({
    what: `Firefox shows ${available} USDT as available`,
    timeoutMs: stage.patienceMs,
    question: async () => {
      const ledger = await ledgerBalances(stage, user);
      if (Number(ledger.usdt?.available) !== available) return false;
      const texts = await page.$$eval('td', (cells) => cells.map(({ textContent }) => textContent));
      const shown = texts.map((text) => (text ?? '').replaceAll(',', ''));
      return shown.includes(ledger.usdt.available) && shown.includes(ledger.usdt.total);
    },
  });
}

async function userOf({ sandbox }: Stage, email: string): Promise<number> {
  const text = 'select id from users where email = $1';
  const { rows } = await sandbox.admin.registry.query(text, [email]);
  return Number(rows[0].id);
}

const textbox = (name: string) => `::-p-aria([name="${name}"][role="textbox"])`;
const button = (name: string) => `::-p-aria([name="${name}"][role="button"])`;

/** Selects a button whose name or text starts with the first word and contains the second. */
function startsWith(first: string, second = ''): string {
  const has = (text: string) =>
    `starts-with(${text}, "${first}") and contains(${text}, "${second}")`;
  return `::-p-xpath(//button[(${has('normalize-space(.)')}) or (${has('@aria-label')})])`;
}

async function press(page: Page, selector: string): Promise<void> {
  await page.locator(selector).click();
}

/** Replaces a field's text key by key. */
async function type(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).click({ count: 3 });
  await page.keyboard.type(text);
}
