// A user who is logged in over HTTP and has a one-time password. Reads codes from the email outbox
// of the exchange. For tests of API keys and profiles.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import type { CodePurpose } from '../../features/auth/codes.ts';
import { grantSession, issueCode, totpBound, totpCode } from '../../features/auth/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';

/** Base32 of twenty zero bytes. */
const SECRET = 'A'.repeat(32);

export class PersonOverHttp {
  readonly user: UserId;
  readonly session: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #sandbox: Sandbox;

  static async make(
    sandbox: Sandbox,
    { hasOtp = true, user }: { readonly hasOtp?: boolean; readonly user?: UserId } = {},
  ): Promise<PersonOverHttp> {
    const { registry, vault } = sandbox.admin;
    const id = user ?? (await newUser(sandbox));
    if (hasOtp) {
      const { kekId, sealed } = vault.seal(totpBound(id), Buffer.alloc(20));
      await registry.query(
        `insert into totp_secrets (user_id, kek_id, sealed_secret, state)
         values ($1, $2, $3, 'active') on conflict do nothing`,
        [id, kekId, sealed],
      );
    }
    const life = { lifeMs: 3_600_000, nowMs: Date.now(), exchangeName: 'rialto' };
    const { session, token } = await grantSession(registry, vault, { user: id, ...life });
    return new PersonOverHttp(sandbox, { user: id, session: session.id, token });
  }

  /** Creates an operator whose role is two days old, because new operators cannot vote. */
  static async operator(sandbox: Sandbox, role = 'supervisor'): Promise<PersonOverHttp> {
    const user = await newUser(sandbox, role);
    await sandbox.admin.registry.query(
      `update users set role_since = now() - interval '2 days' where id = $1`,
      [user],
    );
    return PersonOverHttp.make(sandbox, { user });
  }

  constructor(sandbox: Sandbox, of: { user: UserId; session: number; token: string }) {
    this.#sandbox = sandbox;
    this.user = of.user;
    this.session = of.session;
    this.headers = { authorization: `Bearer ${of.token}` };
  }

  send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { at = 0, body }: { readonly body?: unknown; readonly at?: 0 | 1 } = {},
  ): Promise<RestAnswer> {
    const client = new RestClient({ url: this.#sandbox.urls[at] });
    const { headers } = this;
    return client.send({
      method,
      target: `/v2${path}`,
      headers,
      ...(body !== undefined && { body }),
    });
  }

  /** Returns the current one-time password, even if it was already used. */
  async otp(): Promise<string> {
    const { registry } = this.#sandbox.admin;
    await registry.query('update totp_secrets set last_step = 0 where user_id = $1', [this.user]);
    return totpCode(SECRET, Date.now());
  }

  /** Issues a code like the exchange emails it. */
  code(purpose: CodePurpose = 'confirm_action', payload?: string): Promise<string> {
    const { registry, vault } = this.#sandbox.admin;
    const flow = { network: '192.0.2.1', session: this.session };
    const of = { user: this.user, purpose, form: 'v5', flow } as const;
    return issueCode(registry, vault, { ...of, ...(payload !== undefined && { payload }) });
  }

  async proofs(): Promise<{ readonly otp_code: string; readonly email_code: string }> {
    return { otp_code: await this.otp(), email_code: await this.code() };
  }

  /** Approves a withdrawal as an operator. */
  async approveWithdrawal(transaction_id: string, more: object = {}): Promise<RestAnswer> {
    const body = { transaction_id, waiting: false, otp_code: await this.otp(), ...more };
    return this.send('PUT', '/admin/burn', { body });
  }

  /** Votes for another operator's request. */
  async approve(id: number): Promise<RestAnswer> {
    const { body } = await this.send('GET', `/admin/approval?id=${id}`);
    return this.send('POST', '/admin/approval/vote', {
      body: { id, vote: 'approve', payload_hash: body.payload_hash, otp_code: await this.otp() },
    });
  }

  async createKey(more: object = {}) {
    const body = { name: 'bot', ...(await this.proofs()), ...more };
    const answer = await this.send('POST', '/user/token', { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }
}

/** Returns the ID of the pending approval request. */
export function waitingApproval({ body, status, text }: RestAnswer): number {
  assert.deepEqual([status, body.waiting], [202, true], text);
  return body.approval_id;
}

async function newUser({ admin }: Sandbox, role?: string): Promise<UserId> {
  const email = `${randomUUID()}@example.com`;
  const made = await createUser(admin.registry, { email, ...(role !== undefined && { role }) });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  return made.id;
}
