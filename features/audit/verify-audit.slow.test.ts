// Tests tampering with the audit log by SQL, with all database rights but without the key file: the
// verification finds each change and names the entry.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { inTransaction, migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { createUser, eraseUser } from '../accounts/index.ts';
import { type AuditEntry, appendAudit, hashOf } from './audit.ts';
import { AuditSigner } from './audit-key.ts';
import { type AuditHead, checkpointAudit, insertCheckpoint } from './checkpoints.ts';
import { type AuditReport, type VerifyOptions, verifyAudit } from './verify-audit.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));
const otherVault = new Vault(new Map([[1, Buffer.alloc(32, 4)]]));
const SCHEMA = 'registry';
const ENTRIES = 8;
const CHECKPOINT_AT = 5;
const HEAD_TO = (seq: string) =>
  `update audit_head set seq = ${seq},
     hash = coalesce((select hash from audit_entries where seq = ${seq}), ${nulls()})`;

let postgres: PostgresForTest;
let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};
let user: UserId;

interface Tampering {
  readonly what: string;
  /** Statements of the attacker, or a function that acts as the attacker. */
  readonly tamper: readonly string[] | (() => Promise<void>);
  readonly found: readonly string[];
  /** Heads recorded outside the database. */
  readonly outside?: () => VerifyOptions;
}

/** Heads of the chain before the tampering. */
let heads: AuditHead[];
let note: string;

const column = (name: string, value: string) => ({
  what: `the column ${name} of an entry is changed`,
  tamper: [`update audit_entries set ${name} = ${value} where seq = 3`],
});

const tamperings: readonly Tampering[] = [
  ...[
    column('at', `at + interval '1 microsecond'`),
    column('at', `'infinity'`),
    column('actor_id', 'null'),
    column('credential', `'key 9'`),
    column('address', `'192.0.2.1'`),
    column('act', `'user.unfreeze'`),
    column('object', `'user 9'`),
    column('subject_id', 'null'),
    column('before', `'{"amount":"2"}'`),
    column('before', `'{"amount":0.5}'`),
    column('after', 'null'),
    column('sealed', `'x'`),
    column('approval_id', '7'),
  ].map((one) => ({ ...one, found: ['entry_changed 3'] })),
  { ...column('prev', `sha256('x')`), found: ['order_broken 3', 'entry_changed 3'] },
  {
    ...column('hash', `sha256('x')`),
    found: ['entry_changed 3', 'entry_forged 3', 'order_broken 4'],
  },
  { ...column('mac', `sha256('x')`), found: ['entry_forged 3'] },
  {
    what: 'an entry is changed, and all later hashes are recomputed',
    tamper: async () => {
      await connection.query(`update audit_entries set object = 'user 9' where seq = 3`);
      await rehashFrom(3);
    },
    found: [3, 4, 5, 6, 7, 8].flatMap((seq) =>
      seq === CHECKPOINT_AT
        ? [`entry_forged ${seq}`, `checkpoint_differs ${seq}`]
        : [`entry_forged ${seq}`],
    ),
  },
  {
    what: 'an entry is removed',
    tamper: ['delete from audit_entries where seq = 3'],
    found: ['entries_missing 4'],
  },
  {
    what: 'an entry is removed, and later entries are renumbered',
    tamper: [
      'delete from audit_entries where seq = 3',
      'update audit_entries set seq = seq + 100 where seq > 3',
      'update audit_entries set seq = seq - 101 where seq > 100',
      HEAD_TO('7'),
    ],
    found: [
      'order_broken 3',
      'entry_changed 3',
      'entry_changed 4',
      'entry_changed 5',
      'checkpoint_differs 5',
      'entry_changed 6',
      'entry_changed 7',
    ],
  },
  {
    what: 'two entries are swapped',
    tamper: [
      'update audit_entries set seq = seq + 100 where seq in (3, 4)',
      'update audit_entries set seq = 107 - seq where seq > 100',
    ],
    found: [
      'order_broken 3',
      'entry_changed 3',
      'order_broken 4',
      'entry_changed 4',
      'order_broken 5',
    ],
  },
  {
    what: 'a copy of an entry is appended',
    tamper: [copyOf(3, 9)],
    found: ['order_broken 9', 'entry_changed 9', 'head_differs 9'],
  },
  {
    what: 'an entry with a correct hash is appended, and the head is updated',
    tamper: async () => {
      await connection.query(copyOf(3, 9));
      await rehashFrom(9);
    },
    found: ['entry_forged 9'],
  },
  {
    what: 'the end is truncated',
    tamper: ['delete from audit_entries where seq > 6'],
    found: ['head_differs 6'],
  },
  {
    what: 'the end is truncated before a checkpoint, and the head is updated',
    tamper: ['delete from audit_entries where seq > 4', HEAD_TO('4')],
    found: ['checkpoint_differs 5'],
  },
  {
    what: 'the end is truncated with its checkpoints; the command log has an anchor',
    tamper: [
      'delete from audit_entries where seq > 4',
      'delete from audit_checkpoints',
      HEAD_TO('4'),
    ],
    outside: () => ({ anchors: [heads[2], heads[6]] }),
    found: ['anchor_differs 7'],
  },
  {
    what: 'the end is truncated with its checkpoints; a note was kept elsewhere',
    tamper: [
      'delete from audit_entries where seq > 4',
      'delete from audit_checkpoints',
      HEAD_TO('4'),
    ],
    outside: () => ({ notes: [note] }),
    found: ['note_differs 5'],
  },
  {
    what: 'everything is removed, including the key',
    tamper: [
      'delete from audit_entries',
      'delete from audit_checkpoints',
      'delete from audit_keys',
      HEAD_TO('0'),
    ],
    outside: () => ({ anchors: [heads[0]] }),
    found: ['anchor_differs 1'],
  },
  {
    what: 'the end is truncated, and the exchange writes other entries in its place',
    tamper: async () => {
      await connection.query('delete from audit_entries where seq > 4');
      await connection.query(HEAD_TO('4'));
      for (let count = 5; count <= ENTRIES; count++) await append({ object: 'user 9' });
    },
    outside: () => ({ anchors: [heads[6]] }),
    found: ['checkpoint_differs 5', 'anchor_differs 7'],
  },
  {
    what: 'the head is changed',
    tamper: [`update audit_head set hash = sha256('x')`],
    found: ['head_differs 8'],
  },
  {
    what: 'a checkpoint names another hash',
    tamper: [`update audit_checkpoints set note = replace(note, E'\\n2026', E'\\n2025')`],
    found: ['checkpoint_forged 5'],
  },
  {
    what: 'a checkpoint is moved to another entry',
    tamper: ['update audit_checkpoints set seq = 6'],
    found: ['checkpoint_forged 6'],
  },
  {
    what: 'a checkpoint is signed with another key',
    tamper: async () => {
      const other = new AuditSigner(Buffer.alloc(32, 9));
      await insertCheckpoint(connection, other, { ...heads[5], atMs: NOW_MS });
    },
    found: ['checkpoint_forged 6'],
  },
  {
    what: 'a note kept elsewhere is signed with another key',
    tamper: [],
    outside: () => ({ notes: [new AuditSigner(Buffer.alloc(32, 9)).sign('rialto audit\n1\n')] }),
    found: ['note_forged 0'],
  },
  {
    what: 'the key is replaced by one known to the attacker',
    tamper: async () => {
      const { kekId, sealed } = otherVault.seal('audit key 1', Buffer.alloc(32, 9));
      await connection.query('update audit_keys set kek_id = $1, sealed = $2', [kekId, sealed]);
    },
    found: ['key_invalid 8', 'checkpoint_forged 5'],
  },
];

describe('verifyAudit', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session(SCHEMA);
    await migrate(connection, SCHEMA, readRegistryMigrations());
  });
  after(() => stop());
  beforeEach(async () => {
    await connection.query('set session_replication_role = replica');
    await connection.query('truncate users, audit_checkpoints, audit_keys cascade');
    await connection.query(HEAD_TO('0'));
    await connection.query('set session_replication_role = default');
    const made = await createUser(connection, { email: 'ann@example.com' });
    assert.ok(typeof made === 'object');
    user = made.id;
    for (let seq = 1; seq <= ENTRIES; seq++) {
      await append({ personal: { email: `ann${seq}@example.com` } });
      if (seq === CHECKPOINT_AT) await checkpointAudit(connection, vault, NOW_MS);
    }
    heads = (await connection.query('select seq, hash from audit_entries order by seq')).rows.map(
      ({ hash, seq }) => ({ seq: Number(seq), hash }),
    );
    note = (await connection.query('select note from audit_checkpoints')).rows[0].note;
  });

  test('an untouched chain has no findings', async () => {
    const report = await verifyAudit(connection, vault, { anchors: heads, notes: [note] });
    assert.deepEqual(report, {
      from: 1,
      to: 8,
      checkpoints: 1,
      anchors: 8,
      findings: [],
      findingsCount: 0,
    });
  });

  for (const { found, outside, tamper, what } of tamperings) {
    test(`abuse 47: ${what}`, async () => {
      // The owner of the tables can do this; the exchange's own role cannot.
      await connection.query('set session_replication_role = replica');
      if (typeof tamper === 'function') await tamper();
      else for (const statement of tamper) await connection.query(statement);
      assert.deepEqual(linesOf(await verifyAudit(connection, vault, outside?.())), found);
    });
  }

  test('the tables reject changes to entries and checkpoints', async () => {
    for (const table of ['audit_entries', 'audit_checkpoints']) {
      for (const change of [`update ${table} set seq = 1`, `delete from ${table}`]) {
        await assert.rejects(connection.query(change), /only added/);
      }
      await assert.rejects(connection.query(`truncate ${table}`), /only added/);
    }
  });

  test('abuse 58: an erasure keeps the chain valid, and personal values are lost', async () => {
    await connection.query(`update users set state = 'closed' where id = $1`, [user]);
    assert.equal(await eraseUser(connection, user), 'erased');
    assert.deepEqual(linesOf(await verifyAudit(connection, vault)), []);
    const { rows } = await connection.query('select count(sealed) from audit_entries');
    assert.equal(rows[0].count, '8');
    await append({ personal: { email: 'later@example.com' } });
    const { rows: later } = await connection.query(
      'select sealed from audit_entries where seq = 9',
    );
    assert.deepEqual(later, [{ sealed: null }]);
    assert.deepEqual(linesOf(await verifyAudit(connection, vault)), []);
  });

  test('an action that rolls back leaves no entry and no gap', async () => {
    const failing = inTransaction(connection, async () => {
      await append();
      throw new Error('the action fails');
    });
    await assert.rejects(failing, /the action fails/);
    assert.equal(await append(), ENTRIES + 1);
    assert.deepEqual(linesOf(await verifyAudit(connection, vault)), []);
  });

  test('concurrent writers extend one chain', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => postgres.session(SCHEMA)));
    await Promise.all(
      others.map(async (other) => {
        for (let count = 0; count < 25; count++) {
          await inTransaction(other, () => appendAudit(other, vault, entryOf({})));
        }
      }),
    );
    const { findings, to } = await verifyAudit(connection, vault);
    assert.deepEqual({ findings, to }, { findings: [], to: ENTRIES + 100 });
  });

  test('without its key, the audit log accepts no further entry', async () => {
    await connection.query('delete from audit_keys');
    await assert.rejects(append(), /the audit key is missing/);
  });

  test('every 1,000th entry is signed immediately; the newest are verified from it', async () => {
    await inTransaction(connection, async () => {
      for (let seq = ENTRIES + 1; seq <= 2_010; seq++) await append();
    });
    const { findings, ...report } = await verifyAudit(connection, vault, { newest: 500 });
    assert.deepEqual(findings, []);
    assert.deepEqual([report.from, report.to, report.checkpoints], [1_001, 2_010, 2]);

    await connection.query('set session_replication_role = replica');
    await connection.query(`update audit_entries set object = 'user 9' where seq = 1000`);
    assert.deepEqual(linesOf(await verifyAudit(connection, vault)), ['entry_changed 1000']);
    await connection.query('delete from audit_checkpoints where seq = 1000');
    const missing = ['checkpoint_missing 1000'];
    assert.deepEqual(linesOf(await verifyAudit(connection, vault, { newest: 500 })), missing);
    await connection.query('delete from audit_entries where seq <= 1000');
    const cut = linesOf(await verifyAudit(connection, vault, { newest: 500 }));
    assert.deepEqual(cut, [...missing, 'order_broken 1001']);
  });
});

function entryOf(change: Partial<AuditEntry>): AuditEntry {
  return {
    actor: { user, credential: 'session 1', address: '203.0.113.7' },
    act: 'user.freeze',
    object: `user ${user}`,
    subject: user,
    before: { amount: '1', list: [1, true, null] },
    after: { amount: '2' },
    nowMs: NOW_MS,
    ...change,
  };
}

function append(change: Partial<AuditEntry> = {}): Promise<number> {
  return appendAudit(connection, vault, entryOf(change));
}

function linesOf({ findings }: AuditReport): string[] {
  return findings.map(({ fault, seq }) => `${fault} ${seq}`);
}

function copyOf(seq: number, to: number): string {
  return `insert into audit_entries (seq, at, actor_id, credential, address, act, object,
      subject_id, before, after, sealed, approval_id, prev, hash, mac)
    select ${to}, at, actor_id, credential, address, act, object, subject_id, before, after,
      sealed, approval_id, prev, hash, mac from audit_entries where seq = ${seq}`;
}

/** The hash method is public, so an attacker can compute hashes. */
async function rehashFrom(first: number): Promise<void> {
  const { rows } = await connection.query(
    'select * from audit_entries where seq >= $1 order by seq',
    [first - 1],
  );
  let [{ hash: prev }] = rows;
  for (const row of rows.slice(1)) {
    const hash = hashOf({
      seq: Number(row.seq),
      at: row.at.toISOString(),
      actor: Number(row.actor_id),
      credential: row.credential,
      address: row.address,
      act: row.act,
      object: row.object,
      subject: Number(row.subject_id),
      before: row.before,
      after: row.after,
      sealed: row.sealed,
      approval: null,
      prev,
    });
    await connection.query('update audit_entries set prev = $2, hash = $3 where seq = $1', [
      row.seq,
      prev,
      hash,
    ]);
    prev = hash;
  }
  await connection.query(
    `update audit_head
     set (seq, hash) = (select seq, hash from audit_entries order by seq desc limit 1)`,
  );
}

function nulls(): string {
  return `decode(repeat('00', 32), 'hex')`;
}
