// Commands that call the operator API. Options come from the route schema, so a new route field
// becomes an option without further code.

import type { routes } from '../../protocol/index.ts';

export type RouteName = keyof typeof routes;

export interface ApiCommand {
  readonly route: RouteName;
  readonly does: string;
  /** Route fields that are given without their names, in this order. */
  readonly words?: readonly string[];
  /** Fields that the command sets itself. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Columns of the table; without them, every field of one object. */
  readonly columns?: readonly string[];
  /** Arguments after the command's words. */
  readonly example?: string;
  /** The operator must retype this field. */
  readonly danger?: string;
  /** Shows the impact first. */
  readonly impact?: RouteName;
}

export const API_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  'setup show': { route: 'getControl', does: 'show control mode and approval thresholds' },
  'setup admin': {
    route: 'signUpAdministrator',
    does: 'create the first administrator with the setup token',
    words: ['email'],
    example: 'ada@example.com --token-file FILE --password-file FILE',
  },
  'setup mode': {
    route: 'changeControlMode',
    does: 'choose the control mode: solo or team',
    words: ['mode'],
    example: 'solo',
  },
  'setup complete': { route: 'completeSetup', does: 'mark setup as complete' },
  'setup settings': {
    route: 'changeKit',
    does: 'change exchange settings, for example its name and links',
    example: `--kit '{"title":"Acme","links":{"support":"https://help.example"}}'`,
  },
  'setup mail': {
    route: 'sendMail',
    does: 'send a test email to a user',
    words: ['user_id'],
    fixed: { mail_type: 'welcome', data: {} },
    example: '1',
  },
  'coin list': {
    route: 'getCoins',
    does: 'list coins',
    columns: ['symbol', 'fullname', 'increment_unit', 'active', 'issuance_cap'],
  },
  'coin add': {
    route: 'createCoin',
    does: 'add a coin',
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
    does: 'list pairs',
    columns: ['name', 'status', 'increment_price', 'increment_size', 'estimated_price', 'active'],
  },
  'pair add': {
    route: 'createPair',
    does: 'add a pair',
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
    does: "set a pair's price band",
    words: ['code'],
    example: 'eth-usdt --band 10',
  },
  'fees set': {
    route: 'setPairFees',
    does: "set a pair's fees (percent, by tier)",
    words: ['pair'],
    example: `eth-usdt --fees '{"1":{"maker":0.1,"taker":0.2}}'`,
  },
  'fees network': { route: 'getNetworkFees', does: 'list withdrawal fees collected' },
  'market list': {
    route: 'getPairs',
    does: 'list markets with their status',
    columns: ['name', 'status', 'estimated_price'],
  },
  'market frozen': { route: 'getFrozen', does: 'list frozen markets and channels' },
  'user list': {
    route: 'getUsers',
    does: 'list users',
    columns: ['id', 'email', 'verification_level', 'activated', 'role', 'created_at'],
    example: '--limit 20',
  },
  'user create': {
    route: 'createUser',
    does: 'create a user with a verified email',
    words: ['email'],
    example: 'dana@example.com --password-file FILE',
  },
  'user balance': {
    route: 'getBalanceOfUser',
    does: "show a user's balances",
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
    does: 'unfreeze a user',
    words: ['user_id'],
    fixed: { activated: true },
    example: '17',
  },
  'announcement list': {
    route: 'listAnnouncements',
    does: 'list all announcements, including past and scheduled ones',
    columns: ['id', 'title', 'type', 'start_date', 'end_date', 'created_at'],
  },
  'announcement create': {
    route: 'createAnnouncement',
    does: 'create an announcement (HTML; unsafe markup is removed)',
    words: ['title'],
    example: '"Maintenance on Sunday" --message "<p>From 8 to 9.</p>"',
  },
  'announcement remove': {
    route: 'removeAnnouncement',
    does: 'remove an announcement',
    words: ['id'],
    example: '3',
  },
  'role list': { route: 'getRoles', does: 'list roles', columns: ['role_name', 'description'] },
  'role set': {
    route: 'setUserRole',
    does: 'assign a role to a user',
    words: ['user_id', 'role'],
    danger: 'role',
    example: '17 support --otp-code 123456',
  },
  'deposit list': {
    route: 'getDepositsOfUsers',
    does: 'list deposits of all users',
    columns: ['id', 'user_id', 'currency', 'amount', 'status', 'transaction_id', 'created_at'],
  },
  'deposit credit': {
    route: 'creditDeposit',
    does: 'credit an external deposit',
    words: ['user_id', 'currency', 'amount'],
    danger: 'amount',
    example: '17 btc 0.5 --transaction-id TX --network btc',
  },
  'withdrawal list': {
    route: 'getWithdrawalsOfUsers',
    does: 'list withdrawals of all users',
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
    does: 'list pending approvals',
    columns: ['id', 'state', 'act', 'object', 'created_at'],
  },
  'approval show': {
    route: 'approval',
    does: 'show a request and its payload hash',
    words: ['id'],
    example: '7',
  },
  'approval vote': {
    route: 'voteOnApproval',
    does: "approve or reject another operator's request",
    words: ['id', 'vote'],
    danger: 'id',
    example: '7 approve --payload-hash HASH --otp-code 123456',
  },
  'approval withdraw': {
    route: 'withdrawApproval',
    does: 'withdraw your request',
    words: ['id'],
    example: '7',
  },
  'switch list': {
    route: 'getSwitches',
    does: 'list active stops',
    columns: ['name', 'object', 'mode', 'reason', 'stopped_at'],
  },
  'switch impact': {
    route: 'getSwitchImpact',
    does: 'preview the orders, users and funds a switch would affect',
    words: ['name'],
    example: 'trading --symbol btc-usdt',
  },
  'switch stop': {
    route: 'stopSwitch',
    does: 'stop part of the exchange immediately',
    words: ['name'],
    danger: 'name',
    impact: 'getSwitchImpact',
    example: 'trading --symbol btc-usdt --reason "wrong prices"',
  },
  'switch resume': {
    route: 'resumeSwitch',
    does: 'resume a stopped part of the exchange',
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

/** Commands with their own code, in help order. */
export const LOCAL_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  status: { does: 'show exchange health: alarms, leader, processes, queues', example: '--json' },
  doctor: {
    does: 'check this machine, its configuration and its servers',
    example: '--env rialto.env',
  },
  init: {
    does: 'generate settings, keys and certificates for one or three machines',
    example:
      './exchange --public-url https://exchange.example.com ' +
      '--machines m1=10.0.0.1,m2=10.0.0.2,m3=10.0.0.3',
  },
  'cert renew': {
    does: "renew a machine's server certificates with new keys",
    example: './exchange/m1 --authority ./exchange/offline',
  },
  version: { does: 'print version and commit (for running processes, see status)' },
  completion: { does: 'print shell completion for bash or zsh', example: 'bash' },
  login: {
    does: 'log in as an operator, for commands that need a session',
    example: 'ada@example.com',
  },
  'tail orders': { does: 'stream orders of all users', example: '--symbol btc-usdt' },
  'tail trades': { does: 'stream trades of all users' },
  'tail audit': { does: 'stream operator actions' },
};

export interface ToolCommand {
  readonly does: string;
  readonly main: string;
  /** Subcommands; `--help` of the tool explains their options. */
  readonly commands: Readonly<Record<string, string>>;
}

/** Commands for this machine's database or for files; each has `--help`. */
export const TOOLS: Readonly<Record<string, ToolCommand>> = {
  key: {
    does: 'manage API keys, invitations and encryption keys',
    main: '../keys/main.ts',
    commands: {
      create: 'create an API key (the secret is printed once)',
      list: "list a user's keys",
      revoke: 'revoke a key',
      'user create': 'create a user, optionally with a role (for bootstrapping)',
      'user unfreeze': 'unfreeze an account',
      'user erase': 'permanently erase a closed account',
      invite: 'create a sign-up invitation',
      'sign-up': 'open or close sign-up, or require invitations',
      'session create': 'create a login session (development only)',
      'rotate status': 'list key-encryption keys and how many values each one encrypts',
      'rotate add': 'add a key-encryption key',
      'rotate activate': 'encrypt new values with this key',
      'rotate rewrap': 're-encrypt all values with the active key',
      'rotate retire': 'retire an unused key-encryption key',
    },
  },
  operate: {
    does: 'manage addresses, policy, ceilings, referrals, support and audit',
    main: '../operate/main.ts',
    commands: {
      'address add': 'add a deposit address',
      'address list': 'list recent addresses and how many are unused',
      'address owner': 'find the user behind a tag',
      'address remove': 'stop assigning an address',
      'audit verify': 'verify all entries, signatures and anchors, optionally against the archive',
      'audit note': 'print the latest signed head',
      'audit key': 'print the public key of signed heads',
      'audit list': 'list recent entries',
      'ceiling list': 'list per-asset limits for unreviewed withdrawals',
      'ceiling set': "set an asset's limits for unreviewed withdrawals",
      'policy list': 'list withdrawal policy thresholds',
      'policy set': 'change a withdrawal policy threshold',
      'bank list': "list a user's bank accounts",
      'bank pending': 'list bank accounts pending verification',
      'payment list': "list a user's payment details",
      'payment pending': 'list payment details pending verification',
      'payment verify': 'confirm that payment details belong to the user',
      'payment reject': 'reject payment details',
      'support list': 'list recent support messages',
      'referral on': 'start or change the referral program',
      'referral off': 'stop the referral program (earnings are kept)',
    },
  },
  custody: {
    does: 'create, sign and check the custody file, and open custody of a network',
    main: '../custody/main.ts',
    commands: {
      ceremony: "create 24 words, approvers' keys and a draft (offline computer)",
      sign: "add an approver's signature to the file",
      check: "verify a signed file, and print a user's addresses",
      open: 'open custody of a network (cannot be undone)',
      status: "print each network's blocks and queues",
    },
  },
  migrate: {
    does: 'create, update and rebuild database schemas and roles',
    main: '../migrate/main.ts',
    commands: {
      up: 'apply all migrations',
      roles: 'create a login role for each service',
      rebuild: 'rebuild the projected tables from the entire log, then switch to them',
      checksum: 'print a checksum of every projected table',
      describe: 'print the projected schema',
    },
  },
  replay: {
    does: 'inspect an archived log',
    main: '../replay/main.ts',
    commands: {
      verify: 'check every file, link and frame, then replay and compare hashes',
      balance: 'show the balance of an account and its postings',
      order: 'show the full history of an order',
      diff: 'show changes between two points in time',
    },
  },
  proof: {
    does: 'publish what the exchange owes, and verify proofs of it',
    main: '../proof/main.ts',
    commands: {
      publish: 'build, sign and store a publication of the newest verified snapshot',
      export: 'write publications as files for mirrors, or secrets for an auditor',
      verify: "verify a user's proof file, without a network",
    },
  },
  books: {
    does: 'export general ledger, trial balance, orders and trades of a period',
    main: '../books/main.ts',
    commands: { export: 'write the files of a period, if they balance' },
  },
  audit: {
    does: 'reproduce publications of the exchange from its archive',
    main: '../audit/main.ts',
    commands: { liabilities: 'replay an archive and reproduce the roots and totals' },
  },
  backup: {
    does: 'create and check encrypted backups (registry, log, configuration)',
    main: '../backup/main.ts',
    commands: {
      create: 'create a backup and record it',
      list: 'list backups at a location',
      verify: 'read and check every file in a backup',
      prune: 'remove all but the most recent backups',
      report: 'record a successful restore test',
    },
  },
  restore: {
    does: 'restore an exchange to empty servers from a backup or archive',
    main: '../restore/main.ts',
    commands: {
      run: 'verify a backup, restore log and registry, then reconcile them',
      log: 'rebuild a lost log from the archive',
      reconcile: 'bring an older registry up to date with the log and list open decisions',
      decide: 'record a decision on a finding from reconcile',
    },
  },
  upgrade: {
    does: 'preview what a new release will change',
    main: '../upgrade/main.ts',
    commands: { check: 'check migrations, layouts, rules, snapshots, settings and rollback' },
  },
  'create-log': {
    does: 'create the log of a new exchange (once)',
    main: '../create-log/main.ts',
    commands: {},
  },
  'move-log': {
    does: 'move an old log to new streams',
    main: '../move-log/main.ts',
    commands: {},
  },
  mail: {
    does: 'preview the emails that the exchange sends',
    main: '../mail/main.ts',
    commands: { preview: 'render one or all emails with sample values' },
  },
  agents: {
    does: 'simulate a market with agents: statistics and charts',
    main: '../agents/main.ts',
    commands: {
      facts: 'print stylized facts of the market with their expected ranges',
      chart: 'draw five-minute candles',
    },
  },
  services: {
    does: 'run NATS and PostgreSQL on this machine',
    main: '../services/main.ts',
    commands: {
      start: 'start the servers',
      stop: 'stop the servers (data is kept)',
      status: 'list the servers and their URLs',
      install: 'download the servers if they are missing',
      identities: 'create a key for each service and the NATS users',
    },
  },
};
