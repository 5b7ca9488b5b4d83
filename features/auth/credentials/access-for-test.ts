// Access without servers, for tests: rows in memory, a clock that tests advance, and a bus that
// delivers immediately, including to the sender. Only tests import it.

import { createHmac } from 'node:crypto';
import type { KeyId, UserId } from '../../../core/money/index.ts';
import { Access, type AccessRefusal, type SignedRequest } from '../../../infra/access/access.ts';
import { tokenHash } from '../../../infra/access/index.ts';
import { MemoryBus } from '../../../infra/bus/bus-for-test.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { createCredentialStore } from './credential-store.ts';
import { keyBound } from './keys.ts';
import { makeToken, SessionTokens, type TokenClaims } from './session-token.ts';

export const NOW_S = 1_700_000_000;
export const PUBLIC_KEY = '00112233445566778899aabbccddeeff00112233';
export const SECRET = '8f3a2c5d7e9b1f4a6c8d0e2b4f6a8c0d2e4f6a8b0c2d4e6f80';
const VAULT_KEYS = new Map([[1, Buffer.alloc(32, 7)]]);
export const CLAIMS: TokenClaims = {
  user: 5 as UserId,
  email: 'ann@example.com',
  language: 'fr',
  role: null,
  scopes: ['user'],
  kind: 'login',
  ip: '203.0.113.9',
  exchangeName: 'Rialto',
  nowMs: NOW_S * 1_000,
  expiresAtMs: (NOW_S + 60) * 1_000,
};
export const TOKEN = makeToken(new Vault(VAULT_KEYS), CLAIMS);

type Row = Record<string, unknown>;

/** Serves the two reads of Access from rows that a test can change. */
export class MemoryRegistry {
  keys: Row[] = [];
  sessions: Row[] = [];
  reads = 0;
  fault: Error | undefined;
  readonly uses: unknown[][] = [];

  readonly statements: Statements = {
    query: async (text, [names, times] = []) => {
      const rows = await this.#query(text, names as unknown[], times);
      return { rows, rowCount: rows.length };
    },
  };

  async #query(text: string, names: unknown[], times: unknown): Promise<Row[]> {
    if (this.fault !== undefined) throw this.fault;
    if (text.includes('update')) {
      this.uses.push([names, times]);
      return [];
    }
    this.reads += 1;
    if (text.includes('from api_keys')) {
      return this.keys.filter((row) => names.includes(row.public_key));
    }
    const wanted = names.map((name) => (name as Buffer).toString('hex'));
    const isWanted = (row: Row) => wanted.includes((row.token_hash as Buffer).toString('hex'));
    return this.sessions.filter(isWanted);
  }
}

const OWNER = {
  owner_email: 'ann@example.com',
  owner_role: null,
  owner_language: 'en',
  owner_level: '1',
  owner_activated: true,
  owner_blocked_until: null,
  owner_security_version: '1',
  owner_permissions: [],
};

/** HMAC key of user 5 with ID 7 and read and trade permissions. */
export function keyRow(vault: Vault, { secret = SECRET, ...changes }: Row = {}): Row {
  const row: Row = {
    id: '7',
    user_id: '5',
    name: 'bot',
    public_key: PUBLIC_KEY,
    kind: 'hmac',
    verifying_key: null,
    can_read: true,
    can_trade: true,
    can_withdraw: false,
    role: 'user',
    whitelisted_ips: [],
    whitelisting_enabled: false,
    active: true,
    revoked: false,
    last_used_at: null,
    created_at: new Date(0),
    expires_at: new Date((NOW_S + 86_400) * 1_000),
    ...OWNER,
    ...changes,
  };
  const { kekId, sealed } = vault.seal(
    keyBound({
      id: Number(row.id) as KeyId,
      user: Number(row.user_id) as UserId,
      kind: row.kind as 'hmac',
      canRead: row.can_read as boolean,
      canTrade: row.can_trade as boolean,
      canWithdraw: row.can_withdraw as boolean,
      role: row.role as 'user',
    }),
    secret as string,
  );
  return { ...row, kek_id: kekId, sealed };
}

export function sessionRow(changes: Row = {}): Row {
  return {
    id: '3',
    user_id: '5',
    token_hash: Buffer.from(tokenHash(TOKEN), 'hex'),
    scopes: ['user'],
    kind: 'login',
    actor_id: null,
    device_id: null,
    login_id: null,
    security_version: '1',
    strong_at: null,
    idle_seconds: null,
    ip: '203.0.113.9',
    user_agent: '',
    revoked_reason: null,
    expires_at: new Date((NOW_S + 60) * 1_000),
    revoked_at: null,
    last_seen_at: null,
    created_at: new Date(0),
    ...OWNER,
    ...changes,
  };
}

export function openMemoryAccess(bus = new MemoryBus(), registry = new MemoryRegistry()) {
  const clock = new FakeClock(NOW_S * 1_000);
  const vault = new Vault(VAULT_KEYS);
  const broken: number[] = [];
  const refusals: AccessRefusal[] = [];
  const faults: unknown[] = [];
  const ended = new Set<number>();
  const tokens = new SessionTokens(vault, clock);
  const access = new Access({
    clock,
    bus,
    store: createCredentialStore({
      registry: registry.statements,
      vault,
      onBrokenSeal: (key) => broken.push(key),
    }),
    isOwnToken: (token) => tokens.isOwn(token),
    hasEnded: (caller) => ended.has(caller.session),
    exchange: 'test',
    entriesMax: 100,
    signaturesMax: 1_000,
    expiresAheadSMax: 300,
    watcher: {
      refused: (refusal) => refusals.push(refusal),
      readFailed: (fault) => faults.push(fault),
    },
  });
  access.start();
  return { access, clock, vault, bus, registry, broken, refusals, faults, ended };
}

/** A request with a valid signature. */
export function signed(changes: Partial<SignedRequest> = {}, expires = `${NOW_S + 60}`) {
  const request = {
    method: 'GET',
    target: '/v2/user',
    bodyIsExpected: false,
    isWrite: false,
    address: '203.0.113.9',
    ...changes,
  };
  const text = request.method + request.target + expires + (request.body ?? '');
  const signature = createHmac('sha256', SECRET).update(text).digest('hex');
  return { ...request, headers: { key: PUBLIC_KEY, signature, expires, ...changes.headers } };
}
