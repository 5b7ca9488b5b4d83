// Reads the input of the withdrawal policy under the family lock, so the second of two withdrawals
// in a family sees the first. A request is read again before it is confirmed or claimed.

import type { Atoms, KeyId, UserId } from '../../../core/money/index.ts';
import { assertPlainName, type Connection, idOf } from '../../../infra/postgres/index.ts';
import { networksOf } from '../../listings/index.ts';
import { conservativePrices, type Prices } from '../../market-data/index.ts';
import { EMAIL_NETWORK, parseDestination } from '../addresses/parse-destination.ts';
import { type LockedFamily, lockFamily } from '../family.ts';
import { WITHDRAWALS } from '../withdrawals/states.ts';
import { type PolicySettings, readPolicySettings } from './policy-settings.ts';
import type { CurrencyAmount } from './valued-amounts.ts';
import { readCeiling } from './withdrawal-ceilings.ts';
import {
  FIAT_NETWORK,
  type PolicyDecision,
  type PolicyInput,
  type WithdrawalLimit,
  type WithdrawalProof,
  withdrawalPolicy,
} from './withdrawal-policy.ts';
import { readSigns, readWithdrawalRules } from './withdrawal-signs.ts';

interface PolicyAsset {
  readonly currency: string;
  readonly scale: number;
}

/** The fields of a withdrawal request that the policy depends on. */
export interface PolicyRequest {
  readonly user: UserId;
  /** Requesting API key; 0 without one. */
  readonly key: KeyId;
  /** Requesting session; 0 without one. */
  readonly session?: number;
  /** `second_factor` if the caller proves it in the same transaction and rejects otherwise. */
  readonly proof: WithdrawalProof;
  readonly asset: PolicyAsset;
  readonly amountAtoms: Atoms;
  readonly feeAsset: PolicyAsset;
  readonly feeAtoms: Atoms;
  /** Canonical spelling, with `:tag` if it has one. */
  readonly address: string;
  readonly network: string | null;
  /** Schema of the projected tables, for prices. */
  readonly projectionSchema: string;
  /**
   * The request's row, if it exists. Then only earlier requests count, at the prices of that time.
   */
  readonly stored?: StoredRequest;
  /** Result of address screening; `pass` if left out. */
  readonly screening?: PolicyInput['screening'];
}

interface StoredRequest {
  readonly id: number;
  readonly createdMs: number;
  readonly input: Partial<PolicyInput>;
}

/** Returns undefined if the user does not exist. Takes the family lock. */
export async function readPolicyInput(
  connection: Connection,
  request: PolicyRequest,
): Promise<PolicyInput | undefined> {
  const family = await lockFamily(connection, request.user);
  if (family === undefined) return undefined;
  const { accounts, ...account } = await readAccount(connection, family, request);
  const read: Reading = {
    connection,
    request,
    family: accounts,
    asOf: new Date(request.stored?.createdMs ?? account.nowMs),
    before: request.stored?.id ?? null,
    settings: await readPolicySettings(connection),
  };
  const limits = await readLimits(connection, account.account.verificationLevel);
  const limit = limitFor(limits, request.asset.currency);
  const sums = await readSums(read);
  const parts = {
    requested: amountOf(request.asset, request.amountAtoms),
    withinDay: sums.day,
    withinMonth: sums.month,
    toAddressWithinDay: await readToAddress(read),
    outflowWithinHour: await readOutflow(read),
    outflowWithinDay: await readOutflowOfDay(read),
    freshFunds: await readFreshFunds(read),
  };
  return {
    ...account,
    ...parts,
    fee: amountOf(request.feeAsset, request.feeAtoms),
    proof: request.proof,
    session: await readSession(read),
    coin: await readCoin(connection, request),
    network: request.network,
    address: await readAddress(read),
    limit,
    ownLimits: limits.map((row) => row.limit_currency).filter((name) => name !== ANY_CURRENCY),
    openBefore: await countOpen(read),
    ceiling: (await readCeiling(connection, request.asset.currency)) ?? null,
    countWithinHour: sums.countWithinHour,
    ...(await readFit(read)),
    ...(await readPrices(read, { nowMs: account.nowMs, limit, parts })),
    screening: request.screening ?? 'pass',
  };
}

export interface PolicyAgain {
  readonly id: number;
  readonly projectionSchema: string;
  /** The process that stored the request might have forged it, so its prices do not count. */
  readonly isForged?: boolean;
}

/**
 * Runs the policy again for a request that was already decided; only rejections count now. Returns
 * undefined if there is no such request, or if no policy applied to it. Takes the family lock, so
 * the caller must lock the request afterward.
 */
export async function runPolicyAgain(
  connection: Connection,
  { id, isForged = false, projectionSchema }: PolicyAgain,
): Promise<(PolicyDecision & { readonly input: PolicyInput }) | undefined> {
  const text = `select * from withdrawal_requests
    where id = $1 and (policy_input is not null or ${isForged})`;
  const [row] = (await connection.query(text, [id])).rows;
  if (row === undefined) return undefined;
  const input = await readPolicyInput(connection, {
    user: idOf(row.user_id),
    key: isForged ? (0 as KeyId) : idOf(row.key_id),
    session: isForged ? 0 : Number(row.session_id),
    proof: 'earlier',
    asset: { currency: row.currency, scale: Number(row.scale) },
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    feeAsset: { currency: row.fee_currency, scale: Number(row.fee_scale) },
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    address: row.address,
    network: row.network,
    projectionSchema,
    stored: { id, createdMs: row.created_at.getTime(), input: isForged ? {} : row.policy_input },
  });
  return input && { ...withdrawalPolicy(input), input };
}

/** Input of all statements. */
interface Reading {
  readonly connection: Connection;
  readonly request: PolicyRequest;
  /** IDs of all accounts in the family. */
  readonly family: readonly UserId[];
  /** End of all windows: now, or when the request was made. */
  readonly asOf: Date;
  /** Requests with this ID or a higher one do not count; null if all count. */
  readonly before: number | null;
  readonly settings: PolicySettings;
}

// Reads the clock after taking the lock, because now() is the start of the transaction.
const ACCOUNT = `
  select u.state, u.state_since > w.created_at as is_state_newer, u.kind,
    u.verification_level, ${milliseconds('u.withdrawal_blocked_until')},
    ${milliseconds('u.created_at')}, ${milliseconds('clock_timestamp()', 'now')},
    u.book_only and coalesce(u.book_only_until > clock_timestamp(), true) as book_only,
    k.book_only as key_book_only,
    k.can_withdraw and k.withdraw_granted_at is not null and k.active and not k.revoked
      and k.suspended_reason is null and k.expires_at > clock_timestamp() as is_granted,
    k.whitelisting_enabled and cardinality(k.whitelisted_ips) > 0 as has_address_list,
    array(select id from users where id = $3 or parent_id = $3) as family
  from users u left join api_keys k on k.id = $2 and k.user_id = u.id
  left join withdrawal_requests w on w.id = $4
  where u.id = $1`;

interface Account extends Pick<PolicyInput, 'nowMs' | 'account' | 'key'> {
  /** All accounts of the family. */
  readonly accounts: readonly UserId[];
}

async function readAccount(
  connection: Connection,
  { parent, user }: LockedFamily,
  { key, stored }: PolicyRequest,
): Promise<Account> {
  const values = [user, key, parent, stored?.id ?? null];
  const [row] = (await connection.query(ACCOUNT, values)).rows;
  return {
    accounts: row.family.map(idOf),
    nowMs: Number(row.now_ms),
    account: {
      state: row.state,
      isStateNewer: row.is_state_newer === true,
      kind: row.kind,
      verificationLevel: Number(row.verification_level),
      blockedUntilMs: Number(row.withdrawal_blocked_until_ms ?? 0),
      isBookOnly: row.book_only,
      createdMs: Number(row.created_at_ms),
    },
    // A missing key is not granted.
    key:
      key === 0
        ? null
        : {
            isGranted: row.is_granted === true,
            hasAddressList: row.has_address_list === true,
            isBookOnly: row.key_book_only === true,
          },
  };
}

/** Limit for every currency without its own row. */
const ANY_CURRENCY = 'default';

const LIMITS = `
  select limit_currency, currency, amount::text as amount, monthly_amount::text as monthly_amount
  from transaction_limits where tier = $1 and type = 'withdrawal' order by limit_currency`;

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them.
async function readLimits(connection: Connection, level: number): Promise<readonly any[]> {
  return (await connection.query(LIMITS, [level])).rows;
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them.
function limitFor(limits: readonly any[], currency: string): WithdrawalLimit | null {
  const own = limits.find((row) => row.limit_currency === currency);
  const row = own ?? limits.find(({ limit_currency }) => limit_currency === ANY_CURRENCY);
  if (row === undefined) return null;
  return {
    limitCurrency: row.limit_currency,
    currency: row.currency,
    amount: row.amount,
    monthlyAmount: row.monthly_amount,
  };
}

// Rolling windows. Failed withdrawals do not count, nor do transfers within a family or by an
// operator. Transfers to another user do.
const COUNTS = `w.state <> all ($1) and ($2::bigint is null or w.id < $2)
  and (w.kind <> 'transfer' or w.network = '${EMAIL_NETWORK}')`;

const SUMS = `
  select w.currency, w.scale, sum(w.amount_atoms)::text as month,
    sum(w.amount_atoms) filter (where w.created_at > $3::timestamptz - interval '24 hours')::text
      as day,
    count(*) filter (where w.created_at > $3::timestamptz - interval '1 hour') as hour_count
  from withdrawal_requests w
  where ${COUNTS} and w.user_id = any ($4) and w.created_at > $3::timestamptz - interval '1 month'
  group by w.currency, w.scale order by w.currency, w.scale`;

async function readSums({ asOf, before, connection, family }: Reading) {
  const values = [WITHDRAWALS.failedStates, before, asOf, family];
  const { rows } = await connection.query(SUMS, values);
  return {
    day: rows.filter(({ day }) => day !== null).map((row) => sumOf(row, row.day)),
    month: rows.map((row) => sumOf(row, row.month)),
    countWithinHour: rows.reduce((sum, { hour_count }) => sum + Number(hour_count), 0),
  };
}

/** Must match the condition of the index on open requests. */
const ENDED = WITHDRAWALS.statesIn('ended').map((state) => `'${state}'`);

const OPEN = `
  select count(*) as open from withdrawal_requests w
  where w.user_id = any ($1) and w.state not in (${ENDED.join(', ')})
    and w.id < $2`;

async function countOpen({ before, connection, family }: Reading): Promise<number> {
  const { rows } = await connection.query(OPEN, [family, before ?? Number.MAX_SAFE_INTEGER]);
  return Number(rows[0].open);
}

// Some networks have no parser and might ignore case, so case does not count here. A total that is
// too large causes a review; one that is too small would help a thief.
const TO_ADDRESS = `
  select w.currency, w.scale, sum(w.amount_atoms)::text as sum from withdrawal_requests w
  where ${COUNTS} and lower(w.address) = lower($4)
    and w.created_at > $3::timestamptz - interval '24 hours'
  group by w.currency, w.scale order by w.currency, w.scale`;

async function readToAddress({ asOf, before, connection, request }: Reading) {
  const values = [WITHDRAWALS.failedStates, before, asOf, request.address];
  const { rows } = await connection.query(TO_ADDRESS, values);
  return rows.map((row) => sumOf(row, row.sum));
}

// Other families' requests might be decided at the same moment, so this total is a brake, not a
// limit.
const OUTFLOW = `
  select w.currency, w.scale, sum(w.amount_atoms)::text as sum from withdrawal_requests w
  where ${COUNTS} and w.created_at > $3::timestamptz - interval '1 hour' and w.kind <> 'transfer'
  group by w.currency, w.scale order by w.currency, w.scale`;

async function readOutflow({ asOf, before, connection }: Reading) {
  const { rows } = await connection.query(OUTFLOW, [WITHDRAWALS.failedStates, before, asOf]);
  return rows.map((row) => sumOf(row, row.sum));
}

const OUTFLOW_OF_DAY = `
  select w.currency, w.scale, sum(w.amount_atoms)::text as sum from withdrawal_requests w
  where ${COUNTS} and w.created_at > $3::timestamptz - interval '24 hours' and w.kind <> 'transfer'
    and w.currency = $4
  group by w.currency, w.scale order by w.scale`;

async function readOutflowOfDay({ asOf, before, connection, request }: Reading) {
  const values = [WITHDRAWALS.failedStates, before, asOf, request.asset.currency];
  const { rows } = await connection.query(OUTFLOW_OF_DAY, values);
  return rows.map((row) => sumOf(row, row.sum));
}

// A transfer within the family brings no new funds.
const FRESH_FUNDS = `
  select d.currency, d.scale, sum(d.amount_atoms)::text as sum from deposit_requests d
  where d.user_id = any ($1) and d.state = 'completed'
    and d.updated_at > $2::timestamptz - make_interval(hours => $3::integer)
    and not (d.kind = 'transfer' and exists (
      select from withdrawal_requests w
      where w.transaction_id = d.transaction_id and w.user_id = any ($1)))
  group by d.currency, d.scale order by d.currency, d.scale`;

async function readFreshFunds({ asOf, connection, family, settings }: Reading) {
  const values = [family, asOf, settings.freshFundsHours];
  const { rows } = await connection.query(FRESH_FUNDS, values);
  return rows.map((row) => sumOf(row, row.sum));
}

/** Balance before the request: the request's own hold does not count. */
async function readFit({ asOf, connection, family, request }: Reading) {
  const { asset, projectionSchema, stored, user } = request;
  const watched = await readWithdrawalRules(connection);
  const signs = await readSigns(
    connection,
    { user, family, currency: asset.currency, asOf },
    watched,
  );
  if (stored !== undefined) {
    return { watched, signs, balanceAtoms: stored.input.balanceAtoms ?? null };
  }
  assertPlainName(projectionSchema);
  const { rows } = await connection.query(
    `select b.available_atoms from ${projectionSchema}.balances b
     join ${projectionSchema}.assets a on a.id = b.asset_id
     where b.owner = $1 and a.symbol = $2`,
    [user, asset.currency],
  );
  return { watched, signs, balanceAtoms: rows[0]?.available_atoms ?? null };
}

const LOGINS_READ = 200;

const SESSION = `
  select ${milliseconds('d.first_seen_at', 'since')}, coalesce(l.country, '') as country, array(
    select distinct country from (
      select country from logins
      where user_id = $2 and outcome = 'success' and country <> ''
        and created_at <= $3::timestamptz - make_interval(hours => $4::integer)
      order by id desc limit ${LOGINS_READ}
    ) earlier order by country
  ) as known_countries
  from sessions s left join devices d on d.id = s.device_id
  left join logins l on l.id = s.login_id
  where s.id = $1 and s.user_id = $2`;

async function readSession({ asOf, connection, request, settings }: Reading) {
  const { session = 0, user } = request;
  if (session === 0) return null;
  const values = [session, user, asOf, settings.newForHours];
  const [row] = (await connection.query(SESSION, values)).rows;
  if (row === undefined) return null;
  return {
    deviceSinceMs: row.since_ms === null ? null : Number(row.since_ms),
    country: row.country,
    knownCountries: row.known_countries,
  };
}

// The terms of a fiat coin are those of the network `fiat`, or under the coin's own name.
const COIN = `
  select c.active and c.allow_withdrawal as is_open, c.type = 'fiat' as is_fiat, c.network,
    coalesce((n.terms -> 'active')::boolean, true) as is_network_open,
    coalesce(n.terms ->> 'min', c.min::text) as min, coalesce(n.terms ->> 'max', c.max::text) as max
  from coins c cross join lateral (
    select coalesce(c.withdrawal_fees -> coalesce($2, ''),
      case when $2 = '${FIAT_NETWORK}' then c.withdrawal_fees -> c.symbol end) as terms
  ) n
  where c.symbol = $1`;

/** Networks available to every coin, because they need no chain. */
const NETWORKS_WITHOUT_CHAIN: readonly (string | null)[] = [EMAIL_NETWORK, FIAT_NETWORK];

async function readCoin(
  connection: Connection,
  { asset, network }: PolicyRequest,
): Promise<PolicyInput['coin']> {
  const [row] = (await connection.query(COIN, [asset.currency, network])).rows;
  if (row === undefined) return null;
  const networks = networksOf(row.network);
  const isListed = network === null ? networks.length === 0 : networks.includes(network);
  return {
    isOpen: row.is_open,
    isFiat: row.is_fiat,
    hasNetwork: isListed || NETWORKS_WITHOUT_CHAIN.includes(network),
    isNetworkOpen: row.is_network_open,
    min: row.min,
    max: row.max,
  };
}

// Addresses are compared as stored: in canonical spelling, with their tag. The family's own deposit
// addresses are compared without case, because some networks might ignore case.
const ADDRESS = `
  select exists (
      select from wallets where lower(address) = lower($1) and user_id = any ($2)
    ) as is_own,
    (select ${milliseconds('active_at', null)} from address_book
      where user_id = $3 and currency = $4 and network = coalesce($5, '') and removed_at is null
        and case when tag = '' then address else address || ':' || tag end = $1) as book_active_ms,
    exists (
      select from bank_accounts
      where id = $1 and user_id = $3 and status = 'verified' and removed_at is null
    ) as is_bank,
    exists (
      select from withdrawal_requests w
      where w.address = $1 and w.currency = $4 and w.user_id = any ($2) and w.state = 'completed'
        and w.created_at <= $6::timestamptz - make_interval(hours => $7::integer)
    ) as is_known`;

async function readAddress({ asOf, connection, family, request, settings }: Reading) {
  const { address, asset, network, user } = request;
  const values = [address, family, user, asset.currency, network, asOf, settings.newForHours];
  const [row] = (await connection.query(ADDRESS, values)).rows;
  return {
    // Fiat is paid only to a bank account that is currently verified.
    isValid:
      network === FIAT_NETWORK
        ? row.is_bank
        : parseDestination(network ?? asset.currency, address) !== undefined,
    isOwn: row.is_own,
    bookActiveMs: row.book_active_ms === null ? null : Number(row.book_active_ms),
    isKnown: row.is_known,
  };
}

interface Priced {
  readonly nowMs: number;
  readonly limit: WithdrawalLimit | null;
  readonly parts: Readonly<Record<string, CurrencyAmount | readonly CurrencyAmount[]>>;
}

/** A request is valued once: its stored prices count while they are in the same currency. */
async function readPrices(
  { connection, request, settings }: Reading,
  { limit, nowMs, parts }: Priced,
): Promise<Pick<PolicyInput, 'prices' | 'values' | 'settings'>> {
  const { projectionSchema, stored } = request;
  const amounts = Object.values(parts).flat() as CurrencyAmount[];
  const currencies = [...new Set(amounts.map(({ currency }) => currency))];
  const { currency } = settings;
  const pricesIn = (quote: string): Promise<Prices> =>
    conservativePrices(connection, { quote, projectionSchema, nowMs, currencies });
  const before = stored?.input;
  const values =
    before?.values !== undefined && before.settings?.currency === currency
      ? before.values
      : await pricesIn(currency);
  if (limit === null || needsNoPrice(limit)) return { prices: {}, values, settings };
  const isSameLimit =
    before?.limit && !needsNoPrice(before.limit) && before.limit.currency === limit.currency;
  const prices =
    isSameLimit && before.prices !== undefined
      ? before.prices
      : limit.currency === currency
        ? values
        : await pricesIn(limit.currency);
  return { prices, values, settings };
}

/** Unlimited, or limits one currency in its own units. */
function needsNoPrice({
  amount,
  currency,
  limitCurrency,
  monthlyAmount,
}: WithdrawalLimit): boolean {
  return limitCurrency === currency || (Number(amount) === 0 && Number(monthlyAmount) === 0);
}

function amountOf({ currency, scale }: PolicyAsset, atoms: Atoms): CurrencyAmount {
  return { currency, atoms: atoms.toString(), scale };
}

function sumOf(row: { currency: string; scale: string }, atoms: string): CurrencyAmount {
  return { currency: row.currency, atoms, scale: Number(row.scale) };
}

/** Milliseconds since 1970, named like the column with `_ms`; unnamed if the name is null. */
function milliseconds(column: string, name: string | null = column.replace(/^\w+\./, '')): string {
  const text = `(extract(epoch from ${column}) * 1000)::bigint`;
  return name === null ? text : `${text} as ${name}_ms`;
}
