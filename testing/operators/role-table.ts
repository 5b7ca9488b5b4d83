// The calls of each default role, by area. The migrations must make exactly these roles, and a new
// call of operators must be assigned here, or be left to the administrator.

export const ROLES = [
  'supervisor',
  'manager',
  'support',
  'kyc',
  'communicator',
  'announcer',
  'auditor',
] as const;
export type DefaultRole = (typeof ROLES)[number];

interface Area {
  readonly area: string;
  readonly roles: readonly DefaultRole[];
  /** As `path:method`. */
  readonly calls: readonly string[];
}

export const AREAS: readonly Area[] = [
  {
    area: 'the exchange',
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'auditor'],
    calls: ['/admin/exchange:get', '/admin/kit:get'],
  },
  {
    area: 'own requests for approval',
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'announcer', 'auditor'],
    calls: ['/admin/approvals:get', '/admin/approval:get', '/admin/approval:delete'],
  },
  { area: 'votes', roles: ['supervisor'], calls: ['/admin/approval/vote:post'] },
  {
    area: 'users, masked; search and timeline show what the role may read',
    roles: ['supervisor', 'manager', 'support', 'kyc', 'auditor'],
    calls: [
      '/admin/users:get',
      '/admin/logins:get',
      '/admin/search:get',
      '/admin/user/timeline:get',
    ],
  },
  {
    area: 'break glass, and its review by another person',
    roles: ['supervisor'],
    calls: ['/admin/reveal:post', '/admin/reveal:put'],
  },
  {
    area: 'revealed data, reading',
    roles: ['supervisor', 'auditor'],
    calls: ['/admin/reveals:get'],
  },
  {
    area: 'sessions and control of the exchange, reading',
    roles: ['supervisor', 'manager', 'auditor'],
    calls: ['/admin/user/sessions:get', '/admin/control:get'],
  },
  {
    area: 'profile, documents, bank accounts, level',
    roles: ['supervisor', 'kyc'],
    calls: [
      '/admin/user:put',
      '/admin/user/meta:put',
      '/admin/user/bank:post',
      '/admin/bank/verify:post',
      '/admin/bank/revoke:post',
      '/admin/upgrade-user:post',
      '/admin/verify-email:post',
      '/admin/user/payment-details:post',
      '/admin/user/payment-details:put',
      '/admin/user/payment-details:delete',
    ],
  },
  {
    area: 'payment details, reading',
    roles: ['supervisor', 'kyc', 'auditor'],
    calls: ['/admin/user/payment-details:get'],
  },
  {
    area: 'note, flag',
    roles: ['supervisor', 'manager', 'support', 'kyc'],
    calls: ['/admin/user/note:put', '/admin/flag-user:post'],
  },
  {
    area: 'activate, freeze, sessions',
    roles: ['supervisor', 'manager'],
    calls: [
      '/admin/user/activate:post',
      '/admin/user/revoke-session:post',
      '/admin/user/disable-withdrawal:post',
    ],
  },
  {
    area: 'second factor, e-mail address; always with approval',
    roles: ['supervisor', 'support'],
    calls: ['/admin/deactivate-otp:post', '/admin/user/email:put'],
  },
  {
    area: 'orders, trades and money of users, reading',
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    calls: [
      '/admin/orders:get',
      '/admin/trades:get',
      '/admin/deposits:get',
      '/admin/withdrawals:get',
      '/admin/user/balance:get',
      '/admin/user/wallet:get',
      '/admin/user/balance-history:get',
      '/admin/user/trading-volume:get',
      '/admin/user/referer:get',
      '/admin/user/affiliation:get',
      '/admin/user/referral/code:get',
      '/admin/check-transaction:get',
    ],
  },
  {
    area: 'money of the whole exchange, reading',
    roles: ['supervisor', 'manager', 'auditor'],
    calls: [
      '/admin/balance:get',
      '/admin/balances:get',
      '/admin/ledger/totals:get',
      '/admin/ledger/balances:get',
      '/admin/ledger/postings:get',
    ],
  },
  { area: 'cancel an order', roles: ['supervisor', 'manager'], calls: ['/admin/order:delete'] },
  {
    area: 'money acts; the manager only requests them',
    roles: ['manager'],
    calls: [
      '/admin/mint:post',
      '/admin/burn:post',
      '/admin/transfer:post',
      '/admin/trade:post',
      '/admin/withdrawal:post',
    ],
  },
  {
    area: 'review of deposits and withdrawals',
    roles: ['supervisor'],
    calls: ['/admin/mint:put', '/admin/burn:put'],
  },
  {
    area: 'coins, markets, fees, limits, tiers, reading',
    roles: ['manager', 'auditor'],
    calls: [
      '/admin/coins:get',
      '/admin/pairs:get',
      '/admin/fees:get',
      '/admin/fees/effect:post',
      '/admin/transaction/limit:get',
      '/admin/limits:get',
    ],
  },
  {
    area: 'coins, markets, fees, limits, tiers; always with approval',
    roles: ['manager'],
    calls: [
      '/admin/coin:post',
      '/admin/coin:put',
      '/admin/pair:post',
      '/admin/pair:put',
      '/admin/pair/fees:put',
      '/admin/pair/band:put',
      '/admin/tier:post',
      '/admin/tier:put',
      '/admin/transaction/limit:put',
      '/admin/transaction/limit:delete',
      '/admin/quicktrade/config:put',
      '/admin/limits:put',
      '/admin/fees/settle:get',
    ],
  },
  {
    area: 'switches and frozen markets, reading',
    roles: ['supervisor', 'manager', 'auditor'],
    calls: ['/admin/switches:get', '/admin/switches/impact:get', '/admin/frozen:get'],
  },
  {
    area: 'reconciliation, reading',
    roles: ['supervisor', 'manager', 'auditor'],
    calls: ['/admin/reconciliation:get'],
  },
  {
    area: 'health, reading',
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    calls: ['/admin/health:get'],
  },
  {
    area: 'processes that will not return',
    roles: ['supervisor', 'manager'],
    calls: ['/admin/process:delete'],
  },
  {
    area: 'surveillance, reading',
    roles: ['supervisor', 'manager', 'kyc', 'auditor'],
    calls: ['/admin/findings:get', '/admin/finding:get', '/admin/surveillance/rules:get'],
  },
  { area: 'findings', roles: ['supervisor', 'kyc'], calls: ['/admin/finding:put'] },
  {
    area: 'rules of surveillance; an approval for those that find less',
    roles: ['supervisor'],
    calls: ['/admin/surveillance/rules:put'],
  },
  {
    area: 'trials of surveillance',
    roles: ['supervisor', 'auditor'],
    calls: ['/admin/surveillance/try:post'],
  },
  {
    area: 'stop',
    roles: ['supervisor', 'manager'],
    calls: ['/admin/switches/stop:post', '/admin/logout-everyone:post'],
  },
  {
    area: 'the banner',
    roles: ['supervisor', 'manager', 'communicator'],
    calls: ['/admin/banner:put', '/admin/banner:delete'],
  },
  {
    area: 'resume; always with approval',
    roles: ['supervisor'],
    calls: ['/admin/switches/resume:post'],
  },
  {
    area: 'staking, reading',
    roles: ['supervisor', 'manager', 'auditor'],
    calls: [
      '/admin/stakes:get',
      '/admin/stakers:get',
      '/admin/stake/analytics:get',
      '/admin/stake/slash-estimate:get',
    ],
  },
  {
    area: 'audit, and what was exported',
    roles: ['supervisor', 'auditor'],
    calls: ['/admin/audits:get', '/admin/audits/verify:get', '/admin/exports:get'],
  },
  {
    area: 'roles and operators, reading',
    roles: ['auditor'],
    calls: ['/admin/role:get', '/admin/endpoints:get', '/admin/operators:get'],
  },
  { area: 'texts of the kit', roles: ['communicator'], calls: ['/admin/kit:put'] },
  {
    area: 'announcements and mails, reading',
    roles: ['supervisor', 'communicator', 'announcer', 'auditor'],
    calls: ['/admin/announcements:get', '/admin/email:get', '/admin/email/types:get'],
  },
  {
    area: 'announcements, mails with known texts',
    roles: ['supervisor', 'communicator', 'announcer'],
    calls: [
      '/admin/announcements:post',
      '/admin/announcements:put',
      '/admin/announcements:delete',
      '/admin/send-email:post',
    ],
  },
];

/** Calls that only the administrator may make. */
export const ADMINISTRATOR_ONLY: readonly string[] = [
  '/admin/rules-version:get',
  '/admin/rules-version:put',
  '/admin/holding:put',
  '/admin/backup:put',
  '/admin/complete-setup:get',
  '/admin/control/mode:put',
  '/admin/control/thresholds:put',
  '/admin/role:post',
  '/admin/role:put',
  '/admin/role:delete',
  '/admin/user:post',
  '/admin/user:delete',
  '/admin/user/restore:post',
  '/admin/user/role:put',
  '/admin/user/discount:put',
  '/admin/user/wallet:post',
  '/admin/user/referral/code:post',
  '/admin/order:post',
  '/admin/user/group:put',
  '/admin/void-command:post',
  '/admin/stake:post',
  '/admin/stake:put',
  '/admin/stake:delete',
  '/admin/staker:put',
  '/admin/kit/user-meta:post',
  '/admin/kit/user-meta:put',
  '/admin/kit/user-meta:delete',
  '/admin/email:put',
  '/admin/send-email/raw:post',
];

/** Powers beside the calls. */
export const POWERS_OF: Readonly<Record<DefaultRole, readonly string[]>> = {
  supervisor: [
    'approve.money',
    'approve.access',
    'switch.stop',
    'switch.resume',
    'break_glass',
    'pii.search',
  ],
  manager: ['switch.stop', 'pii.search'],
  support: [],
  kyc: ['pii.unmasked', 'pii.search'],
  communicator: [],
  announcer: [],
  auditor: ['export', 'pii.search'],
};

/** Writable keys of the kit. */
export const CONFIGS_OF: Readonly<Record<DefaultRole, readonly string[]>> = {
  supervisor: [],
  manager: [],
  support: [],
  kyc: [],
  communicator: ['title', 'description', 'links', 'strings'],
  announcer: [],
  auditor: [],
};

export function callsOf(role: DefaultRole): string[] {
  return AREAS.filter(({ roles }) => roles.includes(role)).flatMap(({ calls }) => calls);
}
