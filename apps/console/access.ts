// Screens and buttons by permission: the operator routes that each one needs, by route name, and
// any additional powers. This table only hides buttons that would fail. The exchange checks the
// permission on every call.

import { type CallName, calls } from '../../client/index.ts';

/** Names of operator routes; a typo does not compile. */
export type OperatorCall = {
  [Name in CallName]: (typeof calls)[Name]['path'] extends `/v2/admin/${string}` ? Name : never;
}[CallName];

/** Returns the permission for a call as roles list it, such as `/admin/users:get`. */
export function permissionOf(call: OperatorCall): string {
  const { method, path } = calls[call];
  return `${path.slice('/v2'.length)}:${method.toLowerCase()}`;
}

export interface Operator {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  /** For example `/admin/users:get`; `*` grants every call. */
  readonly permissions: readonly string[];
  readonly powers: readonly string[];
}

export interface ScreenEntry {
  /** File name in `screens/`. */
  readonly name: ScreenName;
  readonly path: string;
  readonly group: 'now' | 'money' | 'people' | 'markets' | 'control';
  /** Calls that the screen needs, all of them. */
  readonly calls: readonly OperatorCall[];
  /**
   * Power that the screen also needs. Without it, the exchange only answers for one user at a time.
   */
  readonly power?: string;
}

export type ScreenName = (typeof SCREENS)[number]['name'];

/** In navigation order. A screen is listed once its file exists. */
export const SCREENS = [
  { name: 'overview', path: '/', group: 'now', calls: [] },
  { name: 'health', path: '/system', group: 'now', calls: ['getExchangeHealth'] },
  {
    name: 'incident',
    path: '/incident',
    group: 'now',
    calls: ['getExchangeHealth', 'setBanner'],
  },
  {
    name: 'withdrawals',
    path: '/withdrawals',
    group: 'money',
    calls: ['getWithdrawalsOfUsers'],
    power: 'pii.search',
  },
  {
    name: 'deposits',
    path: '/deposits',
    group: 'money',
    calls: ['getDepositsOfUsers'],
    power: 'pii.search',
  },
  { name: 'ledger', path: '/ledger', group: 'money', calls: ['getLedgerTotals'] },
  {
    name: 'reconciliation',
    path: '/reconciliation',
    group: 'money',
    calls: ['getReconciliation'],
  },
  { name: 'staking', path: '/staking', group: 'money', calls: ['getStakePoolsOfOperators'] },
  { name: 'people', path: '/people', group: 'people', calls: ['getUsers'] },
  {
    name: 'surveillance',
    path: '/surveillance',
    group: 'people',
    calls: ['getFindings', 'getFinding'],
  },
  {
    name: 'roles',
    path: '/roles',
    group: 'people',
    calls: ['getRoles', 'getEndpoints'],
  },
  {
    name: 'markets',
    path: '/markets',
    group: 'markets',
    calls: ['getPairs', 'getCoins'],
  },
  {
    name: 'activity',
    path: '/activity',
    group: 'markets',
    calls: ['getOrdersOfUsers', 'getTradesOfUsers'],
    power: 'pii.search',
  },
  {
    name: 'switches',
    path: '/switches',
    group: 'markets',
    calls: ['getSwitches', 'getSwitchImpact'],
  },
  { name: 'fees', path: '/fees', group: 'markets', calls: ['estimateFees'] },
  {
    name: 'setup',
    path: '/setup',
    group: 'control',
    calls: ['completeSetup', 'createCoin', 'createPair', 'changeKit', 'getTimeline'],
  },
  { name: 'settings', path: '/settings', group: 'control', calls: ['getOperatorKit'] },
  { name: 'control', path: '/control', group: 'control', calls: ['getControl'] },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'control',
    calls: ['approvals', 'approval'],
  },
  { name: 'audit', path: '/audit', group: 'control', calls: ['getAudits'] },
  {
    name: 'announcements',
    path: '/announcements',
    group: 'control',
    calls: ['listAnnouncements'],
  },
  { name: 'mails', path: '/mails', group: 'control', calls: ['getMailTypes', 'getMailText'] },
  { name: 'reports', path: '/reports', group: 'control', calls: ['getExports'] },
] as const;

export interface ActEntry {
  readonly call: OperatorCall;
  readonly power?: string;
}

/** Buttons, each with its call and any power that the exchange requires for it. */
export const ACTS = {
  search: { call: 'search' },
  readHealth: { call: 'getExchangeHealth' },
  readAudit: { call: 'getAudits' },
  readFees: { call: 'estimateFees' },
  readWithdrawals: { call: 'getWithdrawalsOfUsers' },
  readControl: { call: 'getControl' },
  readGrants: { call: 'getKeyGrants' },
  changeMode: { call: 'changeControlMode' },
  cancelSolo: { call: 'changeControlMode', power: 'approve.config' },
  changeThresholds: { call: 'changeThresholds' },
  grantKey: { call: 'changeKeyGrant' },
  changeKit: { call: 'changeKit' },
  readPolicy: { call: 'getWithdrawalPolicy' },
  setPolicy: { call: 'setWithdrawalPolicy' },
  setReferral: { call: 'setReferralProgram' },
  readFrozen: { call: 'getFrozen' },
  dismissProcess: { call: 'dismissProcess' },
  approveWithdrawal: { call: 'reviewWithdrawal', power: 'approve.money' },
  settleWithdrawal: { call: 'reviewWithdrawal' },
  holdUser: { call: 'blockWithdrawals' },
  vote: { call: 'voteOnApproval' },
  takeBack: { call: 'withdrawApproval' },
  stop: { call: 'stopSwitch', power: 'switch.stop' },
  resume: { call: 'resumeSwitch', power: 'switch.resume' },
  setBanner: { call: 'setBanner' },
  removeBanner: { call: 'removeBanner' },
  listCoin: { call: 'createCoin' },
  changeCoin: { call: 'changeCoin' },
  listPair: { call: 'createPair' },
  changePair: { call: 'changePair' },
  setBand: { call: 'setBand' },
  voidCommand: { call: 'voidCommand' },
  setFees: { call: 'setPairFees' },
  addTier: { call: 'createTier' },
  changeTier: { call: 'changeTier' },
  readLimits: { call: 'getTransactionLimits' },
  setLimit: { call: 'setTransactionLimit' },
  settleFees: { call: 'settleFees' },
  readTimeline: { call: 'getTimeline' },
  readBalances: { call: 'getBalanceOfUser' },
  readOrders: { call: 'getOrdersOfUsers' },
  readDeposits: { call: 'getDepositsOfUsers' },
  readSessions: { call: 'getSessionsOfUsers' },
  readLogins: { call: 'getLoginsOfUsers' },
  readWallets: { call: 'getWalletsOfUsers' },
  readReveals: { call: 'getReveals' },
  readCoins: { call: 'getCoins' },
  readTotals: { call: 'getTotalBalance' },
  readAccounts: { call: 'getLedgerBalances' },
  readPostings: { call: 'getLedgerPostings' },
  readLedger: { call: 'getLedgerTotals' },
  readChain: { call: 'verifyAudits' },
  readOperators: { call: 'getOperators' },
  readStakers: { call: 'getStakers' },
  readRules: { call: 'getSurveillanceRules' },
  freezeUser: { call: 'activateUser' },
  flagUser: { call: 'flagUser' },
  writeNote: { call: 'setUserNote' },
  setLevel: { call: 'upgradeUser' },
  verifyEmail: { call: 'verifyEmailOfUser' },
  resetFactors: { call: 'resetFactors' },
  setDiscount: { call: 'setUserDiscount' },
  setRole: { call: 'setUserRole' },
  deleteUser: { call: 'deleteUser' },
  restoreUser: { call: 'restoreUser' },
  reveal: { call: 'revealUser', power: 'break_glass' },
  judgeReveal: { call: 'reviewReveal', power: 'approve.access' },
  endSession: { call: 'revokeSessionOfUser' },
  verifyBank: { call: 'verifyBankAccount' },
  revokeBank: { call: 'revokeBankAccount' },
  cancelOrder: { call: 'cancelOrderOfUser' },
  credit: { call: 'creditDeposit' },
  reviewDeposit: { call: 'reviewDeposit' },
  declareHolding: { call: 'declareHolding' },
  createPool: { call: 'createStakePool' },
  changePool: { call: 'changeStakePool' },
  endPool: { call: 'terminateStakePool' },
  addRole: { call: 'createRole' },
  changeRole: { call: 'changeRole' },
  removeRole: { call: 'removeRole' },
  changeMail: { call: 'changeMailText' },
  announce: { call: 'createAnnouncement' },
  changeAnnouncement: { call: 'changeAnnouncement' },
  removeAnnouncement: { call: 'removeAnnouncement' },
  workFinding: { call: 'changeFinding' },
  setRule: { call: 'setSurveillanceRule' },
  tryRule: { call: 'trySurveillanceRule' },
} as const satisfies Readonly<Record<string, ActEntry>>;

export type ActName = keyof typeof ACTS;

const EVERYTHING = '*';

export function mayCall(
  { permissions }: Pick<Operator, 'permissions'>,
  call: OperatorCall,
): boolean {
  return permissions.includes(EVERYTHING) || permissions.includes(permissionOf(call));
}

export function may(operator: Pick<Operator, 'permissions' | 'powers'>, act: ActName): boolean {
  const { call, power }: ActEntry = ACTS[act];
  return mayCall(operator, call) && (power === undefined || operator.powers.includes(power));
}

/** Returns whether the operator can export the full list of a call. */
export function mayExport(
  operator: Pick<Operator, 'permissions' | 'powers'>,
  call: OperatorCall,
): boolean {
  return mayCall(operator, call) && operator.powers.includes('export');
}

/** Returns the screens that the operator's role can open, including those without a file. */
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
  /** A regular user, or an operator without a role in this session. */
  | { readonly kind: 'no-role'; readonly email: string; readonly hasFactor: boolean }
  /** An operator without a second factor, who cannot open the console. */
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

/** Expects `undefined` while the user is loading, and `null` without a session. */
export function standingOf(
  user: KnownUser | null | undefined,
  passkeys: number | undefined,
): Standing {
  if (user === undefined) return { kind: 'unknown' };
  if (user === null) return { kind: 'signed-out' };
  const { email, id, otp_enabled: hasApp, permissions = [], powers = [], role = '' } = user;
  if (permissions.length === 0) {
    if (!hasApp && passkeys === undefined) return { kind: 'unknown' };
    return { kind: 'no-role', email, hasFactor: hasApp || passkeys !== 0 };
  }
  if (!hasApp) {
    if (passkeys === undefined) return { kind: 'unknown' };
    if (passkeys === 0) return { kind: 'no-factor', email };
  }
  return { kind: 'in', operator: { id, email, role, permissions, powers } };
}
