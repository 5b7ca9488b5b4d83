// The key of an identity: an nkey (Ed25519), as NATS uses it. The seed stays in the file of its
// owner; everyone else knows the public key only.

import { readFileSync } from 'node:fs';
import { ConfigFault, isLoopback } from '../process/index.ts';
import { type IdentityMode, type IdentityName, isIdentity } from './identities.ts';
import { drawSeed, isSignedBy, type Nkey, nkeyOf } from './nkey.ts';

export interface IdentityConfig {
  readonly mode: IdentityMode;
  readonly natsUrls?: readonly string[] | undefined;
  /** The seed of this process's nkey; required in production. */
  readonly identityKeyFile: string | undefined;
  /** The certificates that sign those of NATS and of the link; required between machines. */
  readonly tlsCaFile: string | undefined;
}

/** A process's name, and the key that proves it: undefined only in development. */
export interface Identity {
  readonly name: IdentityName;
  readonly seed: Uint8Array | undefined;
  /** Certificates in PEM; connections to NATS and to the link then use TLS, always. */
  readonly tlsCa: string | undefined;
}

/**
 * Throws ConfigFault if a file cannot be used, if production has no key, or if production would
 * send plain text to another machine.
 */
export function openIdentity(name: IdentityName, config: IdentityConfig): Identity {
  const { identityKeyFile, mode, tlsCaFile } = config;
  const isProduction = mode === 'production';
  if (isProduction && identityKeyFile === undefined) {
    throw problem('RIALTO_IDENTITY_KEY_FILE', 'is not set (expected in production)');
  }
  const remote = (config.natsUrls ?? []).find((url) => !isLoopback(hostOf(url)));
  if (isProduction && tlsCaFile === undefined && remote !== undefined) {
    const host = hostOf(remote);
    throw problem(
      'RIALTO_TLS_CA_FILE',
      `is not set, but NATS runs on another machine (${host}): production sends nothing ` +
        'unencrypted between machines (expected the path of a PEM file with certificates)',
    );
  }
  return {
    name,
    seed: identityKeyFile === undefined ? undefined : readSeed(identityKeyFile),
    tlsCa: tlsCaFile === undefined ? undefined : readText(tlsCaFile, 'RIALTO_TLS_CA_FILE'),
  };
}

/** An identity that is claimed and not proved: for tests without keys. */
export function claimedIdentity(name: IdentityName): Identity {
  return { name, seed: undefined, tlsCa: undefined };
}

function hostOf(url: string): string {
  return new URL(url.includes('://') ? url : `nats://${url}`).hostname;
}

function readSeed(file: string): Uint8Array {
  const name = 'RIALTO_IDENTITY_KEY_FILE';
  const seed = Buffer.from(readText(file, name).trim());
  try {
    keyOf(seed);
  } catch {
    throw problem(name, `names ${file}, which is not an nkey seed (expected one line, SU…)`);
  }
  return seed;
}

function readText(file: string, name: string): string {
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

/** Draws a key: the seed for its owner, the public key for everyone. */
export function drawKey(): { readonly seed: string; readonly publicKey: string } {
  const seed = drawSeed();
  return { seed, publicKey: nkeyOf(seed).publicKey };
}

export function signWith(seed: Uint8Array, text: string): string {
  return keyOf(seed).sign(Buffer.from(text)).toString('base64');
}

/** Responds to a NATS server's challenge with the public key and a signature. */
export function natsAuthenticator(seed: Uint8Array) {
  return (nonce = ''): { readonly nkey: string; readonly sig: string } => ({
    nkey: keyOf(seed).publicKey,
    sig: nonce === '' ? '' : signWith(seed, nonce),
  });
}

function keyOf(seed: Uint8Array): Nkey {
  return nkeyOf(Buffer.from(seed).toString());
}

export function isSignature(text: string, signature: string, publicKey: string): boolean {
  try {
    const bytes = Buffer.from(signature, 'base64');
    return isSignedBy(publicKey, Buffer.from(text), bytes);
  } catch {
    return false;
  }
}

/**
 * The public keys of all identities: lines of `identity public-key`. An identity has two lines
 * while its key is changed. Throws ConfigFault if a line is not one.
 */
export function readPublicKeys(file: string): ReadonlyMap<string, readonly string[]> {
  const setting = 'RIALTO_IDENTITIES_FILE';
  const keys = new Map<string, string[]>();
  for (const line of readText(file, setting).split('\n')) {
    const words = line.trim().split(/\s+/);
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [name, key] = words;
    if (words.length !== 2 || !isIdentity(name) || !/^U[A-Z2-7]{55}$/.test(key)) {
      throw problem(setting, `names ${file}, which has a wrong line (expected IDENTITY U…)`);
    }
    keys.set(name, [...(keys.get(name) ?? []), key]);
  }
  return keys;
}
