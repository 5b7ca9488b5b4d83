// PostgreSQL rights of every service, as data: each table in both schemas has a row, each role a
// column. apply-grants.ts writes them; a test compares them with a migrated database.

/** Services with a login role; each has the name of its identity. */
export const DATABASE_ROLES = [
  /** Includes `gateway-identity`, which has a separate login role. */
  'gateway-http',
  /** Includes `gateway-ws-admin`, except for row rules. */
  'gateway-websocket',
  /** HTTP gateways that serve operators. */
  'gateway-admin',
  'outbox-dispatcher',
  'notifier',
  'reconciler',
  'monitor',
  /** Follows chains and credits deposits; off without a custody file. */
  'chain-watcher',
  /** Writes all projected tables and no others. Functions create their partitions. */
  'projector',
] as const;

export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** PostgreSQL's own letters: r select, a insert (append), w update, d delete. */
export type Rights = '' | 'a' | 'r' | 'ra' | 'rd' | 'rw' | 'rad' | 'raw' | 'rwd' | 'rawd';

/** In the order of DATABASE_ROLES, without the projector. */
export type TableRow = readonly [Rights, Rights, Rights, Rights, Rights, Rights, Rights, Rights];

/** Columns of the tables below. The projector has no rights in the registry. */
export const ROW_ROLES = DATABASE_ROLES.slice(0, 8);

/**
 * Column rights are in COLUMN_GRANTS, and row rules in row-rules.ts. No role inserts into the
 * outbox or transfer_changes directly; schema functions do.
 */
// biome-ignore format: a table
export const REGISTRY_GRANTS = {
  //                            http    websock admin   dispat. notif.  recon.  monitor watcher
  address_book:               ['raw',  '',     'rawd', 'r',    'rd',   '',     '',     ''],
  affiliations:               ['ra',   '',     'ra',   '',     'r',    '',     '',     ''],
  alarms:                     ['',     '',     'rw',   '',     '',     '',     'raw',  ''],
  announcements:              ['r',    '',     'raw',  '',     '',     '',     '',     ''],
  api_keys:                   ['raw',  'r',    'raw',  'r',    'r',    '',     '',     ''],
  approval_keys:              ['',     '',     'raw',  '',     'rd',   '',     '',     ''],
  approval_requests:          ['',     '',     'raw',  'r',    'r',    '',     'r',    ''],
  approval_votes:             ['',     '',     'ra',   'r',    'r',    '',     '',     ''],
  audit_checkpoints:          ['',     '',     'ra',   '',     'ra',   'ra',   '',     ''],
  audit_entries:              ['',     '',     'r',    'r',    'r',    'r',    '',     ''],
  audit_head:                 ['',     '',     'rw',   '',     'rw',   'rw',   '',     ''],
  audit_keys:                 ['',     '',     'ra',   '',     'ra',   'ra',   '',     ''],
  backups:                    ['',     '',     'raw',  '',     '',     '',     'r',    ''],
  bank_accounts:              ['ra',   '',     'raw',  'r',    'rd',   '',     '',     ''],
  channels:                   ['',     '',     'r',    'r',    'r',    'r',    '',     ''],
  closed_days:                ['raw',  '',     'raw',  '',     '',     '',     '',     ''],
  closing_balances:           ['ra',   '',     'ra',   '',     '',     '',     '',     ''],
  codes:                      ['rawd', '',     'rawd', '',     'rd',   '',     '',     ''],
  coins:                      ['r',    'r',    'raw',  'r',    'r',    'rw',   '',     'r'],
  custody_addresses:          ['ra',   '',     'ra',   'r',    '',     'r',    '',     'r'],
  custody_blocks:             ['',     '',     'r',    '',     '',     '',     '',     'rad'],
  custody_coins:              ['',     '',     'r',    '',     '',     'r',    '',     'raw'],
  custody_credits:            ['',     '',     '',     'rad',  '',     '',     '',     ''],
  custody_deposits:           ['r',    '',     'rw',   'r',    '',     'r',    'r',    'raw'],
  custody_networks:           ['r',    '',     'raw',  'r',    '',     'r',    'r',    'rw'],
  custody_spends:             ['',     '',     'r',    '',     '',     'r',    '',     'ra'],
  data_lookups:               ['',     '',     'ra',   '',     'rd',   '',     '',     ''],
  declared_holdings:          ['',     '',     'raw',  '',     '',     'r',    '',     ''],
  deposit_requests:           ['r',    '',     'raw',  'r',    'r',    'r',    '',     'r'],
  devices:                    ['rawd', '',     'rawd', 'r',    'rd',   '',     '',     ''],
  direct_trades:              ['',     '',     'ra',   '',     '',     '',     '',     ''],
  engine_commands:            ['',     '',     'r',    'r',    'r',    'r',    'r',    ''],
  engine_user_settings:       ['raw',  '',     'raw',  'raw',  'raw',  'r',    '',     ''],
  exchange_banner:            ['r',    'r',    'rawd', 'r',    'r',    '',     '',     ''],
  exchange_control:           ['r',    'r',    'rw',   'r',    'r',    'r',    '',     ''],
  exports:                    ['',     '',     'raw',  '',     'r',    '',     '',     ''],
  fee_day_users:              ['',     '',     'r',    '',     'ra',   '',     '',     ''],
  fee_days:                   ['',     '',     'r',    '',     'raw',  '',     '',     ''],
  fee_days_closed:            ['',     '',     'r',    '',     'raw',  '',     '',     ''],
  fee_users:                  ['',     '',     'r',    '',     'raw',  '',     '',     ''],
  finding_evidence:           ['',     '',     'r',    '',     'rawd', '',     '',     ''],
  findings:                   ['',     '',     'rw',   'r',    'rawd', '',     '',     ''],
  invitations:                ['r',    '',     'raw',  '',     'rd',   '',     '',     ''],
  key_encryption_keys:        ['r',    'r',    'ra',   '',     'r',    'r',    '',     ''],
  key_grants:                 ['',     '',     'rawd', '',     '',     '',     '',     ''],
  kit:                        ['r',    'r',    'raw',  'r',    'r',    '',     '',     ''],
  ledger_accounts:            ['',     '',     'r',    '',     'raw',  '',     '',     ''],
  ledger_checkpoints:         ['r',    '',     'r',    '',     'ra',   '',     '',     ''],
  ledger_steps:               ['',     '',     'r',    '',     'raw',  '',     '',     ''],
  ledger_totals:              ['',     '',     'r',    '',     'ra',   '',     '',     ''],
  liability_blocks:           ['r',    '',     'r',    '',     '',     '',     '',     ''],
  liability_keys:             ['',     '',     '',     '',     '',     '',     '',     ''],
  liability_publications:     ['r',    '',     'r',    '',     '',     '',     '',     ''],
  liability_records:          ['r',    '',     'r',    '',     '',     '',     '',     ''],
  log_ranges:                 ['',     '',     '',     '',     '',     'raw',  '',     ''],
  log_record:                 ['',     '',     '',     '',     '',     'raw',  '',     ''],
  logged_commands:            ['',     '',     '',     '',     '',     'ra',   '',     ''],
  login_throttles:            ['rawd', '',     'rawd', '',     'rd',   '',     '',     ''],
  logins:                     ['ra',   '',     'ra',   'r',    'r',    '',     '',     ''],
  lost_commands:              ['',     '',     '',     'r',    'r',    '',     '',     ''],
  mail_outbox:                ['a',    '',     'ra',   '',     'rawd', 'ra',   'r',    ''],
  mail_texts:                 ['',     '',     'rawd', '',     'r',    '',     '',     ''],
  manual_addresses:           ['r',    '',     'raw',  '',     'r',    'r',    '',     ''],
  migrations:                 ['r',    'r',    'r',    'r',    'r',    'r',    'r',    'r'],
  operator_movements:         ['',     '',     'raw',  '',     '',     '',     '',     ''],
  outbox:                     ['r',    '',     'r',    'r',    'r',    'r',    'r',    ''],
  pairs:                      ['r',    'r',    'raw',  'r',    'r',    '',     '',     ''],
  passkeys:                   ['raw',  '',     'raw',  '',     'rd',   '',     '',     ''],
  passwords:                  ['raw',  '',     'raw',  '',     'rd',   '',     '',     ''],
  past_prices:                ['r',    '',     'ra',   'r',    'r',    '',     '',     ''],
  payment_details:            ['rawd', '',     'rawd', '',     'rd',   '',     '',     ''],
  personal_data:              ['raw',  '',     'raw',  '',     'rawd', '',     '',     ''],
  personal_exports:           ['',     '',     'raw',  '',     '',     '',     '',     ''],
  personal_keys:              ['raw',  '',     'raw',  '',     'rawd', '',     '',     ''],
  personal_tokens:            ['rad',  '',     'rad',  '',     'rad',  '',     '',     ''],
  processes:                  ['',     '',     'rwd',  '',     '',     '',     'rawd', ''],
  quick_trade:                ['r',    'r',    'raw',  '',     '',     '',     '',     ''],
  reconciliation_checks:      ['',     '',     'r',    '',     '',     'raw',  'r',    ''],
  reconciliation_differences: ['',     '',     'rw',   '',     '',     'raw',  'r',    ''],
  recovery_codes:             ['rawd', '',     'rawd', '',     'rd',   '',     '',     ''],
  referral_accruals:          ['r',    '',     'r',    '',     'ra',   '',     '',     ''],
  referral_batches:           ['r',    '',     'r',    '',     'raw',  '',     '',     ''],
  referral_codes:             ['ra',   '',     'raw',  '',     'r',    '',     '',     ''],
  referral_payouts:           ['ra',   '',     'ra',   'r',    'r',    'r',    '',     ''],
  referral_progress:          ['ra',   '',     'raw',  '',     'raw',  '',     '',     ''],
  referral_totals:            ['r',    '',     'r',    'r',    'raw',  '',     '',     ''],
  registry_term:              ['',     '',     'r',    'raw',  '',     'r',    'r',    ''],
  reveals:                    ['',     '',     'raw',  '',     'r',    '',     '',     ''],
  roles:                      ['r',    'r',    'rawd', 'r',    'r',    '',     '',     ''],
  security_changes:           ['r',    '',     'r',    'r',    'r',    '',     '',     ''],
  session_ends:               ['r',    'r',    'rw',   'r',    'r',    '',     '',     'r'],
  sessions:                   ['raw',  'r',    'raw',  'r',    'rd',   '',     '',     ''],
  setup_tokens:               ['',     '',     'rawd', '',     '',     '',     '',     ''],
  shared_accounts:            ['rawd', 'r',    'rawd', '',     'rd',   '',     '',     ''],
  spent_challenges:           ['ra',   '',     'ra',   '',     'rd',   '',     '',     ''],
  stake_accruals:             ['r',    '',     'r',    'r',    'ra',   '',     '',     ''],
  stake_changes:              ['',     '',     '',     'rw',   'r',    '',     '',     ''],
  stake_movements:            ['r',    '',     'raw',  'rw',   'raw',  'r',    '',     ''],
  stake_pool_days:            ['r',    '',     'r',    'r',    'raw',  '',     '',     ''],
  stake_pool_rates:           ['r',    '',     'raw',  'r',    'r',    '',     '',     ''],
  stake_pools:                ['r',    '',     'raw',  'rw',   'rw',   '',     '',     ''],
  stakes:                     ['r',    '',     'raw',  'rw',   'rw',   'r',    '',     ''],
  stopped_accounts:           ['',     '',     'rawd', '',     '',     '',     '',     ''],
  stops:                      ['r',    'r',    'rawd', 'r',    'r',    'raw',  '',     'r'],
  sub_accounts:               ['raw',  'r',    'raw',  '',     'rd',   '',     '',     ''],
  support_messages:           ['ra',   '',     'ra',   '',     'rd',   '',     '',     ''],
  surveillance_rules:         ['r',    '',     'rw',   'r',    'r',    '',     '',     ''],
  switch_version:             ['r',    'r',    'r',    'r',    'r',    'r',    'r',    'r'],
  tiers:                      ['r',    'r',    'raw',  'r',    'r',    '',     '',     ''],
  totp_secrets:               ['rawd', '',     'rawd', '',     'rd',   '',     '',     ''],
  traded_days:                ['ra',   '',     'ra',   '',     '',     '',     '',     ''],
  transaction_limits:         ['r',    'r',    'rawd', 'r',    'r',    '',     '',     ''],
  transfer_changes:           ['r',    '',     'r',    'r',    'r',    'r',    'r',    'r'],
  users:                      ['r',    'r',    'raw',  'r',    'rd',   'r',    '',     'r'],
  wallets:                    ['raw',  '',     'raw',  'r',    'r',    'r',    '',     ''],
  withdrawal_ceilings:        ['r',    '',     'rawd', 'r',    '',     '',     '',     ''],
  withdrawal_policy_settings: ['r',    'r',    'raw',  'r',    'r',    '',     '',     ''],
  withdrawal_requests:        ['r',    '',     'raw',  'r',    'r',    'r',    'r',    ''],
} as const satisfies Readonly<Record<string, TableRow>>;

// biome-ignore format: a table
export const PROJECTION_GRANTS = {
  //                            http    websock admin   dispat. notif.  recon.  monitor watcher
  assets:                     ['r',    'r',    'r',    'r',    'r',    'r',    'r',    'r'],
  audit_anchors:              ['',     '',     'r',    '',     'r',    '',     '',     ''],
  balances:                   ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  candles:                    ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  dead_man_switches:          ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  deposits:                   ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  fills:                      ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  freezes:                    ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  ledger_entries:             ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  limits:                     ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  market_fees:                ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  markets:                    ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  migrations:                 ['r',    'r',    'r',    'r',    'r',    'r',    'r',    'r'],
  minutes:                    ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  orders:                     ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  prevented_orders:           ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  projection:                 ['r',    'r',    'r',    'r',    'r',    'r',    'r',    'r'],
  trades:                     ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  user_fee_changes:           ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  user_fees:                  ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  user_groups:                ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
  withdrawals:                ['r',    'r',    'r',    'r',    'r',    'r',    'r',    ''],
} as const satisfies Readonly<Record<string, TableRow>>;

/** A right to some columns of a table. */
export interface ColumnGrant {
  readonly table: keyof typeof REGISTRY_GRANTS;
  readonly role: DatabaseRole;
  readonly right: 'select' | 'insert' | 'update';
  readonly columns: readonly string[];
}

const MOVED = ['state', 'transaction_id', 'updated_at', 'command', 'refusal'] as const;
/** Without written_by and written_in, which PostgreSQL sets. */
const COMMAND = ['id', 'kind', 'schema_version', 'record', 'follows'] as const;
const AUDIT_ENTRY = [
  'seq',
  'at',
  'actor_id',
  'credential',
  'address',
  'act',
  'object',
  'subject_id',
  'before',
  'after',
  'sealed',
  'approval_id',
  'commands',
  'prev',
  'hash',
  'mac',
] as const;
const SETTLED = ['state', 'refusal', 'frame', 'command_number', 'settled_at'] as const;
const REQUEST = [
  'kind',
  'user_id',
  'asset_id',
  'currency',
  'scale',
  'amount_atoms',
  'fee_atoms',
  'address',
  'network',
  'transaction_id',
  'state',
  'description',
  'with_mail',
] as const;

// A row lock (`for share`) needs the right to update a column.
export const COLUMN_GRANTS: readonly ColumnGrant[] = [
  // The address, amount, reviews and age of a request never change.
  {
    table: 'withdrawal_requests',
    role: 'gateway-http',
    right: 'insert',
    columns: [
      ...REQUEST,
      'fee_asset_id',
      'fee_currency',
      'fee_scale',
      'signature_hash',
      'key_id',
      'session_id',
      'expires_at',
      'policy_input',
      'policy_lines',
      'reviews_needed',
      'bank_sealed',
    ],
  },
  {
    table: 'withdrawal_requests',
    role: 'gateway-http',
    right: 'update',
    columns: [...MOVED, 'expires_at', 'actor_id', 'session_id'],
  },
  {
    table: 'deposit_requests',
    role: 'gateway-http',
    right: 'insert',
    columns: [...REQUEST, 'cause'],
  },
  {
    table: 'deposit_requests',
    role: 'gateway-http',
    right: 'update',
    columns: [...MOVED, 'processing', 'waiting'],
  },
  {
    table: 'deposit_requests',
    role: 'chain-watcher',
    right: 'insert',
    columns: [...REQUEST, 'cause'],
  },
  ...updatesOf('chain-watcher', [
    // A credit for a transaction known only from the log gets its cause, network and address.
    [
      'deposit_requests',
      [...MOVED, 'processing', 'waiting', 'amount_atoms', 'cause', 'network', 'address'],
    ],
    // For locks.
    ['users', ['updated_at']],
  ]),
  {
    table: 'stakes',
    role: 'gateway-http',
    right: 'insert',
    columns: [
      'pool_id',
      'user_id',
      'principal_atoms',
      'nav_atoms',
      'duration_days',
      'early_unstake',
      'principal_slash_ppm',
      'reward_slash_ppm',
      'created_at',
      'updated_at',
    ],
  },
  {
    table: 'stakes',
    role: 'gateway-http',
    right: 'update',
    columns: ['state', 'is_early', 'unstaked_at', 'updated_at', 'end_day'],
  },
  {
    table: 'stake_movements',
    role: 'gateway-http',
    right: 'insert',
    columns: [
      'pool_id',
      'stake_id',
      'kind',
      'day',
      'sender_id',
      'receiver_id',
      'asset_id',
      'amount_atoms',
      'channel',
      'sequence',
    ],
  },
  // The trigger keep_team allows a change to solo only when it is due.
  {
    table: 'exchange_control',
    role: 'notifier',
    right: 'update',
    columns: ['mode', 'updated_at'],
  },
  // For locks: the values of these columns do not matter.
  { table: 'referral_progress', role: 'gateway-http', right: 'update', columns: ['is_only'] },
  { table: 'stake_pools', role: 'gateway-http', right: 'update', columns: ['updated_at'] },
  { table: 'coins', role: 'gateway-http', right: 'update', columns: ['updated_at'] },
  {
    table: 'users',
    role: 'gateway-http',
    right: 'insert',
    columns: [
      'email',
      'username',
      'affiliation_code',
      'kind',
      'parent_id',
      'verification_level',
      'settings',
      'role',
      'state',
    ],
  },
  {
    table: 'users',
    role: 'gateway-http',
    right: 'update',
    columns: [
      'email',
      'username',
      'has_chosen_username',
      'settings',
      'discount',
      'state',
      'state_since',
      'security_version',
      'withdrawal_blocked_until',
      'block_reason',
      'book_only',
      'book_only_until',
      'updated_at',
    ],
  },
  { table: 'bank_accounts', role: 'gateway-http', right: 'update', columns: ['removed_at'] },
  { table: 'referral_codes', role: 'gateway-http', right: 'update', columns: ['uses'] },
  { table: 'invitations', role: 'gateway-http', right: 'update', columns: ['used_by'] },
  { table: 'manual_addresses', role: 'gateway-http', right: 'update', columns: ['assigned_to'] },
  // Not the sealed text, which contains other users' codes.
  {
    table: 'mail_outbox',
    role: 'gateway-http',
    right: 'select',
    columns: [
      'id',
      'user_id',
      'kind',
      'recipient_mac',
      'requested_from',
      'dedupe_key',
      'state',
      'created_at',
    ],
  },
  // Users see when their data was accessed, but not by whom.
  {
    table: 'reveals',
    role: 'gateway-http',
    right: 'select',
    columns: ['id', 'subject_id', 'created_at', 'fields'],
  },
  { table: 'api_keys', role: 'gateway-websocket', right: 'update', columns: ['last_used_at'] },
  { table: 'sessions', role: 'gateway-websocket', right: 'update', columns: ['last_seen_at'] },
  // A writer must not choose the transaction of an entry or the writer of a command.
  ...(['gateway-admin', 'notifier', 'reconciler'] as const).map(
    (role): ColumnGrant => ({
      table: 'audit_entries',
      role,
      right: 'insert',
      columns: AUDIT_ENTRY,
    }),
  ),
  ...(['gateway-admin', 'notifier'] as const).map(
    (role): ColumnGrant => ({ table: 'engine_commands', role, right: 'insert', columns: COMMAND }),
  ),
  ...updatesOf('outbox-dispatcher', [
    ['deposit_requests', ['state', 'refusal', 'command', 'updated_at', 'processing', 'waiting']],
    ['engine_commands', [...SETTLED, 'attempted_at', 'listed', 'voided']],
    [
      'outbox',
      [
        ...SETTLED,
        'sent_after_frame',
        // Columns of a voided row.
        'voided',
        'voided_record',
        'record',
        'kind',
        'schema_version',
        'withdrawal_request',
        'deposit_request',
      ],
    ],
    ['transfer_changes', ['published_at']],
    // A deposit reopens an account.
    ['users', ['state', 'state_since', 'updated_at']],
    ['withdrawal_requests', ['state', 'refusal', 'command', 'updated_at', 'reviews_needed']],
  ]),
  ...updatesOf('notifier', [
    ['approval_requests', ['state', 'ended_at']],
    ['exports', ['state', 'ended_at']],
    ['surveillance_rules', ['checked_to']],
    ['transfer_changes', ['mailed_at']],
    ['withdrawal_requests', MOVED],
    // The other columns are for erasing an account; row-rules.ts limits them.
    [
      'users',
      [
        'state',
        'state_since',
        'updated_at',
        'email',
        'username',
        'has_chosen_username',
        'settings',
        'meta',
        'note',
        'block_reason',
        'security_version',
      ],
    ],
    ['api_keys', ['revoked', 'active', 'name', 'whitelisted_ips']],
    ['sessions', ['revoked_at', 'ip', 'user_agent']],
    ['logins', ['ip', 'country', 'user_agent', 'email_mac']],
    ['invitations', ['email']],
    ['reveals', ['reason', 'ticket', 'comment']],
  ]),
];

type UpdatedColumns = readonly [table: ColumnGrant['table'], columns: readonly string[]];

function updatesOf(role: DatabaseRole, updates: readonly UpdatedColumns[]): ColumnGrant[] {
  return updates.map(([table, columns]) => ({ table, role, right: 'update', columns }));
}

/** Functions that run with the owner's rights, and the roles that can call them. */
export const FUNCTION_GRANTS = {
  'append_to_outbox(bigint, text, bigint, bytea, bigint, bigint)': [
    'gateway-http',
    'gateway-admin',
    'outbox-dispatcher',
    'notifier',
    'chain-watcher',
  ],
  'cut_requests_of_closed(bigint)': ['notifier'],
  'drop_old_logins(date, bigint)': ['notifier'],
  'make_login_partition(date)': ['notifier'],
} as const satisfies Readonly<Record<string, readonly DatabaseRole[]>>;
