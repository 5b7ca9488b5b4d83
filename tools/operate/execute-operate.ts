// Executes a command of the operate tool and returns the lines to print. A command that is not
// possible is a ToolFault with one sentence.

import type { ParseArgsOptionsConfig } from 'node:util';
import type { UserId } from '../../core/money/index.ts';
import {
  type AnnouncementRefusal,
  announcementOf,
  removeAnnouncement,
  shownAnnouncements,
  writeAnnouncement,
} from '../../domain/announcements/index.ts';
import {
  listBankAccounts,
  listPaymentDetails,
  listUsersWithPendingBanks,
  listUsersWithPendingPayments,
  reviewPaymentDetail,
} from '../../domain/bank-accounts/index.ts';
import {
  addManualAddress,
  countFreeAddresses,
  findUserOfMemo,
  listManualAddresses,
  type ManualAddressRefusal,
  removeManualAddress,
} from '../../domain/deposit-addresses/index.ts';
import { listSupportMessages } from '../../domain/support/index.ts';
import {
  DEFAULT_POLICY_SETTINGS,
  describePolicySettings,
  type PolicySettings,
  readPolicySettings,
} from '../../domain/transfers/index.ts';
import type { Vault } from '../../domain/vault/index.ts';
import { inTransaction, type Pool, withConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { ToolFault, UsageFault } from '../command-line.ts';
import { tableLines } from '../text-table.ts';
import { type ReferralConfig, turnReferralOff, turnReferralOn } from './referral.ts';

export const OPERATE_USAGE = `Usage: npx node tools/operate/main.ts COMMAND [OPTIONS]

Configures the deposit addresses that users get, the withdrawal policy and the referral programme,
writes announcements, reviews payment details, and shows bank accounts and support messages.

  address add     an address that you control, for users to deposit to
                    --currency C --network N --address A
                    --memo           all users share it, each with a memo; without it, the address
                                     goes to one user
  address list    the newest addresses, and how many are free
  address owner   the user whose deposits have a tag
                    --tag T
  address remove  nobody gets the address any more; users who have it keep it
                    --id I
  announcement create
                  shown to everyone; the message is HTML, of which unsafe parts are removed
                    --title T --message M [--type W] [--start D] [--end D]
                    [--popup] [--navbar] [--dropdown]
  announcement list
                  the announcements that are shown now
  announcement remove
                    --id I
  policy list     the thresholds of the withdrawal policy
  policy set        --name N --value V
  bank list       the bank accounts of a user, with the fields that you pay to
                    --user U         the number of the user
  bank pending    bank accounts that wait for your verification, the oldest first
  payment list    the payment details of a user, newest first
                    --user U
  payment pending payment details that wait for your verification, the longest wait first
  payment verify  they are the user's own
                    --user U --id I
                    --operator O     the number of your own user, who is not the owner
  payment reject  they are not
                    --user U --id I --operator O
  support list    the newest support messages
  referral on     start the referral programme, or change its settings
                    --currency C     the coin of the earnings
                    --rate R         discount and earning rate of a code together, in percent
                    --minimum M      the least that is paid
                    --user U         the number of the user who pays
                    [--months N]     how long fees count (default: 0, for ever)
  referral off    stop it; earnings stay

Environment variables: RIALTO_POSTGRES_URL, RIALTO_REGISTRY_SCHEMA, RIALTO_POSTGRES_SCHEMA,
RIALTO_ACCESS_KEY_FILE or RIALTO_ACCESS_KEY (bank, payment, support), RIALTO_MODE.`;

export const OPERATE_OPTIONS = {
  currency: { type: 'string' },
  network: { type: 'string' },
  address: { type: 'string' },
  memo: { type: 'boolean', default: false },
  tag: { type: 'string' },
  id: { type: 'string' },
  operator: { type: 'string' },
  name: { type: 'string' },
  value: { type: 'string' },
  rate: { type: 'string' },
  minimum: { type: 'string' },
  months: { type: 'string' },
  user: { type: 'string' },
  title: { type: 'string' },
  message: { type: 'string' },
  type: { type: 'string', default: 'default' },
  start: { type: 'string' },
  end: { type: 'string' },
  popup: { type: 'boolean', default: false },
  navbar: { type: 'boolean', default: false },
  dropdown: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

type Text =
  | 'currency'
  | 'network'
  | 'address'
  | 'tag'
  | 'id'
  | 'operator'
  | 'name'
  | 'value'
  | 'rate'
  | 'minimum'
  | 'months'
  | 'user'
  | 'title'
  | 'message'
  | 'start'
  | 'end';
export type OperateOptions = { readonly [Name in Text]?: string | undefined } & {
  readonly [Name in 'memo' | 'popup' | 'navbar' | 'dropdown']: boolean;
} & { readonly type: string };

export interface OperateContext {
  readonly pool: Pool;
  readonly projectionSchema: string;
  openVault(): Promise<Vault>;
}

const LISTED_MAX = 100;

export async function executeOperate(
  command: string,
  options: OperateOptions,
  { openVault, pool, projectionSchema }: OperateContext,
): Promise<readonly string[]> {
  switch (command) {
    case 'address add':
      return addAddress(options, pool);
    case 'address list':
      return addressLines(pool);
    case 'address owner':
      return ownerLines(options, pool);
    case 'address remove':
      return removed(await removeManualAddress(pool, numberOf(options)), 'address', options);
    case 'announcement create':
      return announce(options, pool);
    case 'announcement list':
      return announcementLines(pool);
    case 'announcement remove':
      return removed(await removeAnnouncement(pool, numberOf(options)), 'announcement', options);
    case 'policy list':
      return policyLines(pool);
    case 'policy set':
      return setPolicy(options, pool);
    case 'bank list':
      return bankLines(pool, await openVault(), { users: [userOf(options)] });
    case 'bank pending':
      return pendingBankLines(pool, openVault);
    case 'payment list':
      return paymentLines(pool, await openVault(), { users: [userOf(options)] });
    case 'payment pending':
      return pendingPaymentLines(pool, openVault);
    case 'payment verify':
      return reviewPayment(options, pool, 'verified');
    case 'payment reject':
      return reviewPayment(options, pool, 'rejected');
    case 'support list':
      return supportLines(pool, await openVault());
    case 'referral on':
      return turnReferralOn(referralConfig(options), pool, projectionSchema);
    case 'referral off':
      return turnReferralOff(pool);
    default:
      throw new UsageFault(
        command === ''
          ? 'A command is missing (expected one of --help).'
          : `There is no command '${command}' (expected one of --help).`,
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
  address_not_valid:
    'The address is invalid in this network (expected one with a valid checksum, without a tag).',
  network_has_no_memo:
    'This network has no tags: leave --memo out, and add one address for each user.',
  address_configured:
    'This address has been added before: an address of its own goes to one user only.',
};

async function addAddress(options: OperateOptions, pool: Pool): Promise<readonly string[]> {
  const given = {
    currency: needed(options, 'currency').toLowerCase(),
    network: needed(options, 'network'),
    address: needed(options, 'address'),
    hasMemo: options.memo,
  };
  const added = await withConnection(pool, (connection) =>
    inTransaction(connection, () => addManualAddress(connection, given)),
  );
  if (added !== 'added') throw new ToolFault(ADDRESS_REFUSALS[added]);
  const who = options.memo ? 'all users, each with a memo' : 'the next user without an address';
  return [`${given.address} on ${given.network} is for ${who}`];
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
    throw new ToolFault(`No user has the tag '${tag}': it is mistyped or of another exchange.`);
  }
  return [`user ${user}`];
}

async function policyLines(pool: Pool): Promise<readonly string[]> {
  const settings = Object.entries(await readPolicySettings(pool));
  return tableLines(
    [{ title: 'name' }, { title: 'value' }],
    settings.map(([name, value]) => [name, value === '' ? '(usual)' : `${value}`]),
  );
}

async function setPolicy(options: OperateOptions, pool: Pool): Promise<readonly string[]> {
  const name = needed(options, 'name');
  if (!Object.hasOwn(DEFAULT_POLICY_SETTINGS, name)) {
    const names = Object.keys(DEFAULT_POLICY_SETTINGS).join(', ');
    throw new UsageFault(`--name is '${name}' (expected one of ${names}).`);
  }
  // Only the currency can be empty.
  const text = name === 'currency' ? options.value : needed(options, 'value');
  if (text === undefined) throw new UsageFault('--value is missing.');
  const usual: unknown = DEFAULT_POLICY_SETTINGS[name as keyof PolicySettings];
  const isCount = typeof usual === 'number';
  try {
    await describePolicySettings(pool, { [name]: isCount ? Number(text) : text });
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    const form = isCount ? 'a whole number such as 10' : 'a decimal such as 5000';
    const expected = name === 'currency' ? "a coin such as usdt, or '' for the usual one" : form;
    throw new UsageFault(`--value is '${text}' (expected ${expected}).`);
  }
  return policyLines(pool);
}

const ANNOUNCEMENT_REFUSALS: Readonly<Record<AnnouncementRefusal, string>> = {
  announcement_title_invalid:
    'The title is not valid (expected one line of 1 to 200 characters without < and >).',
  announcement_message_invalid: 'The message is too long (expected at most 20,000 characters).',
  announcement_type_invalid:
    'The type is not valid (expected up to 32 of a-z, 0-9, _ and -, with a letter first).',
  announcement_dates_reversed: 'The announcement ends before it starts (expected --end later).',
  announcement_unknown: 'There is no such announcement.',
};

async function announce(options: OperateOptions, pool: Pool): Promise<readonly string[]> {
  const content = {
    title: needed(options, 'title'),
    message: needed(options, 'message'),
    type: options.type,
    startDate: dateOf(options, 'start'),
    endDate: dateOf(options, 'end'),
    isPopup: options.popup,
    isNavbar: options.navbar,
    isDropdown: options.dropdown,
  };
  const written = await writeAnnouncement(pool, content, null);
  if (typeof written === 'string') throw new ToolFault(ANNOUNCEMENT_REFUSALS[written]);
  return [`announcement ${written.id}`, written.message];
}

async function announcementLines(pool: Pool): Promise<readonly string[]> {
  const now = new Date(systemClock.nowMs());
  const order = 'order by a.created_at desc, a.id desc';
  const { rows } = await pool.query(shownAnnouncements.rows(order), [
    now,
    null,
    null,
    LISTED_MAX,
    0,
  ]);
  if (rows.length === 0) return ['There are no announcements.'];
  const columns = [{ title: 'id', isNumber: true }, { title: 'created' }, { title: 'title' }];
  return tableLines(
    columns,
    rows.map(announcementOf).map(({ createdAt, id, title }) => {
      return [`${id}`, createdAt.toISOString(), title];
    }),
  );
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
  /** Only those that wait for verification. */
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
  pool: Pool,
  status: 'rejected' | 'verified',
): Promise<readonly string[]> {
  const [user, operator] = [userOf(options), numberOf(options, 'operator') as UserId];
  const id = numberOf(options);
  const reviewed = await reviewPaymentDetail(pool, { user, id, operator, status });
  if (reviewed === 'payment_detail_own') {
    throw new ToolFault('Nobody verifies their own payment details (expected another --operator).');
  }
  if (reviewed !== 'reviewed') {
    throw new ToolFault(`User ${user} has no payment details ${id} for fiat.`);
  }
  return [`payment details ${id} of user ${user} are ${status}`];
}

// Each value on its own line and in quotes: a message cannot look like another one.
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

function removed(isRemoved: boolean, what: string, options: OperateOptions): readonly string[] {
  if (!isRemoved) throw new ToolFault(`There is no ${what} ${options.id}.`);
  return [`${what} ${options.id} is removed`];
}

function needed(options: OperateOptions, name: Text): string {
  const value = options[name];
  if (value === undefined || value === '') throw new UsageFault(`--${name} is missing.`);
  return value;
}

function userOf(options: OperateOptions): UserId {
  return numberOf(options, 'user') as UserId;
}

function numberOf(options: OperateOptions, name: 'id' | 'operator' | 'user' = 'id'): number {
  const text = needed(options, name);
  if (!/^\d{1,15}$/.test(text)) {
    throw new UsageFault(`--${name} is '${text}' (expected a number).`);
  }
  return Number(text);
}

function dateOf(options: OperateOptions, name: 'start' | 'end'): Date | null {
  const text = options[name];
  if (text === undefined) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw new UsageFault(`--${name} is '${text}' (expected a date such as 2026-11-15T12:00:00Z).`);
  }
  return date;
}
