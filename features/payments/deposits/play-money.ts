// Play money on a demo exchange: a faucet account gives each user a fixed amount per asset, once in
// 24 hours. The amounts and the account are in the kit. Never decides whether the faucet's balance
// is sufficient: the engine does.

import {
  type AssetId,
  type Atoms,
  atomsFromDecimal,
  type KeyId,
  type UserId,
} from '../../../core/money/index.ts';
import {
  assertPlainName,
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isReadOnly } from '../../kill-switches/index.ts';
import { lockFamilies } from '../family.ts';
import { startTransfer } from './requests.ts';

export interface PlayMoney {
  /** Account that pays. */
  readonly faucet: UserId;
  /** By asset, for 24 hours. */
  readonly gifts: ReadonlyMap<AssetId, PlayMoneyGift>;
}

export interface PlayMoneyGift {
  readonly asset: AssetId;
  readonly currency: string;
  readonly scale: number;
  readonly atoms: Atoms;
}

const PERIOD = "interval '24 hours'";

/** SQL: atoms given by `sender` to `receiver` in the asset within 24 hours, including open ones. */
export function givenAtoms(names: { sender: string; receiver: string; asset: string }): string {
  return `(${given('sum(gd.amount_atoms)::text', names)})`;
}

function given(
  wanted: string,
  { asset, receiver, sender }: { sender: string; receiver: string; asset: string },
): string {
  return `select ${wanted} from deposit_requests gd
    join withdrawal_requests gw
      on gw.transaction_id = gd.transaction_id and gw.kind = 'transfer' and gw.user_id = ${sender}
    where gd.kind = 'transfer' and gd.user_id = ${receiver} and gd.asset_id = ${asset}
      and gd.state in ('crediting', 'completed') and gd.created_at > now() - ${PERIOD}`;
}

/** Returns undefined if the kit does not name an existing account. Ignores unknown assets. */
export async function readPlayMoney(
  statements: Statements,
  projectionSchema: string,
): Promise<PlayMoney | undefined> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select u.id as faucet, a.id, a.symbol, a.scale, gift.value as amount
     from (select content -> 'play_money' as setting from kit) c
     join users u on u.id::text = c.setting ->> 'account_id'
     cross join lateral jsonb_each_text(case jsonb_typeof(c.setting -> 'amounts')
       when 'object' then c.setting -> 'amounts' else '{}' end) gift
     join ${projectionSchema}.assets a on a.symbol = lower(gift.key)`,
  );
  if (rows.length === 0) return undefined;
  const gifts = new Map<AssetId, PlayMoneyGift>();
  for (const { amount, id, scale, symbol } of rows) {
    const atoms = atomsFromDecimal(amount, Number(scale));
    if (!atoms.ok || atoms.value <= 0n) continue;
    const asset: AssetId = idOf(id);
    gifts.set(asset, { asset, currency: symbol, scale: Number(scale), atoms: atoms.value });
  }
  return { faucet: idOf(rows[0].faucet), gifts };
}

export interface PlayMoneyRequest {
  readonly user: UserId;
  readonly currency: string;
  readonly session: number;
  readonly projectionSchema: string;
}

/** Only for a demo exchange; the caller and the dispatcher check that. */
export function requestPlayMoney(
  connection: Connection,
  { currency, projectionSchema, session, user }: PlayMoneyRequest,
) {
  return inTransaction(connection, async () => {
    const settings = await readPlayMoney(connection, projectionSchema);
    const gift = [...(settings?.gifts.values() ?? [])].find((one) => one.currency === currency);
    if (settings === undefined || gift === undefined || settings.faucet === user) {
      return new Refused('play_money_not_offered', { currency });
    }
    const { faucet } = settings;
    // Under the lock, so two requests at the same time do not both get the day's amount.
    if (!(await lockFamilies(connection, [faucet, user]))) {
      return new Refused('play_money_not_offered', { currency });
    }
    const { rows } = await connection.query(
      given(`ceil(extract(epoch from max(gd.created_at) + ${PERIOD} - now()) / 3600) as hours`, {
        sender: '$1',
        receiver: '$2',
        asset: '$3',
      }),
      [faucet, user, gift.asset],
    );
    const { hours } = rows[0];
    if (hours !== null) return new Refused('play_money_taken', { hours: Number(hours) });
    if (await isReadOnly(connection)) return new Refused('exchange_read_only');
    const { asset: id, atoms: amountAtoms, scale } = gift;
    const started = await startTransfer(connection, {
      sender: faucet,
      receiver: user,
      asset: { id, currency, scale },
      amountAtoms,
      description: 'Play money',
      by: 'user',
      actor: user,
      key: 0 as KeyId,
      session,
      withMail: false,
    });
    return started instanceof Refused ? started : { ...started, gift };
  });
}
