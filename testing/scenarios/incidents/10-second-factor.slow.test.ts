// Incident 10, Crypto.com 2022: withdrawals were approved without their second factor. Here every
// withdrawal request without its factor is rejected and leaves no trace. The factor is checked
// inside the transaction that would create the withdrawal.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AssetId, Atoms, KeyId } from '../../../core/money/index.ts';
import {
  openWithdrawalIn,
  type WithdrawalRequest,
} from '../../../features/payments/withdrawals/requests.ts';
import { accessChangeFeed } from '../../../infra/access/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { EXCHANGE } from '../../../tools/sandbox/sandbox-settings.ts';
import { inOwnTransaction } from '../../outbox/own-transaction.ts';

const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

const WITHDRAWAL = {
  currency: 'btc',
  amount: 0.01,
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  network: 'btc',
};

let sandbox: Sandbox;

/** All traces of withdrawals: requests, outbox commands, and holds in the engine. */
async function traces(): Promise<unknown> {
  const { projections, registry } = sandbox.admin;
  const counted = await Promise.all([
    registry.query('select count(*) from withdrawal_requests'),
    registry.query("select count(*) from outbox where kind = 'OpenWithdrawal'"),
    projections.query('select count(*) from withdrawals'),
  ]);
  return counted.map(({ rows }) => Number(rows[0].count));
}

describe('incident 10', () => {
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox?.stop());

  test('incident 10: a withdrawal without its factor is rejected on every path', async () => {
    const { admin, seeded, url } = sandbox;
    const { user } = seeded.users.alice;
    const before = await traces();
    const trading = await admin.issueKey({ user, canWithdraw: false });
    const elsewhere = await admin.issueKey({ user, whitelistedIps: ['10.1.2.0/24'] });
    const { token } = await admin.issueSession({ user });
    const bearer = { authorization: `Bearer ${token}` };
    const target = '/v2/user/withdrawal';
    const send = (who: RestClient, headers: Record<string, string> = {}) =>
      who.send({ method: 'POST', target, body: WITHDRAWAL, headers });
    const tries: [what: string, status: number, asked: ReturnType<RestClient['send']>][] = [
      ['a key that may only trade', 403, send(new RestClient({ url, ...trading }))],
      ['a key from elsewhere', 401, send(new RestClient({ url, ...elsewhere }))],
      ['a session', 401, send(new RestClient({ url }), bearer)],
      ['nobody', 401, send(new RestClient({ url }))],
      ['a key and a session', 401, send(new RestClient({ url, ...trading }), bearer)],
    ];
    for (const [what, status, asked] of tries) {
      const answer = await asked;
      assert.equal(answer.status, status, `${what}: ${answer.text}`);
    }
    await admin.registry.query(
      "update users set withdrawal_blocked_until = now() + interval '1 day' where id = $1",
      [user],
    );
    const change = { user, key: 0, session: 0, isRevoked: false } as const;
    accessChangeFeed(admin.bus, EXCHANGE).announce(change);
    const { key, secret } = seeded.users.alice;
    const held = await send(new RestClient({ url, key, secret }));
    assert.equal(held.status, 403, held.text);
    assert.deepEqual(await traces(), before);
  });

  test('incident 10: the factor is checked in the transaction of the request', async () => {
    const { admin, seeded } = sandbox;
    const before = await traces();
    const { id, scale } = seeded.assets.get('btc')!;
    const asset = { id: id as AssetId, currency: 'btc', scale };
    const seen: unknown[] = [];
    const request: WithdrawalRequest = {
      user: seeded.users.bob.user,
      key: 0 as KeyId,
      asset,
      feeAsset: asset,
      network: 'btc',
      amountAtoms: 1_000_000n as Atoms,
      feeAtoms: 0n as Atoms,
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      projectionSchema: EXCHANGE,
    };
    const openWith = (isConfirmed: WithdrawalRequest['isConfirmed']) =>
      withConnection(admin.registry, (session) =>
        openWithdrawalRequest(session, { ...request, isConfirmed: isConfirmed! }),
      );
    const refused = await openWith(async (session) => {
      const { rows } = await session.query('select pg_current_xact_id_if_assigned() as id');
      seen.push(rows[0].id);
      return false;
    });
    assert.deepEqual(refused, new Refused('withdrawal_not_confirmed'));
    assert.notEqual(seen[0], null, 'the lock on the user is held by the same transaction');
    await assert.rejects(
      openWith(() => Promise.reject(new Error('no response'))),
      /no response/,
    );
    assert.deepEqual(await traces(), before);
    const opened = await openWith(async () => true);
    assert.equal(opened.kind, 'requested');
  });
});
