// Creates many users with keys and money together, for benches and load tests. The money goes
// directly to the engine through a separate channel, so it does not appear as deposit requests.

import { randomBytes } from 'node:crypto';
import { type Atoms, atomsFromDecimal, type KeyId, type UserId } from '../../core/money/index.ts';
import { type KeyBinding, keyBound } from '../../features/auth/index.ts';
import { exactly } from './listing-commands.ts';
import { type ApiKey, LOOPBACK, type SandboxAdmin } from './sandbox-admin.ts';
import type { Seeded } from './seed.ts';

export interface Trader extends ApiKey {
  readonly name: string;
  readonly user: UserId;
  readonly email: string;
}

export interface TradersRequest {
  readonly count: number;
  /** Amounts by asset, in its units. */
  readonly funds?: Readonly<Record<string, string>>;
}

const FUNDS = { btc: '10', usdt: '1000000', eur: '1000000' };
/** Low channels are for commands that are not from the outbox. */
const CHANNEL = 1;
const ROWS_PER_STATEMENT = 5_000;
const KEY_LIFE = "interval '90 days'";
const SCOPES = {
  kind: 'hmac',
  canRead: true,
  canTrade: true,
  canWithdraw: true,
  role: 'user',
} as const;

/** Creates groups of traders, one after another, in a sandbox with new data. */
export class TraderFactory {
  readonly #admin: SandboxAdmin;
  readonly #seeded: Seeded;
  #created = 0;
  #channelSequence = 0;

  constructor(admin: SandboxAdmin, seeded: Seeded) {
    this.#admin = admin;
    this.#seeded = seeded;
  }

  /** Resolves when the tables contain their money. */
  async create({ count, funds = FUNDS }: TradersRequest): Promise<Trader[]> {
    const traders: Trader[] = [];
    for (let left = count; left > 0; left -= ROWS_PER_STATEMENT) {
      traders.push(...(await this.#insert(Math.min(left, ROWS_PER_STATEMENT))));
    }
    await this.#credit(traders, funds);
    return traders;
  }

  async #insert(count: number): Promise<Trader[]> {
    const names = Array.from({ length: count }, () => `trader-${++this.#created}`);
    const codes = names.map((name) => codeOf('T', Number(name.slice('trader-'.length))));
    return insertTraders(this.#admin, { names, codes, domain: 'example.com' });
  }

  async #credit(traders: readonly Trader[], funds: Readonly<Record<string, string>>) {
    const credits = Object.entries(funds).map(([symbol, amount]) => {
      const asset = this.#seeded.assets.get(symbol)!;
      return { asset: asset.id, amountAtoms: exactly(atomsFromDecimal(amount, asset.scale)) };
    });
    // Commands from one source are applied in the order in which they are sent.
    const sent = traders.flatMap(({ user }) =>
      credits.map((credit) =>
        this.#admin.apply({
          kind: 'CreditDeposit',
          user,
          ...credit,
          amountAtoms: credit.amountAtoms as Atoms,
          channel: CHANNEL,
          channelSequence: ++this.#channelSequence,
          reference: 'crowd',
        }),
      ),
    );
    const accepted = await Promise.all(sent);
    const frames = accepted.map(({ frame }) => frame);
    if (frames.length > 0)
      await this.#admin.waitUntilProjected(frames.reduce((a, b) => Math.max(a, b)));
  }
}

/** Inserts users with keys and without money, in two statements. */
export async function insertTraders(
  { registry, vault }: SandboxAdmin,
  { codes, domain, names }: { names: readonly string[]; codes: readonly string[]; domain: string },
): Promise<Trader[]> {
  const users = await registry.query(
    `insert into users (email, username, affiliation_code)
     select name || '@' || $3, name, code
     from unnest($1::text[], $2::text[]) as t(name, code)
     returning id, email, username`,
    [names, codes, domain],
  );
  const ids = await registry.query(
    "select nextval(pg_get_serial_sequence('api_keys', 'id')) as id from generate_series(1, $1)",
    [names.length],
  );
  const traders = users.rows.map(({ email, id: userId, username: name }, index) => {
    const user = Number(userId) as UserId;
    const id = Number(ids.rows[index].id) as KeyId;
    const secret = randomBytes(25).toString('hex');
    const key = randomBytes(20).toString('hex');
    const binding: KeyBinding = { id, user, ...SCOPES };
    return { id, user, name, email, key, secret, ...vault.seal(keyBound(binding), secret) };
  });
  await registry.query(
    `insert into api_keys (id, user_id, name, public_key, kind, kek_id, sealed,
       can_read, can_trade, can_withdraw, expires_at, withdraw_granted_at,
       whitelisting_enabled, whitelisted_ips)
     select id, user_id, 'crowd', key, 'hmac', kek_id, sealed, true, true, true,
       now() + ${KEY_LIFE}, now(), true, $6
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[])
       as t(id, user_id, key, kek_id, sealed)`,
    [
      traders.map(({ id }) => id),
      traders.map(({ user }) => user),
      traders.map(({ key }) => key),
      traders.map(({ kekId }) => kekId),
      traders.map(({ sealed }) => sealed),
      LOOPBACK,
    ],
  );
  return traders.map(({ kekId: _kekId, sealed: _sealed, ...trader }) => trader);
}

/** Returns a unique affiliation code for each number. */
export function codeOf(letter: string, number: number): string {
  return `${letter}${number.toString(36).toUpperCase().padStart(5, '0')}`;
}
