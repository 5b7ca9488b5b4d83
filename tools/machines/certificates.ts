// Creates a private certificate authority and signs server certificates, with openssl: Node reads
// X.509 certificates, but cannot sign them. Keys are P-256.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { ToolFault } from '../command-line.ts';

export interface KeyPair {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface ServerCertificate extends KeyPair {
  /** Names and addresses at which clients reach the server. */
  readonly hosts: readonly string[];
  /** True for routes between NATS servers, where each server is also a client. */
  readonly isClientToo?: boolean;
}

const AUTHORITY_DAYS = 3_650;
export const SERVER_DAYS = 365;
const SECRET_MODE = 0o600;
const WARNING = `ca.key signs certificates for every server of this exchange. Its owner can
impersonate all of them. Keep this folder offline, and never copy it to a machine
of the exchange.
`;

/** Creates the authority in a separate folder, with a warning next to the key. */
export function createAuthority(folder: string, name: string): KeyPair {
  const [certFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'KEEP-OFFLINE'), WARNING);
  request({ certFile, keyFile }, [
    '-days',
    String(AUTHORITY_DAYS),
    '-subj',
    `/CN=${name}`,
    '-addext',
    'basicConstraints=critical,CA:TRUE,pathlen:0',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ]);
  return { certFile, keyFile };
}

/** Generates a key and signs its certificate. Existing files are replaced. */
export function signCertificate(authority: KeyPair, server: ServerCertificate): void {
  const { certFile, hosts, isClientToo = false, keyFile } = server;
  mkdirSync(dirname(certFile), { recursive: true, mode: 0o700 });
  const names = hosts.map((host) => (isIP(host) === 0 ? `DNS:${host}` : `IP:${host}`));
  const uses = isClientToo ? 'serverAuth,clientAuth' : 'serverAuth';
  request({ certFile, keyFile }, [
    '-CA',
    authority.certFile,
    '-CAkey',
    authority.keyFile,
    ...['-days', String(SERVER_DAYS), '-subj', `/CN=${hosts[0]}`],
    '-addext',
    `subjectAltName=${names.join(',')}`,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-addext',
    'keyUsage=critical,digitalSignature',
    '-addext',
    `extendedKeyUsage=${uses}`,
  ]);
}

function request({ certFile, keyFile }: KeyPair, options: readonly string[]): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  // Other users must never be able to read the file, not even while openssl writes it.
  if (!existsSync(keyFile)) writeFileSync(keyFile, '', { mode: SECRET_MODE });
  chmodSync(keyFile, SECRET_MODE);
  try {
    execFileSync('openssl', ['req', '-x509', ...EMPTY_CONFIG, ...curve, ...files, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (fault) {
    const isMissing = (fault as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing
      ? 'it is not installed'
      : String((fault as { stderr?: unknown }).stderr);
    throw new ToolFault(
      `openssl could not create ${certFile}: ${reason} (expected openssl 3; on Debian: ` +
        'apt install openssl).',
      { cause: fault },
    );
  }
}

/** Avoids the machine's openssl configuration, which would add its own extensions. */
const EMPTY_CONFIG = ['-config', '/dev/null'];
