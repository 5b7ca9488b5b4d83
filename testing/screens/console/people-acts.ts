// User journeys: an account is frozen while it trades, and personal data is revealed.

import assert from 'node:assert/strict';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { PersonOverHttp } from '../../identity/person-over-http.ts';
import { personWith } from './a-withdrawal.ts';
import type { ConsoleCheck } from './console-stage.ts';
import { OperatorAtWork } from './operator-at-work.ts';

const freeze: ConsoleCheck = {
  name: 'journey: a user is frozen while trading',
  isJourney: true,
  async run(stage) {
    const person = await personWith(stage, 5);
    let placed = 0;
    let refusal = 0;
    const trading = (async () => {
      // Far from the market price, so every order stays open.
      const order = { symbol: 'btc-usdt', type: 'limit', side: 'sell', size: 0.001 };
      while (refusal === 0) {
        const body = { ...order, price: 65_000 + placed };
        const answer = await person.send('POST', '/order', { body });
        if (answer.status === 200) placed += 1;
        else refusal = answer.status;
      }
    })();
    const ann = await OperatorAtWork.seated(stage, 'supervisor');
    await ann.go(`/people?id=${person.user}`);
    await waitUntil({
      what: 'the user trades',
      timeoutMs: stage.patienceMs,
      question: () => placed > 5,
    });
    await ann.act({
      button: 'Freeze account',
      submit: 'Freeze account',
      reason: 'end-to-end check',
      says: ['Ends all sessions'],
    });
    await trading;
    assert.equal(refusal, 401, 'the session is still valid');
    await ann.page.getByText('Frozen', { exact: true }).first().waitFor();
    await waitUntil({
      what: 'no order is open',
      timeoutMs: stage.patienceMs,
      question: async () => {
        const { body } = await ann.call('GET', `/admin/orders?user_id=${person.user}&open=true`);
        return (body.data as unknown[]).length === 0;
      },
    });
    await ann.close();
    return { ordersBeforeFreeze: placed };
  },
};

const reveal: ConsoleCheck = {
  name: 'journey: personal data is revealed with a reason',
  isJourney: true,
  async run(stage) {
    const person = await PersonOverHttp.make(stage.sandbox);
    const text = 'select email from users where id = $1';
    const { rows } = await stage.sandbox.admin.registry.query(text, [person.user]);
    const { email } = rows[0];
    const ann = await OperatorAtWork.seated(stage, 'supervisor');
    await ann.go(`/people?id=${person.user}&tab=profile`);
    await ann.page.getByRole('heading', { name: `User ${person.user}` }).waitFor();
    assert.equal(await ann.page.getByText(email).count(), 0, 'the address is not masked');
    await ann.button('Reveal personal data').click();
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByLabel('Ticket number').fill('T-17');
    await dialog.getByLabel('Reason').fill('end-to-end check');
    await dialog.getByLabel('One-time code').fill(await stage.codeOf(ann.operator));
    await dialog.getByRole('button', { name: 'Reveal personal data' }).click();
    const values = dialog.getByRole('definition');
    await values.getByText(email).waitFor();
    await ann.page.keyboard.press('Escape');
    const reveals = ann.page.getByRole('table', { name: 'Personal data reveals' });
    await reveals.getByText('end-to-end check (T-17)').waitFor();
    // The data is visible to this operator for 15 minutes, and to no other operator.
    const ben = await OperatorAtWork.seated(stage, 'supervisor');
    await ben.go(`/people?id=${person.user}&tab=profile`);
    await ben.page.getByRole('heading', { name: `User ${person.user}` }).waitFor();
    assert.equal(await ben.page.getByText(email).count(), 0, 'another operator sees the address');
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

export const peopleActs = [freeze, reveal] as const;
