// Emails to operators: about a new request to its voters, and about moved money to every
// administrator. Must not contain personal values.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { enqueueMail } from '../messages/index.ts';
import type { ActContext, MovedMoney, ShownLine } from './act.ts';
import type { ControlMode, ExchangeControl } from './control.ts';

export interface RequestToTell {
  readonly id: number;
  readonly act: string;
  readonly votePower: string;
  readonly shown: readonly ShownLine[];
  readonly needed: number;
  readonly expiresAt: Date;
  /** Sent to all operators, not only to voters. */
  readonly isForAll: boolean;
  readonly mode: ControlMode;
}

export interface MovementToTell {
  readonly act: string;
  readonly object: string;
  readonly money: MovedMoney;
  readonly value: string | null;
  readonly control: ExchangeControl;
  /** The approved request, if there was one. */
  readonly approval: number | undefined;
}

/** Other operators read the request lists and the audit log. */
const RECEIVERS_MAX = 20;
/** Longer values are shown only in the request. */
const VALUE_CHARACTERS_MAX = 200;
const IN_REQUEST = '(in the request)';

/** In solo mode, administrators vote. */
export async function tellVoters(
  { connection, operator, vault }: ActContext,
  request: RequestToTell,
): Promise<void> {
  const { act, id, isForAll, mode, votePower } = request;
  const { rows } = await connection.query(
    `select u.id, u.email, coalesce(u.settings ->> 'language', 'en') as language
     from users u join roles r on r.name = u.role
     where u.state = 'active' and u.id <> $2
       and ($3 or ($1 = any(r.powers) and ($4 = 'team' or u.role = 'admin')))
     order by u.id limit $5`,
    [votePower, operator.user, isForAll, mode, isForAll ? null : RECEIVERS_MAX],
  );
  const mail = { title: `Request ${id}: ${act}`, message: messageOf(request, operator.user) };
  await tell(connection, vault, rows, mail);
}

/** Only if the value reaches the administrators' notification threshold, or has no price. */
export async function tellAdministrators(
  { connection, operator, vault }: ActContext,
  { act, approval, control, money, object, value }: MovementToTell,
): Promise<void> {
  const { rows } = await connection.query(
    `select id, email, coalesce(settings ->> 'language', 'en') as language from users
     where role = 'admin' and state = 'active'
       and ($1::numeric is null or $1::numeric >= $2::numeric)
     order by id limit ${RECEIVERS_MAX}`,
    [value, control.notifyFrom],
  );
  const worth = value === null ? 'without a price' : `worth ${value} ${control.currency}`;
  const message = [
    `Operator ${operator.user} (${operator.credential}) moved ${money.amount} ` +
      `${money.currency}, ${worth}.`,
    `Action: ${act}, ${object}`,
    `Approval: ${approval === undefined ? 'none needed' : `request ${approval}`}`,
    'If you do not expect this, stop the exchange in the console and revoke the key or session.',
  ].join('\n');
  await tell(connection, vault, rows, { title: `Money moved: ${act}`, message });
}

/** To every operator. */
export async function tellOperators(
  connection: Connection,
  vault: Vault,
  mail: { readonly title: string; readonly message: string },
): Promise<void> {
  const { rows } = await connection.query(
    `select id, email, coalesce(settings ->> 'language', 'en') as language from users
     where role is not null and state = 'active' order by id`,
  );
  await tell(connection, vault, rows, mail);
}

async function tell(
  connection: Connection,
  vault: Vault,
  // biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them.
  rows: any[],
  values: { readonly title: string; readonly message: string },
): Promise<void> {
  for (const { email: to, id, language } of rows) {
    const user = idOf<UserId>(id);
    await enqueueMail(connection, vault, { user, to, language, kind: 'operator_message', values });
  }
}

function shortened(value: string): string {
  if (value.length <= VALUE_CHARACTERS_MAX) return value;
  return `${value.slice(0, VALUE_CHARACTERS_MAX)}… (the request has the full value)`;
}

function messageOf(request: RequestToTell, requester: UserId): string {
  const { expiresAt, id, needed, shown } = request;
  const how =
    `It needs ${needed === 1 ? 'one approval' : `${needed} approvals`} from other operators ` +
    `until ${expiresAt.toISOString()}.`;
  const lines = shown.map(
    ({ isPersonal, label, value }) => `${label}: ${isPersonal ? IN_REQUEST : shortened(value)}`,
  );
  return [`Operator ${requester} requests an action (request ${id}).`, ...lines, how].join('\n');
}
