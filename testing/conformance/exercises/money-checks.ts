// Checks for administrators moving money, and for their emails.

import type { Call } from '../interface.ts';
import { type Checks, requiredCheck } from '../list-checks.ts';
import { ADDRESSES } from '../scene.ts';
import { expect, type Stage } from '../stage.ts';
import type { Body } from '../target.ts';
import { transferChecks } from './user-checks.ts';

const FLAGS = ['status', 'dismissed', 'rejected', 'processing', 'waiting'];

let transactions = 0;
const transaction = () => `check-${Date.now().toString(36)}-${++transactions}`;

type Kind = 'mint' | 'burn';
const ROWS: Readonly<Record<Kind, Call>> = {
  mint: 'GET /v2/admin/deposits',
  burn: 'GET /v2/admin/withdrawals',
};

async function balance(stage: Stage, currency: string): Promise<number> {
  const given = { user_id: stage.taker.id };
  const all = await stage.ok('GET /v2/admin/user/balance', given);
  return all[`${currency}_balance`];
}

/** Returns a record of the taker with this transaction, as the list shows it. */
async function recorded(stage: Stage, kind: Kind, given: object = {}): Promise<Body> {
  const transaction_id = transaction();
  const body = { user_id: stage.taker.id, currency: 'eur', amount: 12, transaction_id, ...given };
  await stage.ok(`POST /v2/admin/${kind}`, body);
  return row(stage, kind, transaction_id);
}

async function row(stage: Stage, kind: Kind, transaction_id: string): Promise<Body> {
  const { data } = await stage.ok(ROWS[kind], { transaction_id });
  expect(data.length === 1, `one row of ${transaction_id}`, data.length);
  return data[0];
}

function newRecordChecks(kind: Kind): Checks {
  const call: Call = `POST /v2/admin/${kind}`;
  const sign = kind === 'mint' ? 1 : -1;
  const given = ({ taker }: Stage) => ({ user_id: taker.id, currency: 'eur', amount: 10 });
  return {
    answer: async (stage) => {
      const before = await balance(stage, 'eur');
      await stage.ok(call, given(stage));
      const after = await balance(stage, 'eur');
      expect(after === before + sign * 10, `${before + sign * 10} eur`, after);
    },
    ...requiredCheck(call, given, ['user_id', 'currency', 'amount']),
    transaction_id: async (stage) => {
      const { amount, user_id } = await recorded(stage, kind);
      expect(amount === 12 && user_id === stage.taker.id, '12 eur of the user', {
        amount,
        user_id,
      });
      // A coin with several networks, without one.
      await recorded(stage, kind, { currency: 'usdt' });
    },
    status: async (stage) => {
      const before = await balance(stage, 'eur');
      const { status } = await recorded(stage, kind, { status: false });
      expect(status === false && (await balance(stage, 'eur')) === before, 'pending', status);
      const { status: done } = await recorded(stage, kind, { status: true });
      expect(done === true, 'completed', done);
    },
    fee: async (stage) => {
      const { fee } = await recorded(stage, kind, { fee: 0.5 });
      expect(fee === 0.5, '0.5', fee);
    },
    network: async (stage) => {
      const { network } = await recorded(stage, kind, { currency: 'usdt', network: 'eth' });
      expect(network === 'eth', 'eth', network);
    },
    email: async (stage) => {
      await recorded(stage, kind, { email: false });
      await stage.refused(call, { ...given(stage), email: 'perhaps' });
    },
  };
}

function changedRecordChecks(kind: Kind): Checks {
  const call: Call = `PUT /v2/admin/${kind}`;
  const change = async (stage: Stage, given: object): Promise<Body> => {
    const { transaction_id } = await recorded(stage, kind, { status: false });
    await stage.ok(call, { transaction_id, ...given });
    return row(stage, kind, transaction_id);
  };
  return {
    answer: async (stage) => {
      const { transaction_id } = await recorded(stage, kind, { status: false });
      const before = await balance(stage, 'eur');
      await stage.ok(call, { transaction_id, status: true });
      const after = await balance(stage, 'eur');
      expect(after === before + (kind === 'mint' ? 12 : -12), 'a balance changed by 12', {
        before,
        after,
      });
    },
    transaction_id: (stage) => stage.refused(call, { status: true }),
    updated_transactionId: async (stage) => {
      const { transaction_id } = await recorded(stage, kind, { status: false });
      const updated_transactionId = transaction();
      await stage.ok(call, { transaction_id, updated_transactionId });
      await row(stage, kind, updated_transactionId);
    },
    updated_address: async (stage) => {
      const { address } = await change(stage, { updated_address: 'another place' });
      expect(address === 'another place', 'another place', address);
    },
    ...Object.fromEntries(
      FLAGS.map((flag) => [
        flag,
        async (stage: Stage) => {
          const changed = await change(stage, { [flag]: true });
          expect(changed[flag] === true, `${flag} true`, changed);
        },
      ]),
    ),
    rejected: async (stage) => {
      const { transaction_id } = await recorded(stage, kind, { status: false });
      await stage.ok(call, { transaction_id, processing: true });
      await stage.ok(call, { transaction_id, rejected: true });
      const { rejected } = await row(stage, kind, transaction_id);
      expect(rejected === true, 'rejected, even after processing', rejected);
    },
    description: async (stage) => {
      const { description } = await change(stage, { description: 'by hand' });
      expect(description === 'by hand', 'by hand', description);
    },
    email: async (stage) => {
      await change(stage, { status: true, email: false });
      const { transaction_id } = await recorded(stage, kind, { status: false });
      await stage.refused(call, { transaction_id, email: 'perhaps' });
    },
  };
}

const transferOf = ({ maker, taker }: Stage) => ({
  sender_id: maker.id,
  receiver_id: taker.id,
  currency: 'eur',
  amount: 3,
});

const withdrawalOf = ({ maker }: Stage) => ({
  user_id: maker.id,
  currency: 'usdt',
  amount: 25,
  address: ADDRESSES.eth,
  network: 'eth',
});

const checkOf = () => ({
  currency: 'btc',
  transaction_id: 'a'.repeat(64),
  address: ADDRESSES.btc,
  network: 'btc',
});

const MAILS: Readonly<Record<string, Checks>> = {
  'POST /v2/admin/send-email': {
    answer: async (stage) => {
      const data = {
        time: new Date().toISOString(),
        country: 'DE',
        ip: '192.0.2.1',
        device: 'test',
      };
      const given = { user_id: stage.taker.id, mail_type: 'login', data };
      await stage.ok('POST /v2/admin/send-email', given);
      await stage.mailed(stage.taker, ['192.0.2.1', 'Germany']);
    },
    user_id: (stage) =>
      stage.refused('POST /v2/admin/send-email', { mail_type: 'welcome', data: {} }),
    mail_type: async (stage) => {
      const types = {
        welcome: {},
        alert: { type: 'a notice', data: 'a text' },
        account_upgrade: {},
      };
      for (const [mail_type, data] of Object.entries(types)) {
        await stage.ok('POST /v2/admin/send-email', { user_id: stage.taker.id, mail_type, data });
      }
      await stage.mailed(stage.taker, ['a notice', 'a text']);
      const given = { user_id: stage.taker.id, mail_type: 'unknown', data: {} };
      await stage.refused('POST /v2/admin/send-email', given);
    },
    data: (stage) =>
      stage.refused('POST /v2/admin/send-email', { user_id: stage.taker.id, mail_type: 'welcome' }),
  },
  'POST /v2/admin/send-email/raw': {
    answer: async (stage) => {
      const given = { receivers: [stage.taker.email], html: '<p>Good news</p>' };
      await stage.ok('POST /v2/admin/send-email/raw', given);
      await stage.mailed(stage.taker, ['Good news']);
    },
    receivers: (stage) => stage.refused('POST /v2/admin/send-email/raw', { html: '<p>x</p>' }),
    html: (stage) =>
      stage.refused('POST /v2/admin/send-email/raw', { receivers: [stage.taker.email] }),
    title: async (stage) => {
      const given = { receivers: [stage.taker.email], html: '<p>x</p>', title: 'Fees fall' };
      await stage.ok('POST /v2/admin/send-email/raw', given);
      await stage.mailed(stage.taker, ['Fees fall']);
    },
    text: async (stage) => {
      const given = { receivers: [stage.taker.email], html: '<p>x</p>', text: 'In plain text' };
      await stage.ok('POST /v2/admin/send-email/raw', given);
      await stage.mailed(stage.taker, ['In plain text']);
    },
  },
};

export const MONEY_CHECKS: Readonly<Record<string, Checks>> = {
  'POST /v2/admin/transfer': {
    answer: async (stage) => {
      const before = await balance(stage, 'eur');
      await stage.ok('POST /v2/admin/transfer', transferOf(stage));
      const after = await balance(stage, 'eur');
      expect(after === before + 3, `${before + 3} eur`, after);
    },
    ...requiredCheck('POST /v2/admin/transfer', transferOf, [
      'sender_id',
      'receiver_id',
      'currency',
      'amount',
    ]),
    description: async (stage) => {
      const description = `rent ${transaction()}`;
      await stage.ok('POST /v2/admin/transfer', { ...transferOf(stage), description });
      const given = { user_id: stage.taker.id, currency: 'eur' };
      const { data } = await stage.ok('GET /v2/admin/deposits', given);
      expect(data[0]?.description === description, description, data[0]?.description);
    },
    email: async (stage) => {
      await stage.ok('POST /v2/admin/transfer', { ...transferOf(stage), email: false });
      await stage.refused('POST /v2/admin/transfer', { ...transferOf(stage), email: 'perhaps' });
    },
  },
  'POST /v2/admin/withdrawal': {
    answer: async (stage) => {
      const { amount, id } = await stage.ok('POST /v2/admin/withdrawal', withdrawalOf(stage));
      expect(amount === 25, '25', amount);
      const given = { user_id: stage.maker.id, currency: 'usdt' };
      const { data } = await stage.ok('GET /v2/admin/withdrawals', given);
      expect(
        data.some((one: { id: number }) => one.id === id),
        `row ${id}`,
        data[0],
      );
    },
    ...requiredCheck('POST /v2/admin/withdrawal', withdrawalOf, [
      'user_id',
      'currency',
      'amount',
      'address',
      'network',
    ]),
  },
  'GET /v2/admin/check-transaction': {
    answer: async (stage) => {
      await stage.ok('GET /v2/admin/check-transaction', checkOf());
    },
    ...requiredCheck('GET /v2/admin/check-transaction', checkOf, [
      'currency',
      'transaction_id',
      'address',
      'network',
    ]),
    is_testnet: async (stage) => {
      await stage.ok('GET /v2/admin/check-transaction', { ...checkOf(), is_testnet: true });
    },
  },
  'POST /v2/admin/mint': newRecordChecks('mint'),
  'PUT /v2/admin/mint': changedRecordChecks('mint'),
  'POST /v2/admin/burn': newRecordChecks('burn'),
  'PUT /v2/admin/burn': changedRecordChecks('burn'),
  'GET /v2/admin/deposits': ownedTransferChecks('GET /v2/admin/deposits'),
  'GET /v2/admin/withdrawals': ownedTransferChecks('GET /v2/admin/withdrawals'),
  ...MAILS,
  'GET /v2/admin/fees/settle': {
    answer: async (stage) => {
      await stage.ok('GET /v2/admin/fees/settle');
    },
    user_id: async (stage) => {
      // New fees require a trade.
      await stage.ok('POST /v2/admin/trade', {
        maker_id: stage.maker.id,
        taker_id: stage.taker.id,
        maker_fee: 0.1,
        taker_fee: 0.2,
        symbol: 'btc-usdt',
        size: 0.01,
        price: 60_000,
        side: 'buy',
      });
      const before = await balance(stage, 'usdt');
      await stage.ok('GET /v2/admin/fees/settle', { user_id: stage.taker.id });
      const after = await balance(stage, 'usdt');
      expect(after > before, 'fees for the user', { before, after });
    },
  },
};

function ownedTransferChecks(call: Call): Checks {
  return {
    ...transferChecks(call),
    answer: async (stage) => {
      const { data } = await stage.ok(call, { user_id: stage.maker.id });
      const { User } = data[0] ?? {};
      expect(User?.email === stage.maker.email, stage.maker.email, User);
    },
    user_id: async (stage) => {
      const { count, data } = await stage.ok(call, { user_id: stage.taker.id });
      const isOwn = data.every(({ user_id }: Body) => user_id === stage.taker.id);
      expect(count > 0 && isOwn, 'rows of the taker', count);
    },
  };
}
