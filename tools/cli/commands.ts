// The table of commands that call the administrator's API. Options follow from the schema of the
// route, so a new field of a route is an option at once.

import type { routes } from '../../protocol/index.ts';

export type RouteName = keyof typeof routes;

export interface ApiCommand {
  readonly route: RouteName;
  readonly does: string;
  /** Fields of the route that are given without their names, in this order. */
  readonly words?: readonly string[];
  /** Fields that the command sets itself. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The columns of the table; without them, every field of one object. */
  readonly columns?: readonly string[];
  /** After the words of the command. */
  readonly example?: string;
  /** Asks for this field to be typed again. */
  readonly danger?: string;
  /** Shows what it would touch first. */
  readonly impact?: RouteName;
}

export const API_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  'setup show': { route: 'getControl', does: 'the mode of control and the thresholds' },
  'setup admin': {
    route: 'signUpAdministrator',
    does: 'create the first administrator, with the token that a server printed',
    words: ['email'],
    example: 'ada@example.com --token-file FILE --password-file FILE',
  },
  'setup complete': { route: 'completeSetup', does: 'mark the set-up as completed' },
  'coin list': {
    route: 'getCoins',
    does: 'all coins',
    columns: ['symbol', 'fullname', 'increment_unit', 'active', 'issuance_cap'],
  },
  'coin add': {
    route: 'createCoin',
    does: 'list a coin',
    words: ['symbol'],
    example: 'eth --fullname Ether --issuance-cap 100000',
  },
  'coin change': {
    route: 'changeCoin',
    does: 'change a coin',
    words: ['code'],
    example: 'eth --fullname Ether',
  },
  'pair list': {
    route: 'getPairs',
    does: 'all pairs',
    columns: ['name', 'status', 'increment_price', 'increment_size', 'estimated_price', 'active'],
  },
  'pair add': {
    route: 'createPair',
    does: 'list a pair',
    words: ['name'],
    example: 'eth-usdt --estimated-price 3000',
  },
  'pair change': { route: 'changePair', does: 'change a pair', words: ['code'] },
  'pair band': { route: 'setBand', does: 'set the price band of a pair', words: ['symbol'] },
  'fees set': { route: 'setPairFees', does: 'set the fees of a pair', words: ['pair'] },
  'fees network': { route: 'getNetworkFees', does: 'the fees that the exchange earned' },
  'market list': {
    route: 'getPairs',
    does: 'the status of every market',
    columns: ['name', 'status', 'estimated_price'],
  },
  'market frozen': { route: 'getFrozen', does: 'frozen markets and channels' },
  'user list': {
    route: 'getUsers',
    does: 'users',
    columns: ['id', 'email', 'verification_level', 'activated', 'role', 'created_at'],
    example: '--limit 20',
  },
  'user create': { route: 'createUser', does: 'create a user', words: ['email'] },
  'user balance': {
    route: 'getBalanceOfUser',
    does: 'the balances of a user',
    words: ['user_id'],
    example: '17',
  },
  'user freeze': {
    route: 'activateUser',
    does: 'freeze a user',
    words: ['user_id'],
    fixed: { activated: false },
    danger: 'user_id',
    example: '17',
  },
  'user unfreeze': {
    route: 'activateUser',
    does: 'open a frozen user again',
    words: ['user_id'],
    fixed: { activated: true },
  },
  'role list': { route: 'getRoles', does: 'all roles', columns: ['role_name', 'description'] },
  'role set': {
    route: 'setUserRole',
    does: 'give a user a role',
    words: ['user_id', 'role'],
    danger: 'role',
    example: '17 support --otp-code 123456',
  },
  'deposit list': {
    route: 'getDepositsOfUsers',
    does: 'deposits of all users',
    columns: ['id', 'user_id', 'currency', 'amount', 'status', 'transaction_id', 'created_at'],
  },
  'deposit credit': {
    route: 'creditDeposit',
    does: 'credit a deposit that was made outside',
    words: ['user_id', 'currency', 'amount'],
    danger: 'amount',
    example: '17 btc 0.5 --transaction-id TX --network btc',
  },
  'withdrawal list': {
    route: 'getWithdrawalsOfUsers',
    does: 'withdrawals of all users',
    columns: ['id', 'user_id', 'currency', 'amount', 'status', 'transaction_id', 'created_at'],
  },
  'withdrawal review': {
    route: 'reviewWithdrawal',
    does: 'approve, claim, complete, dismiss or reject a withdrawal',
    words: ['transaction_id'],
    danger: 'transaction_id',
    example: 'TX --waiting false --otp-code 123456',
  },
  'approval list': {
    route: 'approvals',
    does: 'acts that wait for another person',
    columns: ['id', 'state', 'act', 'object', 'created_at'],
  },
  'approval show': { route: 'approval', does: 'one act, with its hash', words: ['id'] },
  'approval vote': {
    route: 'voteOnApproval',
    does: 'approve or reject the act of another operator',
    words: ['id', 'vote'],
    danger: 'id',
    example: '7 approve --payload-hash HASH --otp-code 123456',
  },
  'approval withdraw': { route: 'withdrawApproval', does: 'take your act back', words: ['id'] },
  'switch list': {
    route: 'getSwitches',
    does: 'everything that a switch stopped',
    columns: ['name', 'object', 'mode', 'reason', 'stopped_at'],
  },
  'switch impact': {
    route: 'getSwitchImpact',
    does: 'the orders, users and money that a switch would touch',
    words: ['name'],
    example: 'trading --symbol btc-usdt',
  },
  'switch stop': {
    route: 'stopSwitch',
    does: 'stop a part of the exchange, at once',
    words: ['name'],
    danger: 'name',
    impact: 'getSwitchImpact',
    example: 'trading --symbol btc-usdt --reason "wrong prices"',
  },
  'switch resume': {
    route: 'resumeSwitch',
    does: 'resume what a switch stopped',
    words: ['name'],
    danger: 'name',
    impact: 'getSwitchImpact',
  },
};

export interface LocalCommand {
  readonly does: string;
  readonly example?: string;
}

/** Commands with code of their own, in the order of the help. */
export const LOCAL_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  status: { does: 'is the exchange well: alarms, leader, processes, queues', example: '--json' },
  doctor: {
    does: 'check this machine, its configuration files and its servers',
    example: '--env rialto.env',
  },
  init: { does: 'write the configuration of one machine into an empty folder', example: './etc' },
  version: { does: 'the version and commit of this command; status has those of all processes' },
  completion: { does: 'the completion for bash or zsh', example: 'bash' },
  login: { does: 'log in as an operator, for acts in person', example: 'ada@example.com' },
  'tail orders': { does: 'orders of all users as they come', example: '--symbol btc-usdt' },
  'tail trades': { does: 'trades of all users as they come' },
  'tail audit': { does: 'acts of operators as they come' },
};

/** Older tools that are commands too: they work on the database, or on files. */
export const TOOLS: Readonly<Record<string, { readonly does: string; readonly main: string }>> = {
  key: { does: 'API keys, invitations and the keys of the vault', main: '../keys/main.ts' },
  operate: { does: 'addresses, policy, ceilings and the audit', main: '../operate/main.ts' },
  migrate: { does: 'create and update the schemas and roles', main: '../migrate/main.ts' },
  replay: { does: 'questions about an archived log', main: '../replay/main.ts' },
  restore: { does: 'rebuild a lost log from the archive', main: '../restore/main.ts' },
  agents: {
    does: 'a simulated market of agents: its facts and its chart',
    main: '../agents/main.ts',
  },
  services: { does: 'NATS and PostgreSQL on this machine', main: '../services/main.ts' },
};
