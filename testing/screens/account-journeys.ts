// User journeys through account and wallet: second factors, API keys, addresses, sub-accounts,
// stakes and the email address. Each ends by checking the exchange's own data.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { RialtoClient, RialtoError } from '../../client/index.ts';
import { totpCode } from '../../features/auth/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { addAuthenticator } from '../browser/passkey-browser.ts';
import type { Check } from './check.ts';
import { ledgerBalances } from './ledger.ts';
import { type Stage, visit } from './stage.ts';

const PASSWORD = 'correct horse battery staple';
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

const common = { from: 'full', lane: 'people', isJourney: true } as const;

const keys: Check = {
  ...common,
  name: 'journey: an Ed25519 key is created in the browser, signs, and is revoked',
  async run(stage) {
    const { email, mails, page } = await newPerson(stage, { hasPasskey: true });
    await visit(page, stage.url, '/account?tab=keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('bot');
    await fillMailCode(dialog, mails);
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByText('The secret is shown only once').waitFor();
    const key = await dialog.getByRole('definition').innerText();
    const ed25519PrivateKey = await dialog.getByText('BEGIN PRIVATE KEY').innerText();
    await dialog.getByRole('button', { name: "I've saved the secret" }).click();
    const client = new RialtoClient({ url: stage.sandbox.url, key, ed25519PrivateKey });
    assert.equal((await client.getUser()).email, email);
    await page.getByRole('button', { name: 'Revoke: bot' }).click();
    await fillMailCode(dialog, mails);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys.').waitFor();
    await waitUntil({
      what: 'the key is rejected',
      timeoutMs: stage.patienceMs,
      question: async () => (await refusalOf(() => client.getUser())) === 401,
    });
    await page.context().close();
    return undefined;
  },
};

const authenticator: Check = {
  ...common,
  name: 'journey: the authenticator app is enabled, gets new recovery codes, and is disabled',
  async run(stage) {
    const { page } = await newPerson(stage, { hasPasskey: false });
    await visit(page, stage.url, '/account');
    await page.getByRole('button', { name: 'Enable authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.getByRole('code').innerText();
    await dialog.getByLabel('6-digit code').fill(totpCode(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Enable authenticator app' }).click();
    const first = await keepCodes(page);
    assert.equal(first.length, 10);
    // An authenticator code is valid once per 30 seconds, so use a recovery code here.
    await page.getByRole('button', { name: 'Generate new codes' }).click();
    await dialog.getByLabel('One-time code').fill(first[0]);
    await dialog.getByRole('button', { name: 'Generate new codes' }).click();
    const second = await keepCodes(page);
    assert.equal(second.length, 10);
    assert.deepEqual(
      second.filter((code) => first.includes(code)),
      [],
    );
    await page.getByRole('button', { name: 'Disable authenticator app' }).click();
    await dialog.getByLabel('One-time code').fill(second[0]);
    await dialog.getByRole('button', { name: 'Disable authenticator app' }).click();
    await page.getByRole('button', { name: 'Enable authenticator app' }).waitFor();
    await page.context().close();
    return undefined;
  },
};

const emailChange: Check = {
  ...common,
  name: 'journey: the email address is changed with a code from each address',
  async run(stage) {
    const { email, mails, page } = await newPerson(stage, { hasPasskey: true });
    const next = `new-${email}`;
    await visit(page, stage.url, '/account');
    await page.getByRole('button', { name: 'Edit: Change email address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New email address').fill(next);
    await dialog.getByRole('button', { name: 'Send both codes' }).click();
    await dialog.getByLabel(`Code sent to ${email}`).fill(await mails.nextCode());
    const toNew = await new Mails(stage, next).nextCode();
    await dialog.getByLabel(`Code sent to ${next}`).fill(toNew);
    await dialog.getByRole('button', { name: 'Change email address' }).click();
    await page.getByRole('button', { name: `Account: ${next}` }).waitFor();
    await page.getByText(/Paused until/).waitFor();
    await page.context().close();
    return undefined;
  },
};

const addressBook: Check = {
  ...common,
  name: 'journey: an address book entry is added, renamed and removed; only the book is allowed',
  async run(stage) {
    const { mails, page } = await newPerson(stage, { hasPasskey: true });
    await visit(page, stage.url, '/wallet?tab=book');
    await page.getByRole('button', { name: 'Add address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Asset').selectOption('btc');
    await dialog.getByLabel('Address').fill(ADDRESS);
    await dialog.getByLabel('Label').fill('cold wallet');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    const row = page.getByRole('row').filter({ hasText: ADDRESS });
    await row.filter({ hasText: /Active from/ }).waitFor();
    await mails.arrived('address_book_changed');
    await page.getByRole('switch', { name: 'Only allow withdrawals to address book' }).click();
    await page.getByText('Withdrawals to other addresses are blocked.').waitFor();
    await page.getByRole('button', { name: 'Rename cold wallet' }).click();
    await dialog.getByLabel('Label').fill('vault');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: 'vault' }).waitFor();
    await page.getByRole('button', { name: 'Remove vault' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No addresses yet.').waitFor();
    await page.context().close();
    return undefined;
  },
};

const subAccounts: Check = {
  ...common,
  name: 'journey: a sub-account is created, and transfers both ways match the ledger',
  async run(stage) {
    const { user } = stage.sandbox.seeded.users.alice;
    const label = `desk${Date.now()}`;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, '/account?tab=subs');
    await page.getByRole('button', { name: 'Create sub-account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(label);
    await dialog.getByRole('button', { name: 'Create sub-account' }).click();
    const row = page.getByRole('row').filter({ hasText: label });
    await row.waitFor();
    const { body } = await stage.clientOf('alice').get('/subaccounts');
    const sub = (body.data as { id: number; label: string }[]).find((one) => one.label === label);
    assert.ok(sub !== undefined, 'the exchange does not list the sub-account');
    const move = async (amount: string, direction: string) => {
      await page.getByRole('button', { name: `Transfer: ${label}` }).click();
      await dialog.getByRole('button', { name: direction }).click();
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByRole('button', { name: 'Transfer' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    const holds = (amount: string | undefined) =>
      waitUntil({
        what: `the sub-account has ${amount} USDT`,
        timeoutMs: stage.patienceMs,
        question: async () => (await ledgerBalances(stage, sub.id)).usdt?.total === amount,
      });
    await move('12.5', 'To sub-account');
    await holds('12.5');
    await move('12.5', 'To main account');
    await holds('0');
    await page.getByRole('button', { name: `Remove: ${label}` }).click();
    await row.waitFor({ state: 'detached' });
    await page.context().close();
    return undefined;
  },
};

const staking: Check = {
  ...common,
  name: 'journey: a stake is opened and closed early, at the cost shown on the screen',
  async run(stage) {
    const { user } = stage.sandbox.seeded.users.alice;
    const name = await openPool(stage);
    const page = await stage.openPage({ user });
    await visit(page, stage.url, '/wallet?tab=staking');
    await page.getByRole('button', { name: `Stake in ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('0.001');
    await dialog.getByText('Minimum 0.01 BTC').waitFor();
    await dialog.getByLabel('Amount').fill('0.5');
    await dialog.getByRole('button', { name: 'Stake', exact: true }).click();
    const stakes = page.getByRole('table', { name: 'Your stakes' });
    const row = stakes.getByRole('row').filter({ hasText: name });
    await row.filter({ hasText: 'Staked' }).waitFor();
    await row.getByRole('button', { name: 'Unstake' }).click();
    // 1% of the amount.
    await dialog.getByText('costs 0.005 BTC of your stake').waitFor();
    await dialog.getByRole('button', { name: 'Unstake' }).click();
    await row.filter({ hasText: /Unstaking|Closed/ }).waitFor();
    await page.context().close();
    return undefined;
  },
};

export const accountJourneys: readonly Check[] = [
  keys,
  authenticator,
  emailChange,
  addressBook,
  subAccounts,
  staking,
];

interface Person {
  readonly page: Page;
  readonly email: string;
  readonly mails: Mails;
}

/** Signs up on the screen. With a passkey, later confirmations use the passkey. */
async function newPerson(
  stage: Stage,
  { hasPasskey }: { readonly hasPasskey: boolean },
): Promise<Person> {
  const page = await stage.openPage();
  await addAuthenticator(page);
  const email = `person-${Date.now()}@example.com`;
  const mails = new Mails(stage, email);
  await visit(page, stage.url, '/sign-up');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Email code').fill(await mails.nextCode());
  await page.getByRole('button', { name: 'Confirm' }).click();
  if (hasPasskey) {
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await keepCodes(page);
  } else {
    await page.getByRole('button', { name: 'Not now' }).click();
  }
  await page.getByRole('button', { name: `Account: ${email}` }).waitFor();
  return { page, email, mails };
}

/** Returns the recovery codes, which are shown only once. */
async function keepCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allInnerTexts();
  await page.getByRole('checkbox', { name: "I've saved these codes" }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await list.waitFor({ state: 'detached' });
  return codes;
}

async function fillMailCode(dialog: Locator, mails: Mails): Promise<void> {
  await dialog.getByRole('button', { name: /Send (?:new )?code/ }).click();
  await dialog.getByLabel('Email code').fill(await mails.nextCode());
}

interface InboxMail {
  readonly kind: string;
  readonly code?: string;
}

/** Emails to one address. Each code is returned only once. */
class Mails {
  readonly #stage: Stage;
  readonly #email: string;
  readonly #taken = new Set<string>();

  constructor(stage: Stage, email: string) {
    this.#stage = stage;
    this.#email = email;
  }

  async nextCode(): Promise<string> {
    let code: string | undefined;
    await this.#until('a new code has arrived', (mails) => {
      code = mails.map((mail) => mail.code ?? '').find((one) => one && !this.#taken.has(one));
      return code !== undefined;
    });
    this.#taken.add(code ?? '');
    return code ?? '';
  }

  async arrived(kind: string): Promise<void> {
    await this.#until(`a mail '${kind}' has arrived`, (mails) =>
      mails.some((mail) => mail.kind === kind),
    );
  }

  async #until(what: string, isThere: (mails: readonly InboxMail[]) => boolean): Promise<void> {
    const { patienceMs, sandbox } = this.#stage;
    await waitUntil({
      what: `${what} at ${this.#email}`,
      timeoutMs: patienceMs,
      question: async () => {
        const answer = await fetch(`${sandbox.inboxUrl}/messages.json?to=${this.#email}`);
        return isThere((await answer.json()) as InboxMail[]);
      },
    });
  }
}

/** Opens a bitcoin pool that accepts stakes. Returns its name. */
async function openPool(stage: Stage): Promise<string> {
  const admin = stage.clientOf('admin');
  const name = `Bitcoin ${Date.now()}`;
  const terms = { currency: 'btc', apy: 5, duration: 30, min_amount: 0.01, max_amount: 1 };
  const cost = { early_unstake: true, slashing_principle_percentage: 1 };
  const account_id = Number(stage.sandbox.seeded.users.admin.user);
  const made = await admin.post('/admin/stake', { name, account_id, ...terms, ...cost });
  assert.equal(made.status, 200, made.text);
  for (const change of [{ status: 'active' }, { onboarding: true }]) {
    const changed = await admin.put('/admin/stake', { id: made.body.id, ...change });
    assert.equal(changed.status, 200, changed.text);
  }
  return name;
}

/** Returns the status of a rejected call, or undefined if the call succeeds. */
async function refusalOf(call: () => Promise<unknown>): Promise<number | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof RialtoError) return error.status;
    throw error;
  }
}
