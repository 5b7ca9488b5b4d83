// How the link server authenticates peers and encrypts their messages: public keys of all
// identities, and a certificate. Production must not start without the keys, nor listen beyond this
// machine without the certificate.

import { readFileSync } from 'node:fs';
import type { LinkServerOptions } from '../../infra/command-link/index.ts';
import { readPublicKeys } from '../../infra/identities/index.ts';
import { ConfigFault, isLoopback } from '../../infra/process/index.ts';
import type { SequencerConfig } from './config.ts';

type LinkSecurity = Pick<LinkServerOptions, 'publicKeysOf' | 'tls'>;

type SecuritySettings = Pick<
  SequencerConfig,
  'identitiesFile' | 'linkCertificateFile' | 'linkHost' | 'linkKeyFile' | 'linkListenHost' | 'mode'
>;

/** Throws ConfigFault. */
export function linkSecurity(config: SecuritySettings): LinkSecurity {
  const { identitiesFile, mode } = config;
  const isProduction = mode === 'production';
  if (isProduction && identitiesFile === undefined) {
    throw problem('RIALTO_IDENTITIES_FILE', 'is not set (expected in production)');
  }
  const tls = certificateOf(config);
  const remote = [config.linkListenHost, config.linkHost ?? ''].find(
    (host) => host !== '' && !isLoopback(host),
  );
  if (isProduction && tls === undefined && remote !== undefined) {
    throw problem(
      'RIALTO_LINK_CERTIFICATE_FILE',
      `is not set, but other machines reach the link (${remote}): production sends nothing ` +
        'unencrypted between machines (expected the path of a PEM file)',
    );
  }
  return { tls, publicKeysOf: identitiesFile === undefined ? undefined : keysIn(identitiesFile) };
}

/** Read again for each peer, so a new key needs no restart. A damaged file admits no peers. */
function keysIn(file: string): (identity: string) => readonly string[] {
  readPublicKeys(file);
  return (identity) => {
    try {
      return readPublicKeys(file).get(identity) ?? [];
    } catch {
      return [];
    }
  };
}

function certificateOf(config: SecuritySettings): LinkSecurity['tls'] {
  const { linkCertificateFile, linkKeyFile } = config;
  if (linkCertificateFile === undefined && linkKeyFile === undefined) return undefined;
  if (linkCertificateFile === undefined || linkKeyFile === undefined) {
    const missing =
      linkKeyFile === undefined ? 'RIALTO_LINK_KEY_FILE' : 'RIALTO_LINK_CERTIFICATE_FILE';
    throw problem(missing, 'is not set (expected a certificate and its key, or neither)');
  }
  return {
    cert: readPem(linkCertificateFile, 'RIALTO_LINK_CERTIFICATE_FILE'),
    key: readPem(linkKeyFile, 'RIALTO_LINK_KEY_FILE'),
  };
}

function readPem(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (fault) {
    const reason = (fault as NodeJS.ErrnoException).code ?? 'unreadable';
    throw problem(name, `names ${file}, which cannot be read (${reason})`);
  }
}

function problem(name: string, text: string): ConfigFault {
  return new ConfigFault([{ name, problem: text }]);
}
