// `rialto init FOLDER`: the configuration of an exchange on one machine, complete for production:
// identities, the key file, one file with the shared settings and one for each process. Nothing
// that exists is overwritten.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SERVICES, type ServiceName } from '../../infra/settings/index.ts';
import { ToolFault } from '../command-line.ts';
import { writeIdentityFiles } from '../services/identity-files.ts';

const KEY_BYTES = 32;
const FIRST_HEALTH_PORT = 9_401;
const SECRET_MODE = 0o600;
/** Production wants three copies of the log, on one machine too: put each on a disk of its own. */
const NATS_SERVERS = [0, 1, 2];

export interface InitOptions {
  readonly folder: string;
  /** The URL at which clients reach the exchange. */
  readonly publicUrl: string;
}

/** The names of the files that it wrote. */
export function initMachine({ folder: given, publicUrl }: InitOptions): readonly string[] {
  const folder = resolve(given);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new ToolFault(`${folder} is not empty (expected a new folder; nothing is overwritten).`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const identities = writeIdentityFiles({
    folder: join(folder, 'identities'),
    exchange: 'rialto',
    withSandbox: false,
  });
  const keyFile = join(folder, 'access-key');
  const key = randomBytes(KEY_BYTES).toString('base64');
  writeFileSync(keyFile, `${key}\n`, { mode: SECRET_MODE });
  const shared = {
    RIALTO_MODE: 'production',
    RIALTO_NATS_URLS: NATS_SERVERS.map((at) => `nats://127.0.0.1:${4_222 + at}`).join(),
    RIALTO_NATS_MONITOR_URLS: NATS_SERVERS.map((at) => `http://127.0.0.1:${8_222 + at}`).join(),
    RIALTO_REPLICAS: String(NATS_SERVERS.length),
    RIALTO_IDENTITIES_FILE: identities.identitiesFile,
    RIALTO_ACCESS_KEY_FILE: keyFile,
    RIALTO_ARCHIVE_FOLDER: join(folder, 'archive'),
    RIALTO_PUBLIC_URL: publicUrl,
    RIALTO_CORS_ORIGINS: new URL(publicUrl).origin,
    RIALTO_HTTP_PORT: '8080',
    RIALTO_STREAM_PORT: '8081',
    RIALTO_STREAM_URL: 'ws://127.0.0.1:8081',
    RIALTO_TRUSTED_PROXIES: 'loopback',
    RIALTO_LINK_PORT: '7400',
    RIALTO_SMTP_URL_FILE: join(folder, 'smtp-url'),
    RIALTO_MAIL_FROM: `no-reply@${new URL(publicUrl).hostname}`,
  };
  // The mail server of this machine, until the operator names another one.
  writeFileSync(join(folder, 'smtp-url'), 'smtp://127.0.0.1:25\n', { mode: SECRET_MODE });
  write(join(folder, 'rialto.env'), SHARED_HEAD, shared);
  SERVICES.forEach((service, index) => {
    const own = {
      RIALTO_INSTANCE: `${service}-1`,
      RIALTO_HEALTH_PORT: String(FIRST_HEALTH_PORT + index),
      RIALTO_IDENTITY_KEY_FILE: identities.seedFile(identityOf(service)),
      RIALTO_POSTGRES_URL_FILE: join(folder, 'postgres', service),
    };
    write(join(folder, `${service}.env`), OWN_HEAD, own);
  });
  return readdirSync(folder).sort();
}

/** One HTTP gateway serves everything on one machine, operators too. */
function identityOf(service: ServiceName): string {
  return service === 'gateway-http' ? 'gateway-admin' : service;
}

const SHARED_HEAD =
  '# The settings of all processes of this machine. docs/operating/settings.md explains them.';
const OWN_HEAD = '# The settings of this process alone; load rialto.env first.';

function write(file: string, head: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, `${[head, ...lines].join('\n')}\n`, { mode: SECRET_MODE });
}
