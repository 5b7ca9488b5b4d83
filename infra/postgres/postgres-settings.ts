// The settings with which a service reaches PostgreSQL, and the certificates of the connection.

import { readFileSync } from 'node:fs';
import { ConfigFault, isLoopback, type Secret } from '../process/index.ts';

export interface PostgresConfig {
  readonly postgresUrl: Secret;
  /** The certificates that sign the server's; required between machines. */
  readonly postgresCaFile: string | undefined;
  /** Certificate and key of this service, if the server requires one. */
  readonly postgresCertFile: string | undefined;
  readonly postgresKeyFile: string | undefined;
}

/** In PEM. */
export interface PostgresTls {
  readonly ca: string;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Where the server is, and how the connection is protected. */
export interface PostgresAddress {
  readonly url: string;
  /** Undefined: plain text. */
  readonly tls: PostgresTls | undefined;
}

/**
 * Throws ConfigFault if a file cannot be read, or if production would send plain text to another
 * machine.
 */
export function postgresAddress(
  config: PostgresConfig,
  mode: 'production' | 'development',
): PostgresAddress {
  const { postgresCaFile, postgresCertFile, postgresKeyFile, postgresUrl } = config;
  const url = postgresUrl.reveal();
  const parsed = URL.parse(url);
  if (parsed === null) throw problem('RIALTO_POSTGRES_URL', 'is not a URL');
  if ([...parsed.searchParams.keys()].some((name) => name.startsWith('ssl'))) {
    throw problem(
      'RIALTO_POSTGRES_URL',
      'has settings of TLS (expected RIALTO_POSTGRES_CA_FILE instead)',
    );
  }
  if (postgresCaFile === undefined) {
    // Without a host, or with a path as host, it is a socket of this machine.
    const { hostname } = parsed;
    const isHere = hostname === '' || hostname.startsWith('%2F') || isLoopback(hostname);
    if (mode === 'production' && !isHere) {
      throw problem(
        'RIALTO_POSTGRES_CA_FILE',
        `is not set, but PostgreSQL runs on another machine (${hostname}): production sends no ` +
          'plain text between machines (expected the path of a PEM file with certificates)',
      );
    }
    return { url, tls: undefined };
  }
  if ((postgresCertFile === undefined) !== (postgresKeyFile === undefined)) {
    throw problem('RIALTO_POSTGRES_CERT_FILE', 'needs RIALTO_POSTGRES_KEY_FILE, and vice versa');
  }
  const tls = {
    ca: readPem('RIALTO_POSTGRES_CA_FILE', postgresCaFile),
    cert: postgresCertFile && readPem('RIALTO_POSTGRES_CERT_FILE', postgresCertFile),
    key: postgresKeyFile && readPem('RIALTO_POSTGRES_KEY_FILE', postgresKeyFile),
  };
  return { url, tls };
}

function readPem(name: string, file: string): string {
  let found: string;
  try {
    found = readFileSync(file, 'utf8');
  } catch (fault) {
    const reason = (fault as NodeJS.ErrnoException).code ?? 'unreadable';
    throw problem(name, `names ${file}, which cannot be read (${reason})`);
  }
  if (!found.includes('-----BEGIN ')) throw problem(name, `names ${file}, which is not a PEM file`);
  return found;
}

function problem(name: string, text: string): ConfigFault {
  return new ConfigFault([{ name, problem: text }]);
}
