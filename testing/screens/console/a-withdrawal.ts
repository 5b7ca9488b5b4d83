// Requests a withdrawal over the API for a funded user.

import assert from 'node:assert/strict';
import { describePolicySettings } from '../../../features/payments/index.ts';
import { PersonOverHttp } from '../../identity/person-over-http.ts';
import { depositFor } from '../ledger.ts';
import { mailedCode } from '../mailed-code.ts';
import type { ConsoleStage } from './console-stage.ts';

/** Valid address that belongs to no user of this exchange. */
export const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

export async function personWith(stage: ConsoleStage, amount: number): Promise<PersonOverHttp> {
  const person = await PersonOverHttp.make(stage.sandbox);
  await depositFor(stage, { user: person.user, currency: 'btc', network: 'btc', amount });
  return person;
}

/** Every withdrawal worth at least a dollar needs two reviews. */
export async function reviewEverything({ sandbox }: ConsoleStage): Promise<void> {
  const all = { oneReviewFrom: '1', twoReviewsFrom: '1' };
  await describePolicySettings(sandbox.admin.registry, all);
}

/** Returns the withdrawal's ID once it is pending review. */
export async function requestWithdrawal(
  stage: ConsoleStage,
  person: PersonOverHttp,
  amount: number,
): Promise<number> {
  const body = {
    currency: 'btc',
    network: 'btc',
    amount,
    address: ADDRESS,
    otp_code: await person.otp(),
    version: 'v2',
  };
  const asked = await person.send('POST', '/user/request-withdrawal', { body });
  assert.equal(asked.status, 200, asked.text);
  const text = 'select email from users where id = $1';
  const { rows } = await stage.sandbox.admin.registry.query(text, [person.user]);
  const token = await mailedCode(stage, rows[0].email, 'confirm_withdrawal');
  const confirmed = await person.send('POST', '/user/confirm-withdrawal', { body: { token } });
  assert.equal(confirmed.status, 200, confirmed.text);
  const { body: found } = await person.send('GET', '/user/withdrawals');
  return found.data[0].id;
}
