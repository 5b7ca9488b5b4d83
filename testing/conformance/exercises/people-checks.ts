// Checks for administrator actions on users.

import { totpCode } from '../../../features/auth/index.ts';
import type { Call } from '../interface.ts';
import { both, type Checks, filterCheck, listChecks, requiredCheck } from '../list-checks.ts';
import { type Guest, makeGuest, PASSWORD } from '../scene.ts';
import { expect, type Stage } from '../stage.ts';
import { type Body, Caller } from '../target.ts';

const PAGE_MAX = 50;
const USERS: Call = 'GET /v2/admin/users';

async function read(stage: Stage, id: number): Promise<Body> {
  const { data } = await stage.ok(USERS, { id });
  return data[0];
}

/** Opens a guest's session. */
async function signIn(stage: Stage, { email }: Guest): Promise<Caller> {
  const body = { email, password: PASSWORD };
  const { token } = await stage.nobody.must({ method: 'POST', path: '/v2/login', body });
  return new Caller(stage.target.url, { token });
}

/** Checks a change whose effect is a field of the user. */
function changes(
  call: Call,
  plan: { given: object; expected: string; isDone(user: Body): boolean },
): Checks[string] {
  return async (stage) => {
    const { id } = await makeGuest(stage);
    await stage.ok(call, { user_id: id, ...plan.given });
    const user = await read(stage, id);
    expect(plan.isDone(user), plan.expected, user);
  };
}

const userIdRequired = (call: Call, given: object): Checks =>
  requiredCheck(call, (stage) => ({ user_id: stage.taker.id, ...given }), [
    'user_id',
    ...Object.keys(given),
  ]);

async function otpRemoved(stage: Stage): Promise<void> {
  const guest = await makeGuest(stage);
  const session = await signIn(stage, guest);
  const { secret } = await session.must({ method: 'GET', path: '/v2/user/request-otp' });
  const body = { code: totpCode(secret, Date.now()) };
  await session.must({ method: 'POST', path: '/v2/user/activate-otp', body });
  expect((await read(stage, guest.id)).otp_enabled === true, 'otp_enabled', 'false');
  await stage.ok('POST /v2/admin/deactivate-otp', { user_id: guest.id });
  expect((await read(stage, guest.id)).otp_enabled === false, 'no second factor', 'true');
}

const USERS_CHECKS: Checks = {
  ...listChecks({
    call: USERS,
    date: 'created_at',
    sorts: ['id', 'email', 'created_at', 'updated_at', 'verification_level'],
    maximum: PAGE_MAX,
    hasFile: true,
  }),
  answer: async (stage) => {
    await stage.admin.caller.send({
      method: 'PUT',
      path: '/v2/admin/user/note',
      body: { user_id: stage.maker.id, note: 'a remark' },
    });
    const { address, dob, email, full_name, gender, id, phone_number } = await read(
      stage,
      stage.maker.id,
    );
    expect(id === stage.maker.id && email === stage.maker.email, stage.maker.email, email);
    expect(full_name === 'Marta Maker', 'Marta Maker', full_name);
    expect(gender === true, 'gender true', gender);
    expect(String(dob).startsWith('1990-05-18'), '1990-05-18', dob);
    expect(phone_number === '+491701234567', '+491701234567', phone_number);
    expect(address?.city === 'Hamburg', 'Hamburg', address);
  },
  id: filterCheck(USERS, 'id', {
    value: ({ taker }) => taker.id,
    isIncluded: ({ id }, value) => id === value,
  }),
  user_id: filterCheck(USERS, 'user_id', {
    value: ({ taker }) => taker.id,
    isIncluded: ({ id }, value) => id === value,
  }),
  search: filterCheck(USERS, 'search', {
    value: ({ taker }) => taker.email,
    isIncluded: ({ email }, value) => email === value,
  }),
  pending: async (stage) => {
    await pendingBank(stage);
    await filterCheck(USERS, 'pending', { value: () => true, isIncluded: isPending })(stage);
  },
  pending_type: async (stage) => {
    const guest = await pendingBank(stage);
    const given = { pending: true, pending_type: 'bank', limit: PAGE_MAX };
    const { data } = await stage.ok(USERS, given);
    expect(
      data.some(({ id }: Guest) => id === guest.id),
      `user ${guest.id}`,
      data.length,
    );
    const { data: others } = await stage.ok(USERS, { ...given, pending_type: 'id' });
    const isLeftOut = !others.some(({ id }: Guest) => id === guest.id);
    expect(isLeftOut, `without user ${guest.id}`, others.length);
    expect(
      others.some(({ id }: Guest) => id === stage.maker.id),
      'the maker',
      others.length,
    );
  },
};

function isPending({ bank_account, id_data }: Body): boolean {
  return (
    id_data?.status === 1 || bank_account.some(({ status }: { status: number }) => status === 1)
  );
}

/** Creates a guest whose bank account is pending review. */
async function pendingBank(stage: Stage): Promise<Guest> {
  const guest = await makeGuest(stage);
  const session = await signIn(stage, guest);
  await session.must({ method: 'POST', path: '/v2/user/bank', body: BANK });
  return guest;
}

const BANK = { type: 'bank', bank_name: 'Harbor Bank', account_number: '12345678' };

const AFFILIATION: Checks = {
  ...listChecks({
    call: 'GET /v2/admin/user/affiliation',
    base: ({ maker }) => ({ user_id: maker.id }),
    date: 'created_at',
    sorts: ['created_at'],
    maximum: PAGE_MAX,
  }),
  user_id: async (stage) => {
    const given = { user_id: stage.taker.id };
    const { count } = await stage.ok('GET /v2/admin/user/affiliation', given);
    expect(count === 0, 'no user referred by the taker', count);
  },
};

const LOGINS: Checks = {
  ...listChecks({
    call: 'GET /v2/admin/logins',
    date: 'timestamp',
    sorts: ['timestamp'],
    maximum: PAGE_MAX,
  }),
  answer: async (stage) => {
    const guest = await makeGuest(stage);
    for (let at = 0; at < 3; at += 1) await signIn(stage, guest);
    const { count, data } = await stage.ok('GET /v2/admin/logins', { user_id: guest.id });
    expect(count === 3 && data[0].user_id === guest.id, 'three rows of the user', count);
  },
  user_id: filterCheck('GET /v2/admin/logins', 'user_id', {
    value: ({ admin }) => admin.id,
    isIncluded: ({ user_id }, value) => user_id === value,
  }),
};

const ROLE: Checks = {
  answer: async (stage) => {
    const { id } = await makeGuest(stage);
    await stage.ok('PUT /v2/admin/user/role', { user_id: id, role: 'support' });
  },
  ...userIdRequired('PUT /v2/admin/user/role', { role: 'support' }),
};

export const PEOPLE_CHECKS: Readonly<Record<string, Checks>> = {
  'GET /v2/admin/exchange': {
    answer: async (stage) => {
      const { coins, pairs } = await stage.ok('GET /v2/admin/exchange');
      expect(coins.includes('btc') && pairs.includes('btc-usdt'), 'btc and btc-usdt', coins);
    },
    user_id: async (stage) => {
      await stage.ok('GET /v2/admin/exchange', { user_id: stage.admin.id });
    },
  },
  'POST /v2/admin/user': {
    answer: async (stage) => {
      const email = `made.${Date.now().toString(36)}@example.com`;
      await stage.ok('POST /v2/admin/user', { email, password: PASSWORD });
      const { data } = await stage.ok(USERS, { search: email });
      expect(data[0]?.email === email && data[0].email_verified === true, email, data[0]);
    },
    email: (stage) => stage.refused('POST /v2/admin/user', { password: PASSWORD }),
    password: async (stage) => {
      await stage.refused('POST /v2/admin/user', { email: 'nobody@example.com' });
      await signIn(stage, await makeGuest(stage));
    },
    referral: async (stage) => {
      const { affiliation_code: referral } = await stage.ok('GET /v2/user');
      const email = `referred.${Date.now().toString(36)}@example.com`;
      await stage.ok('POST /v2/admin/user', { email, password: PASSWORD, referral });
      const { data } = await stage.ok(USERS, { search: email });
      const referer = await stage.ok('GET /v2/admin/user/referer', { user_id: data[0].id });
      expect(JSON.stringify(referer).includes(stage.maker.email), stage.maker.email, referer);
    },
  },
  'DELETE /v2/admin/user': {
    answer: async (stage) => {
      const { email, id } = await makeGuest(stage);
      await stage.ok('DELETE /v2/admin/user', { user_id: id });
      const body = { email, password: PASSWORD };
      const { status } = await stage.nobody.send({ method: 'POST', path: '/v2/login', body });
      expect(status === 401, 'no login anymore', status);
    },
    user_id: (stage) => stage.refused('DELETE /v2/admin/user', {}),
  },
  [USERS]: USERS_CHECKS,
  'GET /v2/admin/user/referer': {
    answer: async (stage) => {
      const { affiliation_code: referral } = await stage.ok('GET /v2/user');
      const { id } = await makeGuest(stage, { referral });
      const answer = await stage.ok('GET /v2/admin/user/referer', { user_id: id });
      const [entry] = Object.values<Body>(answer);
      expect(entry?.referer?.id === stage.maker.id, `referer ${stage.maker.id}`, answer);
      expect(entry.referer.email === stage.maker.email, stage.maker.email, entry.referer);
    },
    user_id: (stage) => stage.refused('GET /v2/admin/user/referer', {}),
  },
  'GET /v2/admin/user/affiliation': AFFILIATION,
  'POST /v2/admin/user/activate': {
    answer: changes('POST /v2/admin/user/activate', {
      given: { activated: false },
      expected: 'activated false',
      isDone: ({ activated }) => activated === false,
    }),
    ...userIdRequired('POST /v2/admin/user/activate', { activated: true }),
    activated: async (stage) => {
      const { id } = await makeGuest(stage);
      for (const activated of [false, true]) {
        await stage.ok('POST /v2/admin/user/activate', { user_id: id, activated });
        const user = await read(stage, id);
        expect(user.activated === activated, `activated ${activated}`, user.activated);
      }
    },
  },
  'POST /v2/admin/deactivate-otp': {
    answer: otpRemoved,
    user_id: (stage) => stage.refused('POST /v2/admin/deactivate-otp', {}),
  },
  'GET /v2/admin/logins': LOGINS,
  'POST /v2/admin/user/bank': {
    answer: async (stage) => {
      const { id } = await makeGuest(stage);
      await stage.ok('POST /v2/admin/user/bank', { user_id: id, bank_account: [BANK] });
      const { bank_account } = await read(stage, id);
      const [account] = bank_account;
      expect(account?.account_number === BANK.account_number, 'the account', bank_account);
    },
    user_id: (stage) => stage.refused('POST /v2/admin/user/bank', { bank_account: [BANK] }),
    bank_account: both(
      async (stage) => {
        const { id } = await makeGuest(stage);
        await stage.ok('POST /v2/admin/user/bank', { user_id: id, bank_account: BANK });
        const { bank_account } = await read(stage, id);
        expect(bank_account.length === 1, 'one account for one object', bank_account);
      },
      (stage) => stage.refused('POST /v2/admin/user/bank', { user_id: stage.taker.id }),
    ),
  },
  'PUT /v2/admin/user/role': ROLE,
  'PUT /v2/admin/user/meta': {
    answer: async (stage) => {
      await stage.ok('PUT /v2/admin/user/meta', { user_id: stage.taker.id, meta: {} });
    },
    ...userIdRequired('PUT /v2/admin/user/meta', { meta: {} }),
    meta: changes('PUT /v2/admin/user/meta', {
      given: { meta: { shelf: 'left' } },
      expected: 'meta.shelf left',
      isDone: ({ meta }) => meta.shelf === 'left',
    }),
    overwrite: async (stage) => {
      const { id } = await makeGuest(stage);
      await stage.ok('PUT /v2/admin/user/meta', { user_id: id, meta: { shelf: 'left' } });
      const merged = { user_id: id, meta: { row: 'two' }, overwrite: false };
      await stage.ok('PUT /v2/admin/user/meta', merged);
      const { meta: both } = await read(stage, id);
      expect(both.shelf === 'left' && both.row === 'two', 'both values', both);
      await stage.ok('PUT /v2/admin/user/meta', { ...merged, overwrite: true });
      const { meta } = await read(stage, id);
      expect(meta.shelf === undefined && meta.row === 'two', 'only row', meta);
    },
  },
  'PUT /v2/admin/user/discount': {
    answer: changes('PUT /v2/admin/user/discount', {
      given: { discount: 10 },
      expected: 'discount 10',
      isDone: ({ discount }) => discount === 10,
    }),
    ...userIdRequired('PUT /v2/admin/user/discount', { discount: 5 }),
  },
  'PUT /v2/admin/user/note': {
    answer: changes('PUT /v2/admin/user/note', {
      given: { note: 'called on Monday' },
      expected: 'the note',
      isDone: ({ note }) => note === 'called on Monday',
    }),
    ...userIdRequired('PUT /v2/admin/user/note', { note: 'a remark' }),
  },
  'POST /v2/admin/upgrade-user': {
    answer: changes('POST /v2/admin/upgrade-user', {
      given: { verification_level: 2 },
      expected: 'level 2',
      isDone: ({ verification_level }) => verification_level === 2,
    }),
    ...userIdRequired('POST /v2/admin/upgrade-user', { verification_level: 2 }),
  },
};
