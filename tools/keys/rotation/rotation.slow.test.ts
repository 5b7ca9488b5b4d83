// A rotation on a real server: every kind of sealed value moves to the new key, a concurrent write
// wins, and no step can be taken too early.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { createUser, readPersonal, writePersonal } from '../../../features/accounts/index.ts';
import { readApproval } from '../../../features/approvals/approvals.ts';
import { requestBound } from '../../../features/approvals/index.ts';
import { openContent } from '../../../features/approvals/sealed-requests.ts';
import { appendAudit, verifyAudit } from '../../../features/audit/index.ts';
import { useCodeOfUser } from '../../../features/auth/codes.ts';
import {
  installPassword,
  issueCode,
  issueKey,
  keyBound,
  listKeys,
  readPassword,
  requestTotp,
} from '../../../features/auth/index.ts';
import { listSupportMessages, mailBound } from '../../../features/messages/index.ts';
import { sendSupportMessage } from '../../../features/messages/support/support-messages.ts';
import { liabilityKeyBound, liabilitySeedBound } from '../../../features/proofs/index.ts';
import { listSharedAccounts } from '../../../features/sub-accounts/account-sharing.ts';
import { sharedAccountBound } from '../../../features/sub-accounts/index.ts';
import { migrate, type OwnConnection } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { sealWith, type Vault, Vault as VaultOf } from '../../../platform/vault/index.ts';
import { fingerprintOf } from '../../../platform/vault/vault.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { activateKek, addKek, retireKek, rewrapToActiveKek } from './kek-states.ts';
import { countSealed, rewrapAll } from './rewrap.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const FLOW = { network: '203.0.113.7', session: 0 };

const REQUEST = 7;
/** Frame and seed of a liability publication. */
const FRAME = 9;
const SEED = Buffer.alloc(32, 6);

let postgres: PostgresForTest;
let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};
let schemas = 0;
let old: Vault;
let both: Vault;
let later: Vault;

describe('rotation', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
  });
  after(() => stop());
  beforeEach(async () => {
    const schema = `registry_${schemas++}`;
    connection = await postgres.session(schema);
    await migrate(connection, schema, readRegistryMigrations());
    await connection.query(
      `insert into key_encryption_keys (kek_id, fingerprint, state) values (1, $1, 'active')`,
      [fingerprintOf(OLD)],
    );
    old = new VaultOf(new Map([[1, OLD]]));
    both = new VaultOf(
      new Map([
        [1, OLD],
        [2, NEW],
      ]),
      { activeId: 2 },
    );
    later = new VaultOf(new Map([[2, NEW]]), { activeId: 2 });
  });

  test('after a rewrap every sealed value opens with the new key alone', async () => {
    const user = await plant(old);
    const { code } = user;
    const kinds = SEALED_COLUMNS.length;
    assert.deepEqual(await countSealed(connection), new Map([[1, kinds]]));
    assert.deepEqual(await rewrapAll(connection, both), { moved: kinds, broken: 0, left: 0 });
    assert.deepEqual(await countSealed(connection), new Map([[2, kinds]]));
    assert.deepEqual(await rewrapAll(connection, both), { moved: 0, broken: 0, left: 0 });

    const [key] = await listKeys(connection, user.id);
    assert.equal(later.open(keyBound(key), key).toString(), user.secret);
    assert.equal((await readPassword(connection, later, user.id))?.tag.length, 32);
    assert.equal((await readPersonal(connection, later, user.id)).fullName, 'Ann Example');
    const { rows: mails } = await connection.query(
      'select message_id, kek_id, sealed from mail_outbox',
    );
    const mail = { kekId: Number(mails[0].kek_id), sealed: mails[0].sealed };
    assert.match(later.open(mailBound(mails[0].message_id), mail).toString(), /ann@example.com/);
    const [message] = await listSupportMessages(connection, later, { limit: 1 });
    assert.equal(message.description, 'Help me');
    const [shared] = await listSharedAccounts(connection, later, user.id);
    assert.equal(shared.email, 'guest@example.com');
    const request = await readApproval(connection, REQUEST);
    const opened = await openContent(connection, later, request!);
    assert.deepEqual(opened?.payload, { note: 'about Ann' });
    // The keyed hash of a code remains under its old key until that key is removed from the file.
    const asked = { user: user.id, purpose: 'verify_email', code, flow: FLOW } as const;
    const used = await useCodeOfUser(connection, both, asked);
    assert.ok(!(used instanceof Refused) && used.payload === 'a waiting password');
    const { rows: seeds } = await connection.query(
      'select frame, kek_id, sealed_seed from liability_publications',
    );
    const seed = { kekId: Number(seeds[0].kek_id), sealed: seeds[0].sealed_seed };
    assert.deepEqual(later.open(liabilitySeedBound(FRAME), seed), SEED);
    const { findings, to } = await verifyAudit(connection, later);
    assert.deepEqual({ findings, to }, { findings: [], to: 1 });
  });

  test('many pages are moved, even if the previous run was interrupted', async () => {
    const { id } = await plant(old);
    await connection.query(
      `insert into mail_outbox (user_id, kind, language, recipient_mac, message_id)
       select $1, 'welcome', 'en', decode(repeat('00', 32), 'hex'), 'empty ' || n
       from generate_series(1, 1500) n`,
      [id],
    );
    await plantMails(id, 1_200);
    let pages = 0;
    const killed = rewrapAll(connection, both, () => {
      pages += 1;
      if (pages === 7) throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    const middle = await countSealed(connection);
    assert.ok(middle.get(1)! > 0 && middle.get(2)! > 0);
    const { moved } = await rewrapAll(connection, both);
    assert.equal(moved, middle.get(1));
    const counts = await countSealed(connection);
    assert.deepEqual(counts, new Map([[2, 1_200 + SEALED_COLUMNS.length]]));
  });

  test('five thousand values are moved', async () => {
    const { id } = await plant(old);
    await plantMails(id, 5_000);
    const { moved } = await rewrapAll(connection, both);
    assert.equal(moved, 5_000 + SEALED_COLUMNS.length);
  });

  test('a row written during the rewrap keeps the written value', async () => {
    const { id } = await plant(old);
    const other = await otherSession();
    // The user changes the password between the read and the swap.
    const racing = {
      async query(text: string, values?: unknown[]) {
        const isSwap = text.startsWith('with wanted') && text.includes('update passwords');
        if (isSwap) await installPassword(other, old, id, passwordTag(9));
        return connection.query(text, values);
      },
    };
    const result = await rewrapAll(racing, both);
    assert.equal(result.broken, 0);
    const stored = await readPassword(connection, both, id);
    assert.deepEqual([...stored!.tag], [...passwordTag(9).tag]);
    assert.equal(result.left, 1);
    assert.deepEqual(await rewrapAll(connection, both), { moved: 1, broken: 0, left: 0 });
  });

  test('a locked row is skipped without blocking', async () => {
    const { id } = await plant(old);
    const other = await otherSession();
    await other.query('begin');
    await other.query('select from totp_secrets where user_id = $1 for update', [id]);
    assert.equal((await rewrapAll(connection, both)).left, 1);
    await other.query('commit');
    assert.deepEqual(await rewrapAll(connection, both), { moved: 1, broken: 0, left: 0 });
  });

  test('a row changed outside is left unchanged and blocks the retirement', async () => {
    const { id } = await plant(old);
    await connection.query('update passwords set memory = memory + 1 where user_id = $1', [id]);
    const moved = SEALED_COLUMNS.length - 1;
    assert.deepEqual(await rewrapAll(connection, both), { moved, broken: 1, left: 0 });
    await startRotation();
    assert.equal(await retireKek(connection, { id: 1, settledMs: 0 }), 'key_in_use');
  });

  test('tokens of the old key block its retirement until they are renewed', async () => {
    await plant(old);
    await startRotation();
    assert.equal((await rewrapAll(connection, both)).left, 0);
    assert.equal((await countSealed(connection)).get(1), undefined);
    assert.equal(await retireKek(connection, { id: 1, settledMs: 0 }), 'key_in_use');
    await rewrapToActiveKek(connection, both, { settledMs: 0 });
    assert.equal(await retireKek(connection, { id: 1, settledMs: 0 }), 'retired');
  });

  test('each step is refused until the previous one is complete', async () => {
    await plant(old);
    const now = { settledMs: 0 };
    assert.equal(await activateKek(connection, both, { id: 2, ...now }), 'key_unknown');
    assert.equal(await addKek(connection, old, 2), 'key_not_in_file');
    assert.equal(await addKek(connection, both, 2), 'added');
    assert.equal(await addKek(connection, both, 2), 'added');
    assert.equal(await activateKek(connection, old, { id: 2, ...now }), 'key_not_in_file');
    assert.equal(await activateKek(connection, both, { id: 2 }), 'key_added_just_now');
    assert.equal(await retireKek(connection, { id: 1, ...now }), 'key_not_retiring');
    assert.equal(await activateKek(connection, both, { id: 2, ...now }), 'activated');
    assert.equal(await activateKek(connection, both, { id: 2, ...now }), 'activated');
    assert.equal(await activateKek(connection, both, { id: 1, ...now }), 'key_not_added');
    assert.equal(await retireKek(connection, { id: 1 }), 'key_replaced_just_now');
    assert.equal(await rewrapToActiveKek(connection, both), 'key_replaced_just_now');
    assert.equal(await retireKek(connection, { id: 1, ...now }), 'key_in_use');
    assert.equal(await retireKek(connection, { id: 2, ...now }), 'key_not_retiring');
    const moved = SEALED_COLUMNS.length;
    assert.deepEqual(await rewrapToActiveKek(connection, both, now), { moved, broken: 0, left: 0 });
    assert.equal(await retireKek(connection, { id: 1, ...now }), 'retired');
    assert.equal(await retireKek(connection, { id: 1, ...now }), 'retired');
    const { rows } = await connection.query(
      'select kek_id, state from key_encryption_keys order by kek_id',
    );
    assert.deepEqual(rows, [
      { kek_id: '1', state: 'retired' },
      { kek_id: '2', state: 'active' },
    ]);
  });
});

/** Creates a user with one value in each sealed column. */
async function plant(vault: Vault): Promise<{ id: UserId; secret: string; code: string }> {
  const user = await createUser(connection, { email: 'ann@example.com' });
  assert.ok(typeof user === 'object');
  const { id } = user;
  const issued = await issueKey(connection, vault, {
    user: id,
    name: 'bot',
    kind: 'hmac',
    role: 'user',
    canRead: true,
    canTrade: true,
    canWithdraw: false,
    whitelistedIps: [],
    nowMs: Date.now(),
  });
  assert.ok(!(issued instanceof Refused));
  await installPassword(connection, vault, id, passwordTag(7));
  await requestTotp(connection, vault, { user: id, nowMs: Date.now() });
  await writePersonal(connection, vault, id, { fullName: 'Ann Example' });
  const code = await issueCode(connection, vault, {
    user: id,
    purpose: 'verify_email',
    form: 'v4',
    flow: FLOW,
    payload: 'a waiting password',
  });
  // The message is stored, and emailed to the operator.
  const content = { email: user.email, category: 'bug', subject: 'Help', description: 'Help me' };
  const message = { content, to: 'support@example.com', nowMs: Date.now() };
  await sendSupportMessage(connection, vault, message);
  const reference = randomUUID();
  const { kekId, sealed } = vault.seal(sharedAccountBound(reference), 'guest@example.com');
  await connection.query(
    `insert into shared_accounts (user_id, reference, kek_id, sealed_email)
     values ($1, $2, $3, $4)`,
    [id, reference, kekId, sealed],
  );
  await plantRequest(vault, id);
  await plantPublication(vault);
  const actor = { user: undefined, credential: 'tool', address: '' };
  const entry = { actor, act: 'test', object: 'x', nowMs: Date.now() };
  await appendAudit(connection, vault, entry);
  return { id, secret: issued.secret, code };
}

/** Creates an approval request with a personal value. */
async function plantRequest(vault: Vault, user: UserId): Promise<void> {
  const { key, kekId, sealed } = vault.createDataKey(requestBound(REQUEST));
  const values = JSON.stringify({ payload: { note: 'about Ann' }, shown: [] });
  await connection.query(
    `insert into approval_requests (id, act, vote_power, payload, payload_hash, sealed, subjects,
       shown, object, object_version, requester_id, requester_role, requester_credential,
       requester_address, beneficiaries, needed, created_at, expires_at)
     overriding system value
     values ($1, 'user.note', 'approve.access', '{}', $2, $3, array[$4::bigint], '[]', 'x', '', $4,
       'admin', 'session 1', '', '{}', 1, now(), now())`,
    [REQUEST, Buffer.alloc(32), sealWith(key, requestBound(REQUEST), values), user],
  );
  await connection.query('insert into approval_keys values ($1, $2, $3)', [REQUEST, kekId, sealed]);
}

/** Creates the signing key of liability publications, and a publication with its seed. */
async function plantPublication(vault: Vault): Promise<void> {
  const key = vault.seal(liabilityKeyBound(1), Buffer.alloc(32, 5));
  await connection.query('insert into liability_keys (id, kek_id, sealed) values (1, $1, $2)', [
    key.kekId,
    key.sealed,
  ]);
  const seed = vault.seal(liabilitySeedBound(FRAME), SEED);
  await connection.query(
    `insert into liability_publications
       (frame, document, signature, public_key, hash, kek_id, sealed_seed, created_at)
     values ($1, '{}', $2, $3, $3, $4, $5, now())`,
    [FRAME, 'signature', 'hash', seed.kekId, seed.sealed],
  );
}

async function plantMails(user: UserId, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, at) => `full ${at}`);
  await connection.query(
    `insert into mail_outbox (user_id, kind, language, recipient_mac, message_id, kek_id, sealed)
     select $1, 'welcome', 'en', decode(repeat('00', 32), 'hex'), m.name, 1, m.sealed
     from unnest($2::text[], $3::bytea[]) as m (name, sealed)`,
    [user, names, names.map((name) => old.seal(mailBound(name), 'x'.repeat(300)).sealed)],
  );
}

function passwordTag(byte: number) {
  return { salt: Buffer.alloc(16), memory: 64, passes: 1, lanes: 1, tag: Buffer.alloc(32, byte) };
}

async function startRotation(): Promise<void> {
  await addKek(connection, both, 2);
  assert.equal(await activateKek(connection, both, { id: 2, settledMs: 0 }), 'activated');
}

function otherSession(): Promise<OwnConnection> {
  return postgres.session(`registry_${schemas - 1}`);
}
