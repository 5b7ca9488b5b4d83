// The settings of the gateways and of the notifier: everything that faces users.

import { integer, list, oneOf, optional, port, secret, text } from '../process/index.ts';
import {
  countries,
  fixedPort,
  mailAddress,
  mailSender,
  plainUrl,
  serverUrl,
  smtpUrl,
  someOf,
} from './kinds.ts';
import { setting } from './setting.ts';

const HTTP = ['gateway-http'] as const;
const STREAM = ['gateway-websocket'] as const;
const GATEWAYS = [...HTTP, ...STREAM] as const;
const MS = { unit: 'milliseconds' } as const;

const COUNT = { min: 1, max: 1_000_000 };
const BUDGET = { min: 1, max: 1_000_000_000 };

const bothGateways = {
  trustedProxies: setting(list('RIALTO_TRUSTED_PROXIES', { fallback: [], of: 'addresses' }), {
    usedBy: GATEWAYS,
    meaning:
      'Proxies whose X-Forwarded-For is trusted: addresses, networks, or `loopback`. Without ' +
      'it, all clients of a proxy share its limits.',
    example: '10.0.0.0/24',
  }),
  commandTimeoutMs: setting(
    integer('RIALTO_COMMAND_TIMEOUT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
    {
      ...MS,
      usedBy: GATEWAYS,
      meaning: 'A command without a result after this time has an unknown outcome.',
    },
  ),
  freshTimeoutMs: setting(
    integer('RIALTO_FRESH_TIMEOUT_MS', { min: 10, max: 60_000, fallback: 3_000 }),
    {
      ...MS,
      usedBy: GATEWAYS,
      meaning: "How long a read waits for the tables to contain its user's last command.",
    },
  ),
  databaseConnectionsMax: setting(
    integer('RIALTO_DATABASE_CONNECTIONS_MAX', { min: 1, max: 1_000, fallback: 10 }),
    {
      unit: 'connections',
      usedBy: GATEWAYS,
      meaning: 'The maximum number of connections from a gateway to each schema.',
    },
  ),
  statementTimeoutMs: setting(
    integer('RIALTO_STATEMENT_TIMEOUT_MS', { min: 100, max: 600_000, fallback: 10_000 }),
    {
      ...MS,
      usedBy: GATEWAYS,
      meaning: "PostgreSQL cancels a request's statement that takes longer.",
    },
  ),
  accessEntriesMax: setting(
    integer('RIALTO_ACCESS_ENTRIES_MAX', { min: 100, max: 10_000_000, fallback: 50_000 }),
    {
      unit: 'entries',
      usedBy: GATEWAYS,
      meaning: 'The maximum number of keys, and of sessions, in memory.',
    },
  ),
  accessSignaturesMax: setting(
    integer('RIALTO_ACCESS_SIGNATURES_MAX', { min: 1_000, max: 10_000_000, fallback: 1_000_000 }),
    {
      unit: 'signatures',
      usedBy: GATEWAYS,
      meaning: 'The maximum number of write signatures remembered until they expire.',
    },
  ),
  expiresAheadSMax: setting(
    integer('RIALTO_EXPIRES_AHEAD_S_MAX', { min: 10, max: 3_600, fallback: 300 }),
    {
      unit: 'seconds',
      usedBy: GATEWAYS,
      meaning: 'How far in the future `api-expires` can be. Some clients sign for an hour.',
    },
  ),
};

const httpSettings = {
  modules: setting(someOf('RIALTO_GATEWAY_MODULES', ['public', 'user', 'admin', 'identity']), {
    usedBy: HTTP,
    meaning: 'The route groups that this process serves; other routes return 404.',
    example: 'public,user,identity',
  }),
  httpHost: setting(text('RIALTO_HTTP_HOST', { fallback: '127.0.0.1' }), {
    usedBy: HTTP,
    meaning: 'The address on which the gateway listens, behind your proxy.',
  }),
  httpPort: setting(fixedPort('RIALTO_HTTP_PORT'), {
    usedBy: HTTP,
    meaning: 'The port on which the gateway listens.',
    example: '8080',
  }),
  corsOrigins: setting(
    {
      ...list('RIALTO_CORS_ORIGINS', { fallback: ['*'], of: 'origins' }),
      openDoor: (origins) =>
        origins.includes('*')
          ? 'is *: every web page can read responses (expected the origins of your web apps in ' +
            'production)'
          : undefined,
      requiredInProduction: true,
    },
    {
      usedBy: HTTP,
      meaning: 'Origins whose pages can read responses; `*` means every page.',
      example: 'https://exchange.example.com',
    },
  ),
  passkeyDomain: setting(optional(text('RIALTO_PASSKEY_DOMAIN')), {
    usedBy: HTTP,
    defaultText: 'the host of RIALTO_PUBLIC_URL',
    meaning: 'The domain that owns the passkeys. Changing it makes all passkeys unusable.',
    example: 'example.com',
  }),
  passkeyOrigins: setting(list('RIALTO_PASSKEY_ORIGINS', { fallback: [], of: 'origins' }), {
    usedBy: HTTP,
    defaultText: 'the origin of RIALTO_PUBLIC_URL',
    meaning: 'Origins of web apps that can use passkeys.',
    example: 'https://exchange.example.com,https://app.example.com',
  }),
  connectionsMax: setting(integer('RIALTO_CONNECTIONS_MAX', { ...COUNT, fallback: 20_000 }), {
    unit: 'connections',
    usedBy: HTTP,
    meaning: 'The maximum number of open connections.',
  }),
  connectionsPerAddressMax: setting(
    integer('RIALTO_CONNECTIONS_PER_ADDRESS_MAX', { ...COUNT, fallback: 256 }),
    {
      unit: 'connections',
      usedBy: HTTP,
      meaning:
        'The maximum number of connections per address, or per IPv6 /64 network. Trusted ' +
        'proxies have no such limit.',
    },
  ),
  requestsPerAddressMax: setting(
    integer('RIALTO_REQUESTS_PER_ADDRESS_MAX', { ...COUNT, fallback: 256 }),
    {
      unit: 'requests',
      usedBy: HTTP,
      meaning: 'The maximum number of concurrent requests per address.',
    },
  ),
  terminalFolder: setting(optional(text('RIALTO_TERMINAL_FOLDER')), {
    usedBy: HTTP,
    meaning: 'The built files of the terminal, served at `/`; without it, no screens.',
    example: '/opt/rialto/apps/terminal/dist',
  }),
  consoleFolder: setting(optional(text('RIALTO_CONSOLE_FOLDER')), {
    usedBy: HTTP,
    meaning:
      'The built files of the console, served at `/` of a gateway with the module `admin` and ' +
      'without RIALTO_TERMINAL_FOLDER: the two apps never share an origin.',
    example: '/opt/rialto/apps/console/dist',
  }),
  streamUrl: setting(optional(serverUrl('RIALTO_STREAM_URL', 'ws:')), {
    usedBy: HTTP,
    meaning: 'The stream gateway that serves `/stream` of this port; 404 without it.',
    example: 'ws://127.0.0.1:8081',
  }),
  streamSocketsMax: setting(integer('RIALTO_STREAM_SOCKETS_MAX', { ...COUNT, fallback: 10_000 }), {
    unit: 'sockets',
    usedBy: HTTP,
    meaning: 'The maximum number of sockets that this gateway forwards to RIALTO_STREAM_URL.',
  }),
  identityUrl: setting(optional(serverUrl('RIALTO_IDENTITY_URL', 'http:')), {
    usedBy: HTTP,
    meaning: 'The gateway that serves the identity routes, if this one does not.',
    example: 'http://127.0.0.1:8082',
  }),
  processPriority: setting(integer('RIALTO_PROCESS_PRIORITY', { min: 0, max: 19, fallback: 0 }), {
    unit: 'nice value',
    usedBy: HTTP,
    meaning:
      'The nice value of the process: 15 for an identity gateway, whose hashing must not slow ' +
      'orders.',
  }),
  identityCallsMax: setting(integer('RIALTO_IDENTITY_CALLS_MAX', { ...COUNT, fallback: 4 }), {
    unit: 'calls in two minutes',
    usedBy: HTTP,
    meaning: 'Sign-ups, resets and verifications per address, each.',
  }),
  supportEmail: setting(optional(mailAddress('RIALTO_SUPPORT_EMAIL')), {
    usedBy: HTTP,
    meaning: 'Receives the messages from `POST /v2/support`; without it they are refused.',
    example: 'support@example.com',
  }),
  accessLog: setting(oneOf('RIALTO_ACCESS_LOG', ['on', 'off'], 'on'), {
    usedBy: HTTP,
    meaning: 'One log line for each request.',
  }),
  checkAnswers: setting(oneOf('RIALTO_CHECK_ANSWERS', ['on', 'off'], 'off'), {
    usedBy: HTTP,
    meaning: 'For tests: a response that does not match its schema is a fault.',
  }),
};

function weight(
  name: string,
  fallback: number,
  meaning: string,
  unit: 'weights' | 'weights per second',
) {
  return setting(integer(name, { ...BUDGET, fallback }), { usedBy: HTTP, unit, meaning });
}

const BURST = 'weights';
const REFILL = 'weights per second';

const rateSettings = {
  addressBurst: weight('RIALTO_ADDRESS_BURST', 200, 'Burst per address without a key.', BURST),
  addressPerSecond: weight('RIALTO_ADDRESS_PER_SECOND', 20, 'Refill per address.', REFILL),
  userBurst: weight('RIALTO_USER_BURST', 500, 'Burst per user.', BURST),
  userPerSecond: weight('RIALTO_USER_PER_SECOND', 100, 'Refill per user.', REFILL),
  cancelBurst: weight('RIALTO_CANCEL_BURST', 2_000, 'Burst of cancels per user.', BURST),
  cancelPerSecond: weight('RIALTO_CANCEL_PER_SECOND', 500, 'Refill of cancels.', REFILL),
  failureBurst: weight(
    'RIALTO_FAILURE_BURST',
    40,
    'Burst of wrong signatures, keys and tokens per address.',
    BURST,
  ),
  failurePerSecond: weight('RIALTO_FAILURE_PER_SECOND', 4, 'Refill of wrong ones.', REFILL),
};

const loginSettings = {
  blockedCountries: setting(countries('RIALTO_BLOCKED_COUNTRIES'), {
    usedBy: HTTP,
    meaning: 'Countries whose addresses cannot log in.',
    example: 'KP,IR',
  }),
  countryFolder: setting(optional(text('RIALTO_COUNTRY_FOLDER')), {
    usedBy: HTTP,
    meaning: 'A folder with newer country files than the installed ones.',
    example: '/var/lib/rialto/countries',
  }),
  operatorAddresses: setting(list('RIALTO_OPERATOR_ADDRESSES', { fallback: [], of: 'addresses' }), {
    usedBy: HTTP,
    defaultText: 'every address',
    meaning: 'Addresses and networks from which operators can use their role.',
    example: '10.0.0.0/24',
  }),
  loginsPerAddressMax: setting(
    integer('RIALTO_LOGINS_PER_ADDRESS_MAX', { ...COUNT, fallback: 10 }),
    { unit: 'logins in two minutes', usedBy: HTTP, meaning: 'Login attempts per address.' },
  ),
  captcha: setting(
    oneOf('RIALTO_CAPTCHA', ['proof_of_work', 'turnstile', 'none'], 'proof_of_work'),
    { usedBy: HTTP, meaning: 'The captcha after failed logins.' },
  ),
  signupCaptcha: setting(oneOf('RIALTO_SIGNUP_CAPTCHA', ['on', 'off'], 'off'), {
    usedBy: HTTP,
    meaning: '`on`: every sign-up needs a captcha.',
  }),
  turnstileSecret: setting(optional(secret('RIALTO_TURNSTILE_SECRET')), {
    usedBy: HTTP,
    meaning: 'The Turnstile secret, if Turnstile is the captcha.',
    example: '1x0000000000000000000000000000000AA',
  }),
  turnstileSiteKey: setting(optional(text('RIALTO_TURNSTILE_SITE_KEY')), {
    usedBy: HTTP,
    meaning: 'The Turnstile site key, for web apps.',
    example: '1x00000000000000000000AA',
  }),
  turnstileUrl: setting(
    text('RIALTO_TURNSTILE_URL', {
      fallback: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
      expected: 'the URL that verifies tokens',
    }),
    { usedBy: HTTP, meaning: 'The URL that verifies Turnstile tokens.' },
  ),
};

function budget(name: string, fallback: number, unit: string, meaning: string) {
  return setting(integer(name, { ...BUDGET, fallback }), { usedBy: STREAM, unit, meaning });
}

const streamSettings = {
  streamAudience: setting(oneOf('RIALTO_STREAM_AUDIENCE', ['users', 'operators'], 'users'), {
    usedBy: STREAM,
    meaning:
      '`operators`: the process has the identity `gateway-ws-admin` and accepts the keys ' +
      'and sessions of operators.',
  }),
  streamHost: setting(text('RIALTO_STREAM_HOST', { fallback: '127.0.0.1' }), {
    usedBy: STREAM,
    meaning: 'The address on which the stream gateway listens, behind your proxy.',
  }),
  streamPort: setting(fixedPort('RIALTO_STREAM_PORT'), {
    usedBy: STREAM,
    meaning: 'The port on which the stream gateway listens.',
    example: '8081',
  }),
  socketsMax: setting(integer('RIALTO_SOCKETS_MAX', { ...COUNT, fallback: 20_000 }), {
    unit: 'sockets',
    usedBy: STREAM,
    meaning: 'The maximum number of open sockets.',
  }),
  socketsPerAddressMax: setting(
    integer('RIALTO_SOCKETS_PER_ADDRESS_MAX', { ...COUNT, fallback: 200 }),
    { unit: 'sockets', usedBy: STREAM, meaning: 'The maximum number of sockets per address.' },
  ),
  connectsBurst: setting(integer('RIALTO_CONNECTS_BURST', { ...COUNT, fallback: 50 }), {
    unit: 'sockets',
    usedBy: STREAM,
    meaning: 'Burst of new sockets per address.',
  }),
  connectsPerSecond: setting(integer('RIALTO_CONNECTS_PER_SECOND', { ...COUNT, fallback: 10 }), {
    unit: 'sockets per second',
    usedBy: STREAM,
    meaning: 'Refill of new sockets per address.',
  }),
  subscriptionsPerSocketMax: setting(
    integer('RIALTO_SUBSCRIPTIONS_PER_SOCKET_MAX', { min: 1, max: 100_000, fallback: 2_000 }),
    { unit: 'subscriptions', usedBy: STREAM, meaning: 'The maximum number per socket.' },
  ),
  clientMessagesBurst: budget(
    'RIALTO_CLIENT_MESSAGES_BURST',
    1_000,
    'messages',
    'Burst of messages across all sockets of a user, or of an address without one.',
  ),
  clientMessagesPerSecond: budget(
    'RIALTO_CLIENT_MESSAGES_PER_SECOND',
    100,
    'messages per second',
    'Refill of messages per user.',
  ),
  clientBytesBurst: budget(
    'RIALTO_CLIENT_BYTES_BURST',
    4_194_304,
    'bytes',
    'Burst of message bytes per user.',
  ),
  clientBytesPerSecond: budget(
    'RIALTO_CLIENT_BYTES_PER_SECOND',
    262_144,
    'bytes per second',
    'Refill of message bytes per user.',
  ),
  clientChannelsBurst: budget(
    'RIALTO_CLIENT_CHANNELS_BURST',
    10_000,
    'channels',
    'Burst of channels in messages per user.',
  ),
  clientChannelsPerSecond: budget(
    'RIALTO_CLIENT_CHANNELS_PER_SECOND',
    1_000,
    'channels per second',
    'Refill of channels in messages per user.',
  ),
  handshakesMax: setting(integer('RIALTO_HANDSHAKES_MAX', { ...COUNT, fallback: 1_000 }), {
    unit: 'connections',
    usedBy: STREAM,
    meaning: 'The maximum number of connections with an incomplete handshake.',
  }),
  handshakesPerAddressMax: setting(
    integer('RIALTO_HANDSHAKES_PER_ADDRESS_MAX', { ...COUNT, fallback: 50 }),
    { unit: 'connections', usedBy: STREAM, meaning: 'The same, per address.' },
  ),
  handshakeMs: setting(integer('RIALTO_HANDSHAKE_MS', { min: 100, max: 60_000, fallback: 5_000 }), {
    ...MS,
    usedBy: STREAM,
    meaning: 'A connection without a handshake is closed after this time.',
  }),
  waitingBytesMax: setting(
    integer('RIALTO_WAITING_BYTES_MAX', { min: 65_536, max: 1_073_741_824, fallback: 262_144 }),
    {
      unit: 'bytes',
      usedBy: STREAM,
      meaning:
        'A socket with more unsent bytes gets conflated messages, where a snapshot can replace ' +
        'them.',
    },
  ),
  waitingBytesOfAllMax: setting(
    integer('RIALTO_WAITING_BYTES_OF_ALL_MAX', {
      min: 65_536,
      max: 1_073_741_824,
      fallback: 4_194_304,
    }),
    {
      unit: 'bytes',
      usedBy: STREAM,
      meaning: 'A socket with more unsent bytes is closed: user events must not be lost.',
    },
  ),
  stuckAfterMs: setting(
    integer('RIALTO_STUCK_AFTER_MS', { min: 100, max: 600_000, fallback: 10_000 }),
    { ...MS, usedBy: STREAM, meaning: 'A socket that accepts no data for this long is closed.' },
  ),
  idleMs: setting(integer('RIALTO_IDLE_MS', { min: 100, max: 3_600_000, fallback: 60_000 }), {
    ...MS,
    usedBy: STREAM,
    meaning: 'A socket that sends nothing for this long is closed.',
  }),
};

const mailSettings = {
  webUrl: setting(optional(plainUrl('RIALTO_WEB_URL')), {
    usedBy: ['notifier'],
    defaultText: 'RIALTO_PUBLIC_URL',
    meaning: 'The URL of the web interface, if it has its own confirm page.',
    example: 'https://app.example.com',
  }),
  smtpUrl: setting(
    { ...optional(smtpUrl('RIALTO_SMTP_URL')), requiredInProduction: true },
    {
      usedBy: ['notifier'],
      meaning:
        'The mail server. `smtp://` requires STARTTLS, unless the server is on this machine. In ' +
        'development, emails go to the inbox without it.',
      example: 'smtps://user:password@mail.example.com',
    },
  ),
  smtpConnectionsMax: setting(
    integer('RIALTO_SMTP_CONNECTIONS_MAX', { min: 1, max: 64, fallback: 4 }),
    {
      unit: 'connections',
      usedBy: ['notifier'],
      meaning: 'The maximum number of connections to the mail server.',
    },
  ),
  mailFrom: setting(
    { ...optional(mailSender('RIALTO_MAIL_FROM')), requiredInProduction: true },
    {
      usedBy: ['notifier'],
      meaning: 'The sender of every email.',
      example: 'Example Exchange <no-reply@example.com>',
    },
  ),
  mailPollMs: setting(integer('RIALTO_MAIL_POLL_MS', { min: 10, max: 60_000, fallback: 250 }), {
    ...MS,
    usedBy: ['notifier'],
    meaning: 'How often pending emails are read.',
  }),
  mailLeaseMs: setting(
    integer('RIALTO_MAIL_LEASE_MS', { min: 1_000, max: 3_600_000, fallback: 120_000 }),
    {
      ...MS,
      usedBy: ['notifier'],
      meaning: 'An email whose notifier was killed is sent again after this time.',
    },
  ),
  mailRetryMs: setting(
    integer('RIALTO_MAIL_RETRY_MS', { min: 10, max: 3_600_000, fallback: 5_000 }),
    {
      ...MS,
      usedBy: ['notifier'],
      meaning:
        'The pause before the second attempt. Each later pause is twice as long, up to an hour.',
    },
  ),
  inboxPort: setting(port('RIALTO_INBOX_PORT', 0), {
    usedBy: ['notifier'],
    meaning: 'In development without a mail server: the port of the page that shows emails.',
    example: '4001',
  }),
  retentionDays: setting(
    integer('RIALTO_RETENTION_DAYS', { min: 0, max: 36_500, fallback: 1_826 }),
    {
      unit: 'days',
      usedBy: ['notifier'],
      meaning: 'How long closed accounts keep their personal data.',
    },
  ),
  jobsSchema: setting(text('RIALTO_JOBS_SCHEMA', { fallback: 'jobs' }), {
    usedBy: ['notifier'],
    meaning: "The schema of the job queue, in the registry's database.",
  }),
};

export const gatewaySettings = {
  ...bothGateways,
  ...httpSettings,
  ...rateSettings,
  ...loginSettings,
  ...streamSettings,
  ...mailSettings,
};
