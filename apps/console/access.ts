// Which screens and acts an operator has: the calls that each needs, and the powers beyond them. A
// test compares every call with those of the API and the default roles with this table. The
// exchange decides again with every call: this table only keeps dead buttons off the page.

export interface Operator {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  /** As `/admin/users:get`; `*` is everything. */
  readonly permissions: readonly string[];
  readonly powers: readonly string[];
}

export interface ScreenEntry {
  /** Of its file in `screens/`. */
  readonly name: ScreenName;
  readonly path: string;
  readonly group: 'now' | 'money' | 'people' | 'markets' | 'control';
  /** All of them are needed to open it. */
  readonly calls: readonly string[];
  /** Needed besides: without it the exchange answers about one user at a time. */
  readonly power?: string;
}

export type ScreenName = (typeof SCREENS)[number]['name'];

/** In the order of the navigation. A screen is offered as soon as its file exists. */
export const SCREENS = [
  { name: 'overview', path: '/', group: 'now', calls: [] },
  { name: 'health', path: '/system', group: 'now', calls: ['/admin/health:get'] },
  {
    name: 'incident',
    path: '/incident',
    group: 'now',
    calls: ['/admin/health:get', '/admin/banner:put'],
  },
  {
    name: 'withdrawals',
    path: '/withdrawals',
    group: 'money',
    calls: ['/admin/withdrawals:get'],
    power: 'pii.search',
  },
  {
    name: 'deposits',
    path: '/deposits',
    group: 'money',
    calls: ['/admin/deposits:get'],
    power: 'pii.search',
  },
  { name: 'ledger', path: '/ledger', group: 'money', calls: ['/admin/ledger/totals:get'] },
  {
    name: 'reconciliation',
    path: '/reconciliation',
    group: 'money',
    calls: ['/admin/reconciliation:get'],
  },
  { name: 'staking', path: '/staking', group: 'money', calls: ['/admin/stakes:get'] },
  { name: 'people', path: '/people', group: 'people', calls: ['/admin/users:get'] },
  {
    name: 'surveillance',
    path: '/surveillance',
    group: 'people',
    calls: ['/admin/findings:get', '/admin/finding:get'],
  },
  {
    name: 'roles',
    path: '/roles',
    group: 'people',
    calls: ['/admin/role:get', '/admin/endpoints:get'],
  },
  {
    name: 'markets',
    path: '/markets',
    group: 'markets',
    calls: ['/admin/pairs:get', '/admin/coins:get'],
  },
  {
    name: 'switches',
    path: '/switches',
    group: 'markets',
    calls: ['/admin/switches:get', '/admin/switches/impact:get'],
  },
  { name: 'fees', path: '/fees', group: 'markets', calls: ['/admin/fees/effect:post'] },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'control',
    calls: ['/admin/approvals:get', '/admin/approval:get'],
  },
  { name: 'audit', path: '/audit', group: 'control', calls: ['/admin/audits:get'] },
  {
    name: 'announcements',
    path: '/announcements',
    group: 'control',
    calls: ['/admin/announcements:get'],
  },
  { name: 'reports', path: '/reports', group: 'control', calls: ['/admin/exports:get'] },
] as const;

export interface ActEntry {
  readonly call: string;
  readonly power?: string;
}

/** The buttons: the call behind each, and the power that the exchange asks for besides. */
export const ACTS = {
  search: { call: '/admin/search:get' },
  readHealth: { call: '/admin/health:get' },
  readAudit: { call: '/admin/audits:get' },
  readFees: { call: '/admin/fees/effect:post' },
  readWithdrawals: { call: '/admin/withdrawals:get' },
  readControl: { call: '/admin/control:get' },
  readFrozen: { call: '/admin/frozen:get' },
  dismissProcess: { call: '/admin/process:delete' },
  approveWithdrawal: { call: '/admin/burn:put', power: 'approve.money' },
  settleWithdrawal: { call: '/admin/burn:put' },
  holdUser: { call: '/admin/user/disable-withdrawal:post' },
  vote: { call: '/admin/approval/vote:post' },
  takeBack: { call: '/admin/approval:delete' },
  stop: { call: '/admin/switches/stop:post', power: 'switch.stop' },
  resume: { call: '/admin/switches/resume:post', power: 'switch.resume' },
  setBanner: { call: '/admin/banner:put' },
  removeBanner: { call: '/admin/banner:delete' },
  listCoin: { call: '/admin/coin:post' },
  changeCoin: { call: '/admin/coin:put' },
  listPair: { call: '/admin/pair:post' },
  changePair: { call: '/admin/pair:put' },
  setBand: { call: '/admin/pair/band:put' },
  voidCommand: { call: '/admin/void-command:post' },
  setFees: { call: '/admin/pair/fees:put' },
  addTier: { call: '/admin/tier:post' },
  settleFees: { call: '/admin/fees/settle:get' },
  readTimeline: { call: '/admin/user/timeline:get' },
  readBalances: { call: '/admin/user/balance:get' },
  readOrders: { call: '/admin/orders:get' },
  readDeposits: { call: '/admin/deposits:get' },
  readSessions: { call: '/admin/user/sessions:get' },
  readLogins: { call: '/admin/logins:get' },
  readWallets: { call: '/admin/user/wallet:get' },
  readReveals: { call: '/admin/reveals:get' },
  readCoins: { call: '/admin/coins:get' },
  readTotals: { call: '/admin/balance:get' },
  readAccounts: { call: '/admin/ledger/balances:get' },
  readPostings: { call: '/admin/ledger/postings:get' },
  readLedger: { call: '/admin/ledger/totals:get' },
  readChain: { call: '/admin/audits/verify:get' },
  readOperators: { call: '/admin/operators:get' },
  readStakers: { call: '/admin/stakers:get' },
  readRules: { call: '/admin/surveillance/rules:get' },
  freezeUser: { call: '/admin/user/activate:post' },
  flagUser: { call: '/admin/flag-user:post' },
  writeNote: { call: '/admin/user/note:put' },
  setLevel: { call: '/admin/upgrade-user:post' },
  verifyEmail: { call: '/admin/verify-email:post' },
  resetFactors: { call: '/admin/deactivate-otp:post' },
  setDiscount: { call: '/admin/user/discount:put' },
  setRole: { call: '/admin/user/role:put' },
  deleteUser: { call: '/admin/user:delete' },
  restoreUser: { call: '/admin/user/restore:post' },
  reveal: { call: '/admin/reveal:post', power: 'break_glass' },
  judgeReveal: { call: '/admin/reveal:put', power: 'approve.access' },
  endSession: { call: '/admin/user/revoke-session:post' },
  verifyBank: { call: '/admin/bank/verify:post' },
  revokeBank: { call: '/admin/bank/revoke:post' },
  cancelOrder: { call: '/admin/order:delete' },
  credit: { call: '/admin/mint:post' },
  reviewDeposit: { call: '/admin/mint:put' },
  declareHolding: { call: '/admin/holding:put' },
  createPool: { call: '/admin/stake:post' },
  changePool: { call: '/admin/stake:put' },
  endPool: { call: '/admin/stake:delete' },
  changeRole: { call: '/admin/role:put' },
  announce: { call: '/admin/announcements:post' },
  changeAnnouncement: { call: '/admin/announcements:put' },
  removeAnnouncement: { call: '/admin/announcements:delete' },
  workFinding: { call: '/admin/finding:put' },
  setRule: { call: '/admin/surveillance/rules:put' },
  tryRule: { call: '/admin/surveillance/try:post' },
} as const satisfies Readonly<Record<string, ActEntry>>;

export type ActName = keyof typeof ACTS;

const EVERYTHING = '*';

export function mayCall({ permissions }: Pick<Operator, 'permissions'>, call: string): boolean {
  return permissions.includes(EVERYTHING) || permissions.includes(call);
}

export function may(operator: Pick<Operator, 'permissions' | 'powers'>, act: ActName): boolean {
  const { call, power }: ActEntry = ACTS[act];
  return mayCall(operator, call) && (power === undefined || operator.powers.includes(power));
}

/** Whether the operator may take the whole list of a call as a file. */
export function mayExport(
  operator: Pick<Operator, 'permissions' | 'powers'>,
  call: string,
): boolean {
  return mayCall(operator, call) && operator.powers.includes('export');
}

/** The screens of a role, whether their files exist or not. */
export function screensOf(
  operator: Pick<Operator, 'permissions' | 'powers'>,
): readonly ScreenEntry[] {
  return SCREENS.filter(
    ({ calls, power }: ScreenEntry) =>
      calls.every((call) => mayCall(operator, call)) &&
      (power === undefined || operator.powers.includes(power)),
  );
}

export type Standing =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-out' }
  /** An ordinary user, or an operator whom the exchange gave no role in this session. */
  | { readonly kind: 'no-role'; readonly email: string }
  /** An operator without a second factor: the console stays shut. */
  | { readonly kind: 'no-factor'; readonly email: string }
  | { readonly kind: 'in'; readonly operator: Operator };

interface KnownUser {
  readonly id: number;
  readonly email: string;
  readonly otp_enabled: boolean;
  readonly permissions?: readonly string[];
  readonly role?: string;
  readonly powers?: readonly string[];
}

/** Undefined: not known yet. Null: no session. */
export function standingOf(
  user: KnownUser | null | undefined,
  passkeys: number | undefined,
): Standing {
  if (user === undefined) return { kind: 'unknown' };
  if (user === null) return { kind: 'signed-out' };
  const { email, id, otp_enabled: hasApp, permissions = [], powers = [], role = '' } = user;
  if (permissions.length === 0) return { kind: 'no-role', email };
  if (!hasApp) {
    if (passkeys === undefined) return { kind: 'unknown' };
    if (passkeys === 0) return { kind: 'no-factor', email };
  }
  return { kind: 'in', operator: { id, email, role, permissions, powers } };
}
