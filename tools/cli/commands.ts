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
  'setup mode': {
    route: 'changeControlMode',
    does: 'choose the control mode, solo or team',
    words: ['mode'],
    example: 'solo',
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
    example:
      'eth-usdt --pair-base eth --pair-2 usdt --increment-size 0.001 --increment-price 0.01 ' +
      '--max-size 10000 --max-price 100000 --estimated-price 3000',
  },
  'pair change': {
    route: 'changePair',
    does: 'change a pair',
    words: ['code'],
    example: 'eth-usdt --status full',
  },
  'pair band': {
    route: 'setBand',
    does: 'set the price band of a pair',
    words: ['code'],
    example: 'eth-usdt --band 10',
  },
  'fees set': {
    route: 'setPairFees',
    does: 'set the fees of a pair, in percent by tier',
    words: ['pair'],
    example: `eth-usdt --fees '{"1":{"maker":0.1,"taker":0.2}}'`,
  },
  'fees network': { route: 'getNetworkFees', does: 'the fees of completed withdrawals' },
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
  'user create': {
    route: 'createUser',
    does: 'create a user with a verified address',
    words: ['email'],
    example: 'dana@example.com --password-file FILE',
  },
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
    example: '17',
  },
  'announcement list': {
    route: 'listAnnouncements',
    does: 'all announcements, also past and future ones',
    columns: ['id', 'title', 'type', 'start_date', 'end_date', 'created_at'],
  },
  'announcement create': {
    route: 'createAnnouncement',
    does: 'write an announcement; the message is HTML, of which unsafe parts are removed',
    words: ['title'],
    example: '"Maintenance on Sunday" --message "<p>From 8 to 9.</p>"',
  },
  'announcement remove': {
    route: 'removeAnnouncement',
    does: 'remove an announcement',
    words: ['id'],
    example: '3',
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
  'approval show': {
    route: 'approval',
    does: 'one act, with its hash',
    words: ['id'],
    example: '7',
  },
  'approval vote': {
    route: 'voteOnApproval',
    does: 'approve or reject the act of another operator',
    words: ['id', 'vote'],
    danger: 'id',
    example: '7 approve --payload-hash HASH --otp-code 123456',
  },
  'approval withdraw': {
    route: 'withdrawApproval',
    does: 'take your act back',
    words: ['id'],
    example: '7',
  },
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
    example: 'trading --symbol btc-usdt',
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
  init: {
    does: 'write settings, keys and certificates of one machine or of three into a new folder',
    example:
      './exchange --public-url https://exchange.example.com ' +
      '--machines m1=10.0.0.1,m2=10.0.0.2,m3=10.0.0.3',
  },
  'cert renew': {
    does: 'sign the server certificates of a machine again, with new keys',
    example: './exchange/m1 --authority ./exchange/offline',
  },
  version: { does: 'the version and commit of this command; status has those of all processes' },
  completion: { does: 'the completion for bash or zsh', example: 'bash' },
  login: { does: 'log in as an operator, for acts in person', example: 'ada@example.com' },
  'tail orders': { does: 'orders of all users as they come', example: '--symbol btc-usdt' },
  'tail trades': { does: 'trades of all users as they come' },
  'tail audit': { does: 'acts of operators as they come' },
};

export interface ToolCommand {
  readonly does: string;
  readonly main: string;
  /** Its commands, as its own help explains them. */
  readonly commands: Readonly<Record<string, string>>;
}

/** Commands on the database of this machine, or on files; each answers `--help`. */
export const TOOLS: Readonly<Record<string, ToolCommand>> = {
  key: {
    does: 'API keys, invitations and the keys of the vault',
    main: '../keys/main.ts',
    commands: {
      create: 'create an API key; its secret is printed once',
      list: 'the keys of a user',
      revoke: 'revoke a key',
      'user create': 'create a user, also with a role: before there is an administrator',
      'user unfreeze': 'open a frozen account again',
      'user erase': 'erase a closed user for good',
      invite: 'create an invitation to sign up',
      'sign-up': 'open or close sign-up, or ask for invitations',
      'session create': 'a login session, in development',
      'rotate status': 'the key-encryption keys, and the number of values that each one seals',
      'rotate add': 'add a key-encryption key',
      'rotate activate': 'seal with this key from now on',
      'rotate rewrap': 'move every sealed value to the active key',
      'rotate retire': 'retire a key that seals nothing any more',
    },
  },
  operate: {
    does: 'addresses, policy, ceilings, referral, support and the audit',
    main: '../operate/main.ts',
    commands: {
      'address add': 'an address for users to deposit to',
      'address list': 'the newest addresses, and how many are free',
      'address owner': 'the user whose deposits have a tag',
      'address remove': 'nobody gets the address any more',
      'audit verify': 'verify every entry, signature and anchor, also against the archive',
      'audit note': 'the newest signed head of the audit',
      'audit key': 'the public key of the notes',
      'audit list': 'the newest entries',
      'ceiling list': 'the most of each asset that leaves without reviews',
      'ceiling set': 'set the ceilings of an asset',
      'policy list': 'the thresholds of the withdrawal policy',
      'policy set': 'change a threshold',
      'bank list': 'the bank accounts of a user',
      'bank pending': 'bank accounts that wait for verification',
      'payment list': 'the payment details of a user',
      'payment pending': 'payment details that wait for verification',
      'payment verify': 'payment details are the own ones of the user',
      'payment reject': 'payment details are not',
      'support list': 'the newest support messages',
      'referral on': 'start the referral programme, or change it',
      'referral off': 'stop it',
    },
  },
  migrate: {
    does: 'create, update and rebuild the schemas and roles',
    main: '../migrate/main.ts',
    commands: {
      up: 'apply all migrations',
      roles: 'create a login role for each service',
      rebuild: 'project the whole log into a fresh schema and switch to it',
      checksum: 'a checksum of every projected table',
      describe: 'the projected schema',
    },
  },
  replay: {
    does: 'questions about an archived log',
    main: '../replay/main.ts',
    commands: {
      verify: 'check every file, link and frame; replay all and compare the hashes',
      balance: 'the balance of an account and the postings behind it',
      order: 'the whole life of an order',
      diff: 'the changes between two moments',
    },
  },
  backup: {
    does: 'encrypted backups of registry, log and configuration',
    main: '../backup/main.ts',
    commands: {
      create: 'take a backup and report it',
      list: 'the backups of a place',
      verify: 'read and check every file of a backup',
      prune: 'remove all but the newest backups',
      report: 'report that a backup was restored and compared',
    },
  },
  restore: {
    does: 'an exchange on empty servers, from a backup or an archive',
    main: '../restore/main.ts',
    commands: {
      run: 'verify a backup, restore log and registry, and reconcile them',
      log: 'rebuild a lost log from the archive',
      reconcile: 'rebuild what a registry lacks from the log, and list what must be decided',
      decide: 'record the decision about a finding of reconcile',
    },
  },
  upgrade: {
    does: 'the effect of a new release, before it is installed',
    main: '../upgrade/main.ts',
    commands: { check: 'migrations, layouts, rules, snapshots, settings and the way back' },
  },
  'create-log': {
    does: 'create the log of a new exchange, once',
    main: '../create-log/main.ts',
    commands: {},
  },
  'move-log': {
    does: 'move an old log to new streams',
    main: '../move-log/main.ts',
    commands: {},
  },
  mail: {
    does: 'previews of the mails that the exchange sends',
    main: '../mail/main.ts',
    commands: { preview: 'one mail or all of them, with example values' },
  },
  agents: {
    does: 'a simulated market of agents: its facts and its chart',
    main: '../agents/main.ts',
    commands: {
      facts: 'the stylised facts of the market, with their bands',
      chart: 'five-minute candles as a picture',
    },
  },
  services: {
    does: 'NATS and PostgreSQL on this machine',
    main: '../services/main.ts',
    commands: {
      start: 'start the servers',
      stop: 'stop the servers; their data are kept',
      status: 'the servers and their URLs',
      install: 'download the servers if they are missing',
      identities: 'write a key for each service, and the users of NATS',
    },
  },
};
