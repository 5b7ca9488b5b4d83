// Direct access to a sandbox's engine, tables and outbox, like that of operator tools. Tests must
// use HTTP for everything that HTTP offers.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import { grantSession, issueKey, SESSION_LIFE_MS } from '../../features/auth/index.ts';
import { requestDeposit } from '../../features/payments/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { connectNats, type Nats, NatsBus } from '../../infra/bus/index.ts';
import { type CommandClient, openCommandClient } from '../../infra/command-link/index.ts';
import { claimedIdentity, type Identity, SANDBOX_IDENTITY } from '../../infra/identities/index.ts';
import { openPool, type Pool } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { Commands, type CommandToSend, type Submitted } from '../../platform/http/index.ts';
import { OutboxOutcomes } from '../../platform/outbox/index.ts';
import { type OpenedVault, openVault, type Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { waitUntil } from '../services/wait-until.ts';
import { accessKeyFile, EXCHANGE, PROJECTION_SCHEMA, REGISTRY_SCHEMA } from './sandbox-settings.ts';

export type Accepted = Extract<Submitted, { kind: 'accepted' }>;

/** Credentials of a signed request. */
export interface ApiKey {
  readonly id: number;
  readonly key: string;
  readonly secret: string;
}

export const LOOPBACK = ['127.0.0.1/32', '::1/128'] as const;

export interface KeyRequest {
  readonly user: UserId;
  readonly name?: string;
  readonly canTrade?: boolean;
  readonly canWithdraw?: boolean;
  readonly role?: 'user' | 'admin';
  readonly whitelistedIps?: readonly string[];
}

export interface SessionOfSandbox {
  readonly user: UserId;
  readonly scopes?: readonly string[];
  readonly lifeMs?: number;
}

export interface SeededAsset {
  readonly id: AssetId;
  readonly symbol: string;
  readonly scale: number;
  readonly isChainCoin: boolean;
}

export interface Funds {
  readonly user: UserId;
  readonly asset: SeededAsset;
  readonly amountAtoms: Atoms;
  /** Each transaction id is credited once. */
  readonly transactionId: string;
}

const ANSWER_TIMEOUT_MS = 30_000;
const PROJECTED_WITHIN_MS = 60_000;
const CONFIRMED_WITHIN_MS = 30_000;
const CONNECTIONS_MAX = 8;

export class SandboxAdmin {
  readonly folder: string;
  readonly nats: Nats;
  readonly bus: NatsBus;
  /** The projected tables. */
  readonly projections: Pool;
  readonly registry: Pool;
  readonly vault: Vault;
  readonly #keys: OpenedVault;
  readonly #client: CommandClient;
  readonly #commands: Commands;
  readonly #outcomes: OutboxOutcomes;

  static async open(options: {
    readonly folder: string;
    readonly natsUrls: readonly string[];
    /** Key of the sandbox's identity. */
    readonly seed: string;
    readonly postgresUrl: string;
  }): Promise<SandboxAdmin> {
    const { folder, natsUrls, postgresUrl: url, seed } = options;
    const pool = (schema: string) =>
      openPool({
        url,
        schema,
        name: 'sandbox',
        connectionsMax: CONNECTIONS_MAX,
        statementTimeoutMs: ANSWER_TIMEOUT_MS,
      });
    const registry = pool(REGISTRY_SCHEMA);
    const keys = await openVault({
      config: {
        accessKeyFile: accessKeyFile(folder),
        accessKey: undefined,
        mode: 'development',
      },
      registry,
      clock: systemClock,
      log: createLogger({ service: 'sandbox', instance: 'sandbox', level: 'warn' }),
    });
    const identity = { ...claimedIdentity(SANDBOX_IDENTITY), seed: Buffer.from(seed) };
    const nats = await connectNats({ urls: natsUrls, name: 'sandbox', identity });
    return new SandboxAdmin({
      folder,
      identity,
      nats,
      keys,
      registry,
      projections: pool(PROJECTION_SCHEMA),
    });
  }

  constructor(options: {
    folder: string;
    identity: Identity;
    nats: Nats;
    keys: OpenedVault;
    projections: Pool;
    registry: Pool;
  }) {
    const { folder, identity, keys, nats, projections, registry } = options;
    const [clock, exchange] = [systemClock, EXCHANGE];
    this.folder = folder;
    this.nats = nats;
    this.bus = new NatsBus(nats);
    this.projections = projections;
    this.registry = registry;
    this.vault = keys.vault;
    this.#keys = keys;
    const { bus, registry: statements } = this;
    this.#client = openCommandClient({ bus, clock, exchange, identity });
    this.#commands = new Commands(this.#client, ANSWER_TIMEOUT_MS);
    this.#outcomes = new OutboxOutcomes({
      bus,
      clock,
      exchange,
      statements,
      onFault: (fault) => console.error(fault),
    });
  }

  submit(command: CommandToSend): Promise<Submitted> {
    return this.#commands.submit(command);
  }

  /** Throws unless the engine accepts the command. */
  async apply(command: CommandToSend): Promise<Accepted> {
    const submitted = await this.submit(command);
    if (submitted.kind === 'accepted') return submitted;
    const reason = 'refusal' in submitted ? submitted.refusal : submitted.kind;
    throw new Error(`${command.kind} was not accepted: ${reason}`);
  }

  /** Resolves when the tables contain everything up to this frame. */
  async waitUntilProjected(frame: number): Promise<void> {
    const text = 'select frame_sequence, is_complete from projection';
    await waitUntil({
      what: `the tables have frame ${frame}`,
      timeoutMs: PROJECTED_WITHIN_MS,
      question: async () => {
        const [row] = (await this.projections.query(text)).rows;
        const at = Number(row?.frame_sequence ?? 0);
        return at > frame || (at === frame && row.is_complete);
      },
    });
  }

  /** Resolves when the registry accepts new rows, which is after the log has confirmed it. */
  async waitUntilConfirmed(): Promise<void> {
    const text = `select from registry_term where state = 'new'
      or (state = 'confirmed' and server_started = pg_postmaster_start_time())`;
    await waitUntil({
      what: 'the log has confirmed the registry',
      timeoutMs: CONFIRMED_WITHIN_MS,
      question: async () => (await this.registry.query(text)).rows.length === 1,
    });
  }

  async issueKey(request: KeyRequest): Promise<ApiKey> {
    const { canTrade = true, canWithdraw = true, name = 'sandbox', role = 'user' } = request;
    // A key with withdrawal permission needs an address list.
    const { user, whitelistedIps = canWithdraw ? LOOPBACK : [] } = request;
    const key = { user, name, kind: 'hmac', canRead: true, canTrade, canWithdraw, role } as const;
    const issued = await issueKey(
      this.registry,
      this.vault,
      { ...key, whitelistedIps, nowMs: systemClock.nowMs() },
      { mayBeAnywhere: true },
    );
    if (issued instanceof Refused) throw new Error(`no key for user ${user}: ${issued.key}`);
    accessChangeFeed(this.bus, EXCHANGE).announce({ user, key: 0, session: 0, isRevoked: false });
    return { id: issued.key.id, key: issued.key.publicKey, secret: issued.secret };
  }

  /** Issues a session without a login. */
  issueSession({ lifeMs = SESSION_LIFE_MS, scopes = ['user'], user }: SessionOfSandbox) {
    const [nowMs, exchangeName] = [systemClock.nowMs(), EXCHANGE];
    const request = { user, scopes, lifeMs, nowMs, exchangeName };
    return grantSession(this.registry, this.vault, request);
  }

  /** Deposits through the usual path: request, outbox, dispatcher, engine. */
  async credit({ amountAtoms, asset, transactionId, user }: Funds): Promise<void> {
    const session = await this.registry.connect();
    const requested = await requestDeposit(session, {
      user,
      amountAtoms,
      transactionId,
      isChainCoin: asset.isChainCoin,
      asset: { id: asset.id, currency: asset.symbol, scale: asset.scale },
    }).finally(() => session.release());
    if (requested.kind === 'refused') {
      if (requested.key === 'transaction_id_used') return;
      throw new Error(`${transactionId} was refused: ${requested.key}`);
    }
    const { position } = requested;
    if (position === undefined) throw new Error(`${transactionId} is pending`);
    const timeoutMs = ANSWER_TIMEOUT_MS;
    const outcome = await this.#outcomes.wait(position, { timeoutMs });
    if (outcome?.state !== 'accepted') {
      throw new Error(`${transactionId}: ${outcome?.refusal ?? 'nothing came of it in time'}`);
    }
    await this.waitUntilProjected(outcome.frame);
  }

  async close(): Promise<void> {
    this.#keys.stop();
    this.#outcomes.stop();
    this.#client.close();
    await Promise.all([this.projections.end(), this.registry.end()]);
    await this.nats.close();
  }
}
