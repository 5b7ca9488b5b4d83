// Executes a command of the operate tool and returns the lines to print. Throws a ToolFault with
// one sentence if the command is not possible.

import type { ParseArgsOptionsConfig } from 'node:util';
import type { UserId } from '../../core/money/index.ts';
import { readControl } from '../../features/approvals/index.ts';
import { listSupportMessages } from '../../features/messages/index.ts';
import {
  addManualAddress,
  countFreeAddresses,
  DEFAULT_POLICY_SETTINGS,
  describeCeiling,
  describePolicySettings,
  findUserOfMemo,
  listBankAccounts,
  listCeilings,
  listManualAddresses,
  listPaymentDetails,
  listUsersWithPendingBanks,
  listUsersWithPendingPayments,
  type ManualAddressRefusal,
  type PolicySettings,
  readCeiling,
  readPolicySettings,
  removeManualAddress,
  reviewPaymentDetail,
} from '../../features/payments/index.ts';
import type { Connection, Pool, Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { audited, type Changed } from '../audited-change.ts';
import { ToolFault, UsageFault } from '../command-line.ts';
import { tableLines } from '../text-table.ts';
import { auditLines, keyLines, noteLines, verifyLines } from './audit.ts';
import { type ReferralConfig, turnReferralOff, turnReferralOn } from './referral.ts';

export const OPERATE_USAGE = `Usage: rialto operate COMMAND [OPTIONS]

Manages deposit addresses, the withdrawal policy, payment details and the referral program. Lists
bank accounts and support messages. Verifies the audit log, which records every change.

  address add     add a deposit address that you control
                    --currency C --network N --address A
                    --memo           shared by all users, each with a memo (default: assigned to
                                     one user)
  address list    list recent addresses and how many are unused
  address owner   find the user behind a tag
                    --tag T
  address remove  stop assigning an address (users who have it keep it)
                    --id I
  audit verify    verify all entries, signatures and anchors
                    [--archive F]    read anchors from the archived command log in this folder
                                     instead of the tables
                    [--note F]       compare with a signed head that you saved in this file
  audit note      print the latest signed head; store it on another machine
  audit key       print the public key of signed heads
  audit list      list recent entries
  ceiling list    list per-asset limits for unreviewed withdrawals
  ceiling set     set both limits of an asset, in its units (leave out for no limit)
                    --currency C [--hourly H] [--daily D]
  policy list     list withdrawal policy thresholds
  policy set      change a withdrawal policy threshold
                    --name N --value V
  bank list       list a user's bank accounts with payment fields
                    --user U         user ID
  bank pending    list bank accounts pending verification, oldest first
  payment list    list a user's payment details, newest first
                    --user U
  payment pending list payment details pending verification, oldest first
  payment verify  confirm that payment details belong to the user
                    --user U --id I
                    --operator O     your own user ID (not the owner's)
  payment reject  reject payment details
                    --user U --id I --operator O
  support list    list recent support messages
  referral on     start or change the referral program
                    --currency C     coin in which earnings are paid
                    --rate R         discount plus earning rate of a code, in percent
                    --minimum M      minimum payout
                    --user U         ID of the paying user
                    [--months N]     how long fees count (default: 0, no limit)
  referral off    stop the referral program (earnings are kept)

Environment variables: RIALTO_POSTGRES_URL, RIALTO_REGISTRY_SCHEMA, RIALTO_POSTGRES_SCHEMA,
RIALTO_ACCESS_KEY_FILE or RIALTO_ACCESS_KEY (not for lists), RIALTO_MODE.`;

export const OPERATE_OPTIONS = {
  currency: { type: 'string' },
  network: { type: 'string' },
  address: { type: 'string' },
  memo: { type: 'boolean', default: false },
  tag: { type: 'string' },
  id: { type: 'string' },
  operator: { type: 'string' },
  name: { type: 'string' },
  hourly: { type: 'string' },
  daily: { type: 'string' },
  value: { type: 'string' },
  rate: { type: 'string' },
  minimum: { type: 'string' },
  months: { type: 'string' },
  user: { type: 'string' },
  archive: { type: 'string' },
  note: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

type Text =
  | 'currency'
  | 'network'
  | 'address'
  | 'tag'
  | 'id'
  | 'operator'
  | 'name'
  | 'hourly'
  | 'daily'
  | 'value'
  | 'rate'
  | 'minimum'
  | 'months'
  | 'user'
  | 'archive'
  | 'note';
export type OperateOptions = { readonly [Name in Text]?: string | undefined } & {
  readonly memo: boolean;
};

export interface OperateContext {
  readonly pool: Pool;
  readonly projectionSchema: string;
  openVault(): Promise<Vault>;
}

const LISTED_MAX = 100;

export async function executeOperate(
  command: string,
  options: OperateOptions,
  context: OperateContext,
): Promise<readonly string[]> {
  const change = CHANGES[command];
  if (change === undefined) return show(command, options, context);
  const act = `tool.${command.replace(' ', '_')}`;
  return audited(context.pool, await context.openVault(), act, (connection) =>
    change(options, connection, context),
  );
}

type Change = (
  options: OperateOptions,
  connection: Connection,
  context: OperateContext,
) => Promise<Changed>;

/** Commands that change something, each in a transaction with its audit entry. */
const CHANGES: Readonly<Record<string, Change | undefined>> = {
  'address add': addAddress,
  'address remove': async (options, connection) =>
    removed(await removeManualAddress(connection, numberOf(options)), 'address', options),
  'ceiling set': setCeiling,
  'policy set': setPolicy,
  'payment verify': (options, connection) => reviewPayment(options, connection, 'verified'),
  'payment reject': (options, connection) => reviewPayment(options, connection, 'rejected'),
  'referral on': (options, connection, { projectionSchema }) =>
    turnReferralOn(referralConfig(options), connection, projectionSchema),
  'referral off': (_, connection) => turnReferralOff(connection),
};

async function show(
  command: string,
  options: OperateOptions,
  { openVault, pool, projectionSchema }: OperateContext,
): Promise<readonly string[]> {
  switch (command) {
    case 'address list':
      return addressLines(pool);
    case 'address owner':
      return ownerLines(options, pool);
    case 'audit verify':
      return verifyLines(pool, await openVault(), {
        projectionSchema,
        archive: options.archive,
        note: options.note,
      });
    case 'audit note':
      return noteLines(pool);
    case 'audit key':
      return keyLines(pool, await openVault());
    case 'audit list':
      return auditLines(pool, LISTED_MAX);
    case 'ceiling list':
      return ceilingLines(pool);
    case 'policy list':
      return policyLines(pool);
    case 'bank list':
      return bankLines(pool, await openVault(), { users: [userOf(options)] });
    case 'bank pending':
      return pendingBankLines(pool, openVault);
    case 'payment list':
      return paymentLines(pool, await openVault(), { users: [userOf(options)] });
    case 'payment pending':
      return pendingPaymentLines(pool, openVault);
    case 'support list':
      return supportLines(pool, await openVault());
    default:
      throw new UsageFault(
        command === ''
          ? 'A command is required. Run with --help for a list.'
          : `Unknown command '${command}'. Run with --help for a list.`,
      );
  }
}

function referralConfig(options: OperateOptions): ReferralConfig {
  return {
    currency: needed(options, 'currency'),
    rate: needed(options, 'rate'),
    minimum: needed(options, 'minimum'),
    distributor: needed(options, 'user'),
    months: options.months ?? '0',
  };
}

const ADDRESS_REFUSALS: Readonly<Record<ManualAddressRefusal, string>> = {
  address_not_valid: 'Invalid address for this network: expected a valid checksum and no tag.',
  network_has_no_memo: 'This network has no tags. Leave out --memo and add one address per user.',
  address_configured:
    'This address has already been added. An address without a memo belongs to one user.',
};

async function addAddress(options: OperateOptions, statements: Statements): Promise<Changed> {
  const given = {
    currency: needed(options, 'currency').toLowerCase(),
    network: needed(options, 'network'),
    address: needed(options, 'address'),
    hasMemo: options.memo,
  };
  const added = await addManualAddress(statements, given);
  if (added !== 'added') throw new ToolFault(ADDRESS_REFUSALS[added.key]);
  const who = options.memo ? 'all users, each with a memo' : 'the next user without an address';
  const lines = [`${given.address} on ${given.network} is for ${who}`];
  return { lines, object: `address ${given.address}`, after: given };
}

async function addressLines(pool: Pool): Promise<readonly string[]> {
  const all = await listManualAddresses(pool, { limit: LISTED_MAX });
  const free = (await countFreeAddresses(pool)).map(
    ({ currency, free, network }) => `${currency} on ${network}: ${free} free`,
  );
  if (all.length === 0) return ['There are no addresses.'];
  const columns = [
    { title: 'id', isNumber: true },
    { title: 'currency' },
    { title: 'network' },
    { title: 'address' },
    { title: 'for' },
  ];
  const lines = tableLines(
    columns,
    all.map(({ address, assignedTo, currency, hasMemo, id, network }) => {
      const owner = assignedTo === null ? 'the next user' : `user ${assignedTo}`;
      return [`${id}`, currency, network, address, hasMemo ? 'all users, with a memo' : owner];
    }),
  );
  return [...lines, ...free];
}

async function ownerLines(options: OperateOptions, pool: Pool): Promise<readonly string[]> {
  const tag = needed(options, 'tag');
  const user = await findUserOfMemo(pool, tag.trim());
  if (user === undefined) {
    throw new ToolFault(
      `No user has the tag '${tag}'. It is mistyped or belongs to another exchange.`,
    );
  }
  return [`user ${user}`];
}

async function ceilingLines(statements: Statements): Promise<readonly string[]> {
  const ceilings = await listCeilings(statements);
  if (ceilings.length === 0) return ['There are no ceilings.'];
  return tableLines(
    [{ title: 'currency' }, { title: 'per hour' }, { title: 'per day' }],
    ceilings.map(({ currency, daily, hourly }) => [currency, hourly ?? 'none', daily ?? 'none']),
  );
}

async function setCeiling(options: OperateOptions, statements: Statements): Promise<Changed> {
  const currency = needed(options, 'currency').toLowerCase();
  const before = await readCeiling(statements, currency);
  const after = { hourly: options.hourly ?? null, daily: options.daily ?? null };
  try {
    await describeCeiling(statements, currency, after);
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    throw new UsageFault(`${fault.message}: expected a decimal such as 12.5.`);
  }
  const lines = await ceilingLines(statements);
  return { lines, object: `ceiling ${currency}`, before: { ...before }, after };
}

async function policyLines(statements: Statements): Promise<readonly string[]> {
  const settings = Object.entries(await readPolicySettings(statements));
  return tableLines(
    [{ title: 'name' }, { title: 'value' }],
    settings.map(([name, value]) => [name, `${value}`]),
  );
}

async function setPolicy(options: OperateOptions, statements: Statements): Promise<Changed> {
  const name = needed(options, 'name');
  if (!Object.hasOwn(DEFAULT_POLICY_SETTINGS, name)) {
    const names = Object.keys(DEFAULT_POLICY_SETTINGS).join(', ');
    throw new UsageFault(`Invalid --name '${name}': expected one of ${names}.`);
  }
  const text = needed(options, 'value');
  if (name === 'currency' && (await readControl(statements)).mode === 'team') {
    throw new ToolFault(
      'In team mode, two operators approve another currency: use PUT /v2/admin/control/thresholds.',
    );
  }
  const usual: unknown = DEFAULT_POLICY_SETTINGS[name as keyof PolicySettings];
  const isCount = typeof usual === 'number';
  const before = await readPolicySettings(statements);
  try {
    await describePolicySettings(statements, { [name]: isCount ? Number(text) : text });
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    const form = isCount ? 'a whole number such as 10' : 'a decimal such as 5000';
    const expected = name === 'currency' ? 'a coin such as usdt' : form;
    throw new UsageFault(`Invalid --value '${text}': expected ${expected}.`);
  }
  return {
    lines: await policyLines(statements),
    object: `policy ${name}`,
    before: `${before[name as keyof PolicySettings]}`,
    after: text,
  };
}

async function pendingBankLines(
  pool: Pool,
  openVault: OperateContext['openVault'],
): Promise<readonly string[]> {
  const users = await listUsersWithPendingBanks(pool, { limit: LISTED_MAX });
  if (users.length === 0) return ['No bank account waits for verification.'];
  return bankLines(pool, await openVault(), { users, isPending: true });
}

interface Shown {
  readonly users: readonly UserId[];
  /** True for only those pending verification. */
  readonly isPending?: boolean;
}

async function bankLines(
  pool: Pool,
  vault: Vault,
  { isPending = false, users }: Shown,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const user of users) {
    for (const { fields, id, status } of await listBankAccounts(pool, vault, user)) {
      if (isPending && status !== 'pending') continue;
      lines.push(`user ${user}  ${id}  ${status}  ${JSON.stringify(fields)}`);
    }
  }
  return lines.length === 0 ? ['There are no bank accounts.'] : lines;
}

async function pendingPaymentLines(
  pool: Pool,
  openVault: OperateContext['openVault'],
): Promise<readonly string[]> {
  const users = await listUsersWithPendingPayments(pool, { limit: LISTED_MAX });
  if (users.length === 0) return ['No payment details wait for verification.'];
  return paymentLines(pool, await openVault(), { users, isPending: true });
}

async function paymentLines(
  pool: Pool,
  vault: Vault,
  { isPending = false, users }: Shown,
): Promise<readonly string[]> {
  const filter = isPending ? ({ status: 'pending' } as const) : {};
  const lines: string[] = [];
  for (const user of users) {
    const all = await listPaymentDetails(pool, vault, user, filter);
    for (const { details, id, label, name, status } of all) {
      lines.push(`user ${user}  ${id}  ${status}  ${JSON.stringify({ name, label, details })}`);
    }
  }
  return lines.length === 0 ? ['There are no payment details.'] : lines;
}

async function reviewPayment(
  options: OperateOptions,
  statements: Statements,
  status: 'rejected' | 'verified',
): Promise<Changed> {
  const [user, operator] = [userOf(options), numberOf(options, 'operator') as UserId];
  const id = numberOf(options);
  const reviewed = await reviewPaymentDetail(statements, { user, id, operator, status });
  if (reviewed !== 'reviewed' && reviewed.key === 'bank_account_own') {
    throw new ToolFault(
      'Operators cannot verify their own payment details. Use another --operator.',
    );
  }
  if (reviewed !== 'reviewed') {
    throw new ToolFault(`User ${user} has no payment details ${id} for fiat.`);
  }
  const lines = [`payment details ${id} of user ${user} are ${status}`];
  return { lines, object: `payment details ${id}`, operator, subject: user, after: { status } };
}

// Each value is quoted on a separate line, so a message cannot look like another one.
async function supportLines(pool: Pool, vault: Vault): Promise<readonly string[]> {
  const all = await listSupportMessages(pool, vault, { limit: LISTED_MAX });
  if (all.length === 0) return ['There are no support messages.'];
  return all.flatMap(({ category, createdAt, description, email, reference, subject, user }) => [
    `${reference}  ${createdAt.toISOString()}`,
    `  from      ${JSON.stringify(email)}${user === null ? '' : `, the address of user ${user}`}`,
    `  category  ${JSON.stringify(category)}`,
    `  subject   ${JSON.stringify(subject)}`,
    `  text      ${JSON.stringify(description)}`,
  ]);
}

function removed(isRemoved: boolean, what: string, options: OperateOptions): Changed {
  if (!isRemoved) throw new ToolFault(`No ${what} with ID ${options.id}.`);
  const object = `${what} ${options.id}`;
  return { lines: [`${object} is removed`], object };
}

function needed(options: OperateOptions, name: Text): string {
  const value = options[name];
  if (value === undefined || value === '') throw new UsageFault(`--${name} is required.`);
  return value;
}

function userOf(options: OperateOptions): UserId {
  return numberOf(options, 'user') as UserId;
}

function numberOf(options: OperateOptions, name: 'id' | 'operator' | 'user' = 'id'): number {
  const text = needed(options, name);
  if (!/^\d{1,15}$/.test(text)) {
    throw new UsageFault(`Invalid --${name} '${text}': expected a number.`);
  }
  return Number(text);
}
