// An operator in a browser: signs in, clicks a button, fills in the dialog, reads the outcome.
// Finds everything by role and name.

import type { Locator, Page } from 'playwright-core';
import type { ConsoleOperator } from '../../../tools/sandbox/console-operators.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { mailedCode } from '../mailed-code.ts';
import { hasLoaded, visit } from '../stage.ts';
import type { ConsoleStage } from './console-stage.ts';

export interface DialogWork {
  /** Button that opens the dialog. */
  readonly button: string | RegExp;
  /** Button in the dialog that submits it. */
  readonly submit: string | RegExp;
  readonly reason?: string;
  readonly needsCode?: boolean;
  /** Texts to enter, by label. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Options to choose, by label. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Texts that the dialog shows before it is submitted. */
  readonly says?: readonly string[];
  /** Pattern for the dialog's full text. */
  readonly shows?: RegExp;
  readonly outcome?: 'Done' | 'Sent for approval';
}

export class OperatorAtWork {
  readonly stage: ConsoleStage;
  readonly operator: ConsoleOperator;
  readonly page: Page;

  /** Signs in with password and code. */
  static async signIn(stage: ConsoleStage, role: string): Promise<OperatorAtWork> {
    const operator = await stage.operator(role);
    const page = await stage.openPage();
    await visit(page, stage.url, '/');
    await page.getByLabel('Email address').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(operator.password);
    await page.getByRole('button', { name: 'Sign in with password' }).click();
    const code = page.getByLabel('One-time code');
    const mailed = page.getByLabel('Email code');
    await code.or(mailed).waitFor();
    if (await mailed.isVisible()) {
      await mailed.fill(await mailedCode(stage, operator.email));
      await page.keyboard.press('Enter');
      await code.waitFor();
    }
    await code.fill(await stage.codeOf(operator));
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
    return new OperatorAtWork(stage, operator, page);
  }

  /** Opens a session without the sign-in. */
  static async seated(stage: ConsoleStage, role: string): Promise<OperatorAtWork> {
    const operator = await stage.operator(role);
    return new OperatorAtWork(stage, operator, await stage.openPage({ operator }));
  }

  constructor(stage: ConsoleStage, operator: ConsoleOperator, page: Page) {
    this.stage = stage;
    this.operator = operator;
    this.page = page;
  }

  async go(path: string): Promise<void> {
    await visit(this.page, this.stage.url, path);
  }

  button(name: string | RegExp): Locator {
    const isText = typeof name === 'string';
    return this.page.getByRole('main').getByRole('button', { name, exact: isText }).first();
  }

  /** Opens a dialog, fills it in and submits it. Resolves when the exchange has responded. */
  async act(work: DialogWork): Promise<void> {
    await this.button(work.button).click();
    await this.fillIn(work);
  }

  async fillIn(work: DialogWork): Promise<void> {
    const { choices = {}, fields = {}, outcome = 'Done', says = [] } = work;
    // Toast messages have the dialog role too.
    const dialog = this.page.getByRole('dialog').and(this.page.locator('dialog'));
    await dialog.waitFor();
    for (const [label, choice] of Object.entries(choices)) {
      await dialog.getByLabel(label, { exact: true }).selectOption(choice);
    }
    for (const [label, text] of Object.entries(fields)) {
      await dialog.getByLabel(label, { exact: true }).fill(text);
    }
    if (work.reason !== undefined) await dialog.getByLabel('Reason').fill(work.reason);
    for (const text of says) await dialog.getByText(text).first().waitFor();
    if (work.shows !== undefined) await this.#shows(dialog, work.shows);
    if (work.needsCode === true) {
      await dialog.getByLabel('One-time code').fill(await this.stage.codeOf(this.operator));
    }
    await dialog.getByRole('button', { name: work.submit, exact: true }).click();
    await this.#answered(dialog, outcome);
  }

  async #shows(dialog: Locator, pattern: RegExp): Promise<void> {
    await waitUntil({
      what: `the dialog shows ${pattern}`,
      timeoutMs: this.stage.patienceMs,
      question: async () => pattern.test(await dialog.innerText()),
    });
  }

  async #answered(dialog: Locator, outcome: string): Promise<void> {
    const refusal = dialog.getByRole('alert');
    let text = '';
    await waitUntil({
      what: 'the exchange responds to the dialog',
      timeoutMs: this.stage.patienceMs,
      question: async () => {
        if (await refusal.isVisible()) text = await refusal.innerText();
        return text !== '' || !(await dialog.isVisible());
      },
    });
    if (text !== '') throw new Error(`refused: ${text}`);
    await this.page.getByText(outcome, { exact: true }).last().waitFor();
  }

  /** Approves the oldest request pending this operator's approval. */
  async approve(act: string): Promise<void> {
    await this.go('/approvals');
    await this.page.getByRole('main').getByRole('button', { name: act }).first().click();
    const approve = this.button(/^Approve(?: \d of \d)?$/);
    await approve.click();
    const retype = this.page.getByLabel('Enter the amount and currency to confirm');
    const written = await retypedAmount(this.page, retype);
    await this.fillIn({
      button: '',
      submit: 'Approve',
      needsCode: true,
      ...(written === undefined
        ? {}
        : { fields: { 'Enter the amount and currency to confirm': written } }),
    });
  }

  /** Calls the API from the page itself, in the operator's session. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const request = {
      method,
      headers: { 'content-type': 'application/json', 'x-rialto-client': 'console' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return this.page.evaluate(
      `fetch(${JSON.stringify(`/v2${path}`)}, ${JSON.stringify(request)}).then(async (answer) =>
         ({ status: answer.status, body: await answer.json() }))`,
    );
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** Resolves once the screen is rendered and all of its panels have loaded. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await hasLoaded(page);
}

/** Returns the amount in the request's spelling if the dialog requires typing it. */
async function retypedAmount(page: Page, field: Locator): Promise<string | undefined> {
  await page.getByRole('dialog').getByLabel('One-time code').waitFor();
  if (!(await field.isVisible())) return undefined;
  const shown = page.getByRole('main').locator('dl').nth(1);
  return (await shown.innerText()).match(/[\d.]+ [a-z]+/)?.[0];
}
