// A sandbox with two gateways in which operators approve each other's actions, as in production,
// with operators of every role who have keys, sessions and second factors.

import assert from 'node:assert/strict';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { setThresholds } from '../../features/approvals/index.ts';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { activateTotp, requestTotp, totpCode } from '../../features/auth/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

const STEP_MS = 30_000;

export interface StagedOperator {
  readonly user: UserId;
  readonly role: string | undefined;
  /** A key and a session at each gateway. */
  readonly clients: readonly StagedClient[];
  readonly secret: string;
}

export interface StagedClient {
  readonly by: 'key' | 'session';
  send(method: Method, path: string, what?: Readonly<Record<string, unknown>>): Promise<RestAnswer>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

let made = 0;

export class OperatorStage {
  readonly sandbox: Sandbox;

  static async start(thresholds: Parameters<typeof setThresholds>[1]): Promise<OperatorStage> {
    const sandbox = await startSandbox({ gateways: 2 });
    const { registry } = sandbox.admin;
    await useTeam(registry);
    await setThresholds(registry, thresholds);
    return new OperatorStage(sandbox);
  }

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }

  get registry() {
    return this.sandbox.admin.registry;
  }

  async roles(): Promise<string[]> {
    const { rows } = await this.registry.query('select name from roles order by name');
    return rows.map(({ name }) => name);
  }

  /** Creates an operator, or an ordinary user without a role. */
  async operator(role?: string): Promise<StagedOperator> {
    const { admin, urls } = this.sandbox;
    made += 1;
    const email = `operator${made}@example.com`;
    const user = await createUser(this.registry, { email, ...(role !== undefined && { role }) });
    assert.ok(typeof user === 'object', String(user));
    const { id } = user;
    // New operators can vote after a day.
    await this.registry.query(
      `update users set role_since = now() - interval '2 days' where id = $1`,
      [id],
    );
    const secret = await this.#factor(id);
    const { key, secret: keySecret } = await admin.issueKey({
      user: id,
      role: role === undefined ? 'user' : 'admin',
    });
    const scopes = ['user', ...(role === undefined ? [] : [role])];
    const { token } = await admin.issueSession({ user: id, scopes });
    const headers = { authorization: `Bearer ${token}` };
    const clients = urls.flatMap((url) => [
      { by: 'key' as const, ...clientOf(new RestClient({ url, key, secret: keySecret })) },
      { by: 'session' as const, ...clientOf(new RestClient({ url }), headers) },
    ]);
    return { user: id, role, clients, secret };
  }

  /** Votes with a new factor code and the payload hash. */
  async vote(
    voter: StagedOperator,
    approval: number,
    what: { readonly retyped?: string; readonly by?: StagedClient['by'] } = {},
  ): Promise<RestAnswer> {
    const { rows } = await this.registry.query(
      `select encode(payload_hash, 'hex') as hash from approval_requests where id = $1`,
      [approval],
    );
    const { by = 'session', retyped } = what;
    const client = voter.clients.find((one) => one.by === by);
    assert.ok(client !== undefined);
    return client.send('POST', '/admin/approval/vote', {
      id: approval,
      vote: 'approve',
      payload_hash: rows[0].hash,
      otp_code: await this.code(voter),
      ...(retyped !== undefined && { retyped }),
    });
  }

  /** Returns an unused one-time password. */
  async code({ secret, user }: StagedOperator): Promise<string> {
    // The code of this step might have been used.
    await this.registry.query(
      'update totp_secrets set last_step = last_step - 2 where user_id = $1',
      [user],
    );
    return totpCode(secret, Date.now());
  }

  async #factor(user: UserId): Promise<string> {
    const { registry, vault } = this.sandbox.admin;
    const nowMs = Date.now();
    const requested = await requestTotp(registry, vault, { user, nowMs });
    assert.ok(!(requested instanceof Refused));
    const code = totpCode(requested.secret, nowMs - STEP_MS);
    assert.equal(await activateTotp(registry, vault, { user, code, nowMs }), 'activated');
    return requested.secret;
  }
}

function clientOf(
  client: RestClient,
  headers?: Readonly<Record<string, string>>,
): Pick<StagedClient, 'send'> {
  return {
    send: (method, path, what = {}) => {
      const isBody = method === 'POST' || method === 'PUT';
      const query = isBody ? '' : `?${new URLSearchParams(what as Record<string, string>)}`;
      return client.send({
        method,
        target: `/v2${path}${query}`,
        ...(isBody && { body: what }),
        ...(headers !== undefined && { headers }),
      });
    },
  };
}
