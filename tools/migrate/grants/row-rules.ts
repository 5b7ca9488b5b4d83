// Rows that a role can see and write, and its allowed state changes: SQL conditions, as data. They
// apply to every statement of the role.

import { DEPOSITS, WITHDRAWALS } from '../../../features/payments/index.ts';
import type { DatabaseRole, REGISTRY_GRANTS } from './grants.ts';

type Table = keyof typeof REGISTRY_GRANTS;

export interface RowRule {
  readonly table: Table;
  readonly role: DatabaseRole;
  /** Rows that exist for the role, for reads and writes; all by default. */
  readonly visible?: string;
  /** Condition for new rows; `visible` by default. */
  readonly inserted?: string;
  /** Condition for changed rows; `visible` by default. */
  readonly updated?: string;
  /** Condition for deleting a row; `visible` by default. */
  readonly deleted?: string;
}

/**
 * Operators log in at the process that serves them. For every other process their credentials do
 * not exist: it can neither read a secret that signs for them, nor create a session.
 */
const CREDENTIALS = [
  'codes',
  'devices',
  'passkeys',
  'passwords',
  'recovery_codes',
  'sessions',
  'totp_secrets',
] as const satisfies readonly Table[];

function isNotOfOperator(table: Table): string {
  return `not exists (
    select from users u where u.id = ${table}.user_id and u.role is not null)`;
}

const KEYS_OF_USERS = `role = 'user' and ${isNotOfOperator('api_keys')}`;
const IS_UNVERIFIED = "status in ('empty', 'pending')";
// The condition for a changed row sees the previous row in the table. A group is that of the
// account family, or one that an operator has chosen.
const AS_THE_USER = `not is_house and exists (
  select from users u left join engine_user_settings s on s.user_id in (u.id, u.parent_id)
  where u.id = engine_user_settings.user_id and u.verification_level = engine_user_settings.tier
    and engine_user_settings.group_id in (0, coalesce(u.parent_id, u.id), s.group_id))`;

/** Erasing an account removes its address; the notifier cannot change an address otherwise. */
const KEEPS_EMAIL = `case state when 'erased' then role is null else exists (
  select from users u where u.id = users.id and (u.email, u.username, u.settings)
    = (users.email, users.username, users.settings)) end`;

/**
 * The notifier reads every email, so it could reset any password; only the second factor prevents
 * that. It deletes credentials only with the account, and factors that were never activated.
 */
function isOfClosed(table: Table): string {
  return `exists (
    select from users u where u.id = ${table}.user_id and u.state in ('closed', 'erased'))`;
}

export const ROW_RULES: readonly RowRule[] = [
  ...CREDENTIALS.map(
    (table): RowRule => ({ table, role: 'gateway-http', visible: isNotOfOperator(table) }),
  ),
  { table: 'sessions', role: 'gateway-websocket', visible: isNotOfOperator('sessions') },
  { table: 'api_keys', role: 'gateway-http', visible: KEYS_OF_USERS },
  { table: 'api_keys', role: 'gateway-websocket', visible: KEYS_OF_USERS },
  {
    table: 'users',
    role: 'gateway-http',
    inserted: `role is null and kind <> 'house' and verification_level <= coalesce((
      select p.verification_level from users p where p.id = users.parent_id), 1)`,
    updated: 'role is null',
  },
  {
    table: 'withdrawal_requests',
    role: 'gateway-http',
    // Without its input, the policy could not run again.
    inserted: `kind in ('withdrawal', 'transfer')
      and (kind = 'transfer' or policy_input is not null)
      and ${stateIn(newStates(WITHDRAWALS, 'user'))}`,
  },
  {
    table: 'deposit_requests',
    role: 'gateway-http',
    inserted: `cause is null and kind in ('deposit', 'mint', 'transfer')
      and (kind = 'transfer') = (state = 'crediting')
      and ${stateIn(newStates(DEPOSITS, 'user'))}`,
    // A deposit with a cause is a chain's or an operator's.
    updated: 'cause is null',
  },
  {
    table: 'deposit_requests',
    role: 'chain-watcher',
    inserted: `cause is not null and kind = 'deposit'
      and ${stateIn(newStates(DEPOSITS, 'watcher'))}`,
    updated: "cause is not null and kind in ('deposit', 'mint')",
  },
  { table: 'stake_movements', role: 'gateway-http', inserted: "kind = 'open'" },
  {
    table: 'bank_accounts',
    role: 'gateway-http',
    inserted: `${IS_UNVERIFIED} and decided_by is null and entered_by is null`,
  },
  {
    table: 'payment_details',
    role: 'gateway-http',
    inserted: `${IS_UNVERIFIED} and written_by is null`,
    updated: `${IS_UNVERIFIED} and written_by is null`,
  },
  {
    table: 'engine_user_settings',
    role: 'gateway-http',
    inserted: AS_THE_USER,
    updated: AS_THE_USER,
  },
  { table: 'users', role: 'notifier', updated: KEEPS_EMAIL, deleted: "state = 'unverified'" },
  ...(['passkeys', 'passwords', 'recovery_codes'] as const).map(
    (table): RowRule => ({ table, role: 'notifier', deleted: isOfClosed(table) }),
  ),
  {
    table: 'totp_secrets',
    role: 'notifier',
    deleted: `state = 'pending' or ${isOfClosed('totp_secrets')}`,
  },
  { table: 'api_keys', role: 'notifier', updated: 'revoked and not active' },
  { table: 'sessions', role: 'notifier', updated: 'revoked_at is not null' },
  { table: 'approval_requests', role: 'notifier', updated: "state = 'expired'" },
];

/** Allowed changes of `state` for a role; all others are rejected. */
export interface MoveRule {
  readonly table: Table;
  readonly role: DatabaseRole;
  readonly moves: readonly (readonly [from: string, to: string])[];
}

export const MOVE_RULES: readonly MoveRule[] = [
  { table: 'withdrawal_requests', role: 'gateway-http', moves: movesOf(WITHDRAWALS, 'user') },
  { table: 'deposit_requests', role: 'gateway-http', moves: movesOf(DEPOSITS, 'user') },
  { table: 'deposit_requests', role: 'chain-watcher', moves: movesOf(DEPOSITS, 'watcher') },
  { table: 'stakes', role: 'gateway-http', moves: [['staking', 'unstaking']] },
  { table: 'withdrawal_requests', role: 'notifier', moves: movesOf(WITHDRAWALS, 'clock') },
  {
    table: 'users',
    role: 'notifier',
    moves: [
      ['closing', 'closed'],
      ['closed', 'erased'],
    ],
  },
  {
    table: 'users',
    role: 'outbox-dispatcher',
    moves: [
      ['closing', 'active'],
      ['closed', 'active'],
    ],
  },
];

type Machine = typeof WITHDRAWALS | typeof DEPOSITS;

type Mover = 'user' | 'clock' | 'watcher';

function arrowsOf({ arrows }: Machine, mover: Mover) {
  return arrows.filter(({ by }) => by.includes(mover));
}

function newStates(machine: Machine, mover: Mover): readonly string[] {
  return arrowsOf(machine, mover)
    .filter(({ from }) => from === 'new')
    .map(({ to }) => to);
}

function movesOf(machine: Machine, mover: Mover): readonly (readonly [from: string, to: string])[] {
  return arrowsOf(machine, mover)
    .filter(({ from }) => from !== 'new')
    .map(({ from, to }) => [from, to]);
}

function stateIn(states: readonly string[]): string {
  return `state in (${states.map((state) => `'${state}'`).join(', ')})`;
}
