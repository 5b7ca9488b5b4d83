// Every setting of a notifier, read from the environment.

import { registrySettings } from '../../domain/migrations/index.ts';
import { accessSettings } from '../../domain/vault/index.ts';
import { identitySettings } from '../../infra/identities/index.ts';
import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import {
  ConfigFault,
  type ConfigOf,
  integer,
  oneOf,
  optional,
  port,
  readConfig,
  Secret,
  type Setting,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { isMailAddress, type Sender } from './mail-transport.ts';

const { accessKey, accessKeyFile } = accessSettings;

const settings = {
  ...postgresSettings,
  ...registrySettings,
  ...serviceSettings('notifier'),
  accessKey,
  accessKeyFile,
  exchange: journalSettings.exchange,
  /** For its status beats. Without it, the monitor does not know this process. */
  natsUrls: optional(journalSettings.natsUrls),
  ...identitySettings,
  mode: oneOf('RIALTO_MODE', ['production', 'development'], 'production'),
  /** The name of the exchange in every mail. */
  apiName: text('RIALTO_API_NAME', { fallback: 'Rialto' }),
  /** The URL at which clients reach the exchange; links lead to its confirm page. */
  publicUrl: optional(webUrl('RIALTO_PUBLIC_URL')),
  /** The URL of the web interface, if it has a confirm page of its own. */
  webUrl: optional(webUrl('RIALTO_WEB_URL')),
  /** Required in production. In development, mails go to the inbox without it. */
  smtpUrl: optional(smtpUrl('RIALTO_SMTP_URL')),
  smtpConnectionsMax: integer('RIALTO_SMTP_CONNECTIONS_MAX', { min: 1, max: 64, fallback: 4 }),
  mailFrom: optional(sender('RIALTO_MAIL_FROM')),
  mailPollMs: integer('RIALTO_MAIL_POLL_MS', { min: 10, max: 60_000, fallback: 250 }),
  /** A mail whose notifier was killed is sent again after this time. */
  mailLeaseMs: integer('RIALTO_MAIL_LEASE_MS', { min: 1_000, max: 3_600_000, fallback: 120_000 }),
  /** The pause before the second attempt; each further pause is twice as long, up to an hour. */
  mailRetryMs: integer('RIALTO_MAIL_RETRY_MS', { min: 10, max: 3_600_000, fallback: 5_000 }),
  inboxPort: port('RIALTO_INBOX_PORT', 0),
  /** How long closed accounts keep their personal data; five years by default. */
  retentionDays: integer('RIALTO_RETENTION_DAYS', { min: 0, max: 36_500, fallback: 1_826 }),
  /** The schema of the job queue, in the registry's database. */
  jobsSchema: text('RIALTO_JOBS_SCHEMA', { fallback: 'jobs' }),
};

type NotifierSettings = ConfigOf<typeof settings>;

export interface NotifierConfig extends NotifierSettings {
  readonly linkUrl: string;
  readonly from: Sender;
}

const DEVELOPMENT = { linkUrl: 'http://127.0.0.1:4000', address: 'no-reply@rialto.example' };

export function notifierConfig(environment: NodeJS.ProcessEnv): NotifierConfig {
  const config = readConfig(environment, settings);
  const { apiName, mailFrom, mode, publicUrl, smtpUrl, webUrl } = config;
  const linkUrl = webUrl ?? publicUrl;
  if (mode === 'production') {
    const required: [Setting<unknown>, unknown][] = [
      [settings.smtpUrl, smtpUrl],
      [settings.mailFrom, mailFrom],
      [settings.publicUrl, linkUrl],
    ];
    const missing = required.filter(([, value]) => value === undefined);
    const problems = missing.map(([{ expected, name }]) => ({
      name,
      problem: `is not set (expected ${expected}; required in production)`,
    }));
    if (problems.length > 0) throw new ConfigFault(problems);
  }
  return {
    ...config,
    linkUrl: linkUrl ?? DEVELOPMENT.linkUrl,
    from: mailFrom ?? { name: apiName, address: DEVELOPMENT.address },
  };
}

function webUrl(name: string): Setting<string> {
  return {
    name,
    expected: 'an http:// or https:// URL',
    read(found) {
      const url = URL.parse(found);
      const isWeb = url !== null && /^https?:$/.test(url.protocol);
      const isPlain = isWeb && url.search === '' && url.hash === '' && url.username === '';
      return isPlain ? found : undefined;
    },
  };
}

/** The URL has the password of the mail server. */
function smtpUrl(name: string): Setting<Secret> {
  return {
    name,
    expected: 'smtp://user:password@host:port or smtps://user:password@host:port',
    isSecret: true,
    read(found) {
      const url = URL.parse(found);
      const isSmtp = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
      const isPlain = isSmtp && /^\/?$/.test(url.pathname) && url.search === '';
      return isPlain ? new Secret(found) : undefined;
    },
  };
}

function sender(name: string): Setting<Sender> {
  return {
    name,
    expected: 'an address, such as Example Exchange <no-reply@exchange.example>',
    read(found) {
      const parts =
        /^(?:(?<name>[^<>"\p{Cc}]*[^<>"\p{Cc}\s])\s*<(?<inner>[^<>]+)>|(?<plain>[^<>]+))$/u;
      const { inner, name: display = '', plain } = parts.exec(found)?.groups ?? {};
      const address = inner ?? plain ?? '';
      return isMailAddress(address) ? { name: display, address } : undefined;
    },
  };
}
