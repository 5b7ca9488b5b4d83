// A newcomer's journey on a demo exchange, in Chromium and Firefox, on a desktop and a phone: from
// the first page to a filled order with play money, without an operator.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import puppeteer, { type Page as FirefoxPage } from 'puppeteer-core';
import { findFirefox } from '../../tools/services/install-browsers.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Check } from './check.ts';
import { ledgerBalances } from './ledger.ts';
import { LOOKS } from './looks.ts';
import { mailedCode } from './mailed-code.ts';
import type { Stage } from './stage.ts';

const PASSWORD = 'nine patient otters invest';
/** From the first page to the fill, without the time that a person reads and thinks. */
const SECONDS_MAX = 90;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Actions of a person in either browser. Finds elements by role and name. */
interface Hands {
  open(url: string): Promise<void>;
  press(role: 'button' | 'link', name: string): Promise<void>;
  type(label: string, text: string): Promise<void>;
  /** Presses the button whose text starts so, then the one that confirms it. */
  order(start: string, confirm: string): Promise<void>;
}

const inChromium: Check = {
  name: 'journey: a newcomer in Chromium gets play money and fills an order, also on a phone',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const seconds: number[] = [];
    for (const look of [LOOKS[0], LOOKS[3]]) {
      const page = await stage.openPage({ look });
      seconds.push(await arrive(stage, chromiumHands(page), look.isPhone === true));
      await page.context().close();
    }
    return { newcomerSeconds: seconds[0], newcomerPhoneSeconds: seconds[1] };
  },
};

const inFirefox: Check = {
  name: 'journey: a newcomer in Firefox gets play money and fills an order, also on a phone',
  from: 'full',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const executablePath = findFirefox();
    if (executablePath === undefined) {
      assert.notEqual(process.env.CI, 'true', 'No Firefox found: npm run services -- install');
      console.log('  note: no Firefox found, skipping its check: npm run services -- install');
      return undefined;
    }
    const seconds: number[] = [];
    for (const viewport of [DESKTOP, PHONE]) {
      const browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath,
        headless: true,
      });
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(stage.patienceMs);
        await page.setViewport(viewport);
        seconds.push(await arrive(stage, firefoxHands(page), viewport === PHONE));
      } finally {
        await browser.close();
      }
    }
    return { newcomerFirefoxSeconds: seconds[0], newcomerFirefoxPhoneSeconds: seconds[1] };
  },
};

function chromiumHands(page: Page): Hands {
  return {
    open: async (url) => void (await page.goto(url)),
    press: (role, name) => page.getByRole(role, { name, exact: true }).first().click(),
    type: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    async order(start, confirm) {
      await page.getByRole('button', { name: start }).click();
      const dialog = page.locator('dialog[open]').last();
      await dialog.getByRole('button', { name: confirm, exact: true }).click();
    },
  };
}

function firefoxHands(page: FirefoxPage): Hands {
  const press = (xpath: string) => page.locator(`::-p-xpath(${xpath})`).click();
  return {
    open: async (url) => void (await page.goto(url)),
    press: (role, name) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click(),
    async type(label, text) {
      await press(`//input[@id=(//label[normalize-space(.)="${label}"]/@for)]`);
      await page.keyboard.type(text);
    },
    async order(start, confirm) {
      await press(`//button[starts-with(normalize-space(.), "${start}")]`);
      await press(`(//dialog[@open])[last()]//button[normalize-space(.)="${confirm}"]`);
    },
  };
}

/** Returns the seconds from the first page to the fill. */
async function arrive(stage: Stage, hands: Hands, isPhone: boolean): Promise<number> {
  const beganMs = performance.now();
  const email = `newcomer-${Date.now()}@example.com`;
  await hands.open(stage.url);
  await hands.press('link', 'Create account');
  await hands.type('Email address', email);
  await hands.type('Password', PASSWORD);
  await hands.press('button', 'Create account');
  await hands.type('Email code', await mailedCode(stage, email));
  await hands.press('button', 'Confirm');
  await hands.press('button', 'Not now');
  await hands.press('button', 'Get play money');
  await hands.press('button', 'Get 10,000 USDT');
  await hands.press('link', 'Start trading');
  if (isPhone) await hands.press('button', 'Buy');
  await hands.press('button', 'Market');
  await hands.type('Size', '0.01');
  await hands.order('Buy 0.01 BTC', 'Buy');
  const user = await userOf(stage, email);
  await waitUntil({
    what: 'the order has filled',
    timeoutMs: stage.patienceMs,
    question: async () => (await ledgerBalances(stage, user)).btc?.total !== undefined,
  });
  const { btc, usdt } = await ledgerBalances(stage, user);
  assert.ok(Number(btc.total) > 0.0099 && Number(btc.total) <= 0.01, btc.total);
  assert.ok(Number(usdt.total) < 10_000, usdt.total);
  const seconds = Number(((performance.now() - beganMs) / 1_000).toFixed(1));
  assert.ok(seconds < SECONDS_MAX, `the journey took ${seconds} s`);
  return seconds;
}

async function userOf({ sandbox }: Stage, email: string): Promise<number> {
  const text = 'select id from users where email = $1';
  const { rows } = await sandbox.admin.registry.query(text, [email]);
  return Number(rows[0].id);
}

export const newcomers: readonly Check[] = [inChromium, inFirefox];
