// Audit log of operators' actions: one entry per action, in the action's transaction. Each entry
// contains the hash of the previous one, so changing, removing or adding an entry breaks the chain.

import { createHash } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { CommandName } from '../../platform/outbox/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { lockPersonalKey } from '../accounts/index.ts';
import { type AuditSigner, createAuditSigner, findAuditSigner } from './audit-key.ts';
import { type AuditHead, CHECKPOINT_ENTRIES, insertCheckpoint } from './checkpoints.ts';

/** Actor of an entry. A tool on the server has no user. */
export interface AuditActor {
  readonly user: UserId | undefined;
  /** For example `key 12`, `session 34`, `tool` or `system`. */
  readonly credential: string;
  readonly address: string;
}

export interface AuditEntry {
  readonly actor: AuditActor;
  /** For example `user.freeze`. */
  readonly act: string;
  /** For example `user 17`. */
  readonly object: string;
  readonly subject?: UserId | undefined;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** Sealed under the subject's key. */
  readonly personal?: JsonObject | undefined;
  readonly approval?: number | undefined;
  /** Commands that the action appended: the dispatcher sends no other operator commands. */
  readonly commands?: readonly CommandName[] | undefined;
  readonly nowMs: number;
}

/** An entry as it is hashed. */
export interface HashedEntry {
  readonly seq: number;
  readonly at: string;
  readonly actor: number | null;
  readonly credential: string;
  readonly address: string;
  readonly act: string;
  readonly object: string;
  readonly subject: number | null;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly sealed: Uint8Array | null;
  readonly approval: number | null;
  /** Absent without commands. */
  readonly commands?: JsonValue | undefined;
  readonly prev: Uint8Array;
}

/**
 * Call it last in the transaction, because it locks the head of the chain until the end. Returns
 * the entry number.
 */
export async function appendAudit(
  statements: Statements,
  vault: Vault,
  entry: AuditEntry,
): Promise<number> {
  const { actor, act, after, approval, before, commands = [], nowMs, object, personal } = entry;
  const { subject } = entry;
  const key =
    personal === undefined || subject === undefined
      ? undefined
      : await lockPersonalKey(statements, vault, subject);
  const { head, signer } = await lockHead(statements, vault);
  const seq = head.seq + 1;
  // After an erasure personal values cannot be sealed; the action is recorded without them.
  const sealed =
    key === undefined || typeof key === 'string' ? null : key.seal(auditBound(seq), personal);
  const hashed: HashedEntry = {
    seq,
    at: new Date(nowMs).toISOString(),
    actor: actor.user ?? null,
    credential: actor.credential,
    address: actor.address,
    act,
    object,
    subject: subject ?? null,
    before: before ?? null,
    after: after ?? null,
    sealed,
    approval: approval ?? null,
    commands: commands.length === 0 ? undefined : commands,
    prev: head.hash,
  };
  const hash = hashOf(hashed);
  await insertEntry(statements, hashed, { hash, mac: signer.mac(hash) });
  if (seq % CHECKPOINT_ENTRIES === 0) {
    await insertCheckpoint(statements, signer, { seq, hash, atMs: nowMs });
  }
  return seq;
}

async function insertEntry(
  statements: Statements,
  entry: HashedEntry,
  { hash, mac }: { readonly hash: Buffer; readonly mac: Buffer },
): Promise<void> {
  await statements.query(
    `with entry as (
       insert into audit_entries (seq, at, actor_id, credential, address, act, object, subject_id,
         before, after, sealed, approval_id, commands, prev, hash, mac)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
       returning seq, hash
     )
     update audit_head h set seq = entry.seq, hash = entry.hash from entry`,
    [
      entry.seq,
      entry.at,
      entry.actor,
      entry.credential,
      entry.address,
      entry.act,
      entry.object,
      entry.subject,
      jsonText(entry.before),
      jsonText(entry.after),
      entry.sealed,
      entry.approval,
      jsonText(entry.commands ?? null),
      entry.prev,
      hash,
      mac,
    ],
  );
}

/** The first entry creates the key. */
async function lockHead(
  statements: Statements,
  vault: Vault,
): Promise<{ readonly head: AuditHead; readonly signer: AuditSigner }> {
  const { rows } = await statements.query('select seq, hash from audit_head for update');
  const head = { seq: Number(rows[0].seq), hash: rows[0].hash as Buffer };
  const signer =
    (await findAuditSigner(statements, vault)) ??
    (head.seq === 0 ? await createAuditSigner(statements, vault) : undefined);
  if (signer === undefined) throw new Error('the audit key is missing; run `audit verify`');
  return { head, signer };
}

/** Returns the text that an entry's personal values are bound to. */
export function auditBound(seq: number): string {
  return `audit ${seq}`;
}

/** Covers every column and the previous entry's hash. */
export function hashOf({ commands, prev, sealed, ...entry }: HashedEntry): Buffer {
  const sealedHash = sealed === null ? null : createHash('sha256').update(sealed).digest('hex');
  const text = canonicalJson({
    ...entry,
    ...(commands !== undefined && { commands }),
    sealed: sealedHash,
    prev: Buffer.from(prev).toString('hex'),
  });
  return createHash('sha256').update(text).digest();
}

function jsonText(value: JsonValue): string | null {
  return value === null ? null : canonicalJson(value);
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Returns JSON with sorted keys and no spaces: equal values have equal texts, even after PostgreSQL
 * has stored them. Throws on numbers that are not safe integers, since decimals are texts.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`expected a safe integer, got ${value}; write decimals as strings`);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value as JsonObject)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const members = entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`);
  return `{${members.join(',')}}`;
}
