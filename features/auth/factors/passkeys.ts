// Passkeys: discoverable credentials with user verification, so one passkey counts as both factors.
// A signature is valid only for our origin and relying party, for a challenge issued for the same
// purpose, and with a counter that has not decreased.

import type * as Webauthn from '@simplewebauthn/server';
import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { CHALLENGE_LIFE_MS, type ChallengeUse, issueChallenge } from './challenges.ts';

type Json<Options extends (...given: never[]) => unknown> = Awaited<ReturnType<Options>>;
export type RegistrationOptions = Json<typeof Webauthn.generateRegistrationOptions>;
export type AuthenticationOptions = Json<typeof Webauthn.generateAuthenticationOptions>;

/** The exchange as seen by authenticators. */
export interface RelyingParty {
  readonly name: string;
  /**
   * Domain that owns the passkeys, for example `example.com`. Changing it makes all of them
   * useless.
   */
  readonly id: string;
  /** Origins of the pages that can use them, for example `https://app.example.com`. */
  readonly origins: readonly string[];
}

/** Signed response of an authenticator, as browsers send it. Its content is not trusted. */
export interface SentCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: unknown;
}

export interface PasskeyRow {
  readonly id: number;
  readonly user: UserId;
  readonly name: string;
  readonly isBackedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface PasskeyAnswer {
  readonly party: RelyingParty;
  /** Already spent; see challenges.ts. */
  readonly challenge: string;
  readonly credential: SentCredential;
}

export const PASSKEYS_MAX = 10;

const HANDLE_BYTES = 8;
const NAME_CHARACTERS_MAX = 64;
/** Ed25519, ECDSA with P-256, RSA with SHA-256: numbers from the COSE registry. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded on first use, because its 350 modules are a fifth of a gateway's. */
function webauthn(): Promise<typeof Webauthn> {
  return import('@simplewebauthn/server');
}

export async function registrationOptions(
  statements: Statements,
  vault: Vault,
  asked: { readonly party: RelyingParty; readonly email: string; readonly use: ChallengeUse },
): Promise<RegistrationOptions> {
  const { email, party, use } = asked;
  const { rows } = await statements.query(
    'select credential_id, transports from passkeys where user_id = $1 and revoked_at is null',
    [use.user],
  );
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: email,
    userDisplayName: email,
    userID: userHandle(use.user),
    challenge: issueChallenge(vault, use),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    excludeCredentials: rows.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Names no credentials, so it reveals nothing about an account. */
export async function authenticationOptions(
  vault: Vault,
  { party, use }: { readonly party: RelyingParty; readonly use: ChallengeUse },
): Promise<AuthenticationOptions> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: [],
    challenge: issueChallenge(vault, use),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
  });
}

/** Stores a new passkey. Call it in a transaction that has locked the user's row. */
export async function addPasskey(
  statements: Statements,
  { name, user, ...answer }: PasskeyAnswer & { readonly user: UserId; readonly name: string },
): Promise<PasskeyRow | Refused<'passkey_not_accepted' | 'passkeys_too_many'>> {
  const { challenge, credential, party } = answer;
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: credential as never,
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (verified?.verified !== true) return new Refused('passkey_not_accepted');
  const { aaguid, credential: made, ...info } = verified.registrationInfo;
  const counted = await statements.query(
    'select count(*) from passkeys where user_id = $1 and revoked_at is null',
    [user],
  );
  if (Number(counted.rows[0].count) >= PASSKEYS_MAX) {
    return new Refused('passkeys_too_many', { max: PASSKEYS_MAX });
  }
  const { rows } = await statements.query(
    `insert into passkeys (user_id, credential_id, public_key, sign_count, is_backup_eligible,
       is_backed_up, transports, aaguid, name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (credential_id) do nothing returning *`,
    [
      user,
      Buffer.from(made.id, 'base64url'),
      made.publicKey,
      made.counter,
      info.credentialDeviceType === 'multiDevice',
      info.credentialBackedUp,
      made.transports ?? [],
      aaguid,
      name.trim().slice(0, NAME_CHARACTERS_MAX),
    ],
  );
  return rows.map(passkeyOf)[0] ?? new Refused('passkey_not_accepted');
}

/** Returns the passkey that signed, or undefined if anything in the response is wrong. */
export async function usePasskey(
  statements: Statements,
  answer: PasskeyAnswer,
): Promise<PasskeyRow | undefined> {
  const { challenge, credential, party } = answer;
  const { rows } = await statements.query(
    'select * from passkeys where credential_id = $1 and revoked_at is null',
    [Buffer.from(credential.id, 'base64url')],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { userHandle: handle } = (credential.response ?? {}) as { readonly userHandle?: unknown };
  const owner = Buffer.from(userHandle(idOf(row.user_id))).toString('base64url');
  if (handle !== owner) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response: credential as never,
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: row.credential_id.toString('base64url'),
      publicKey: row.public_key,
      counter: Number(row.sign_count),
    },
  }).catch(() => undefined);
  if (verified?.verified !== true) return undefined;
  // A counter that does not increase indicates a copied passkey; 0 means no counter.
  const used = await statements.query(
    `update passkeys set sign_count = $2, is_backed_up = $3, last_used_at = now()
     where id = $1 and revoked_at is null and (sign_count < $2 or (sign_count = 0 and $2 = 0))
     returning *`,
    [
      row.id,
      verified.authenticationInfo.newCounter,
      verified.authenticationInfo.credentialBackedUp,
    ],
  );
  return used.rows.map(passkeyOf)[0];
}

/** Returns the user's few passkeys, oldest first. */
export async function listPasskeys(statements: Statements, user: UserId): Promise<PasskeyRow[]> {
  const { rows } = await statements.query(
    'select * from passkeys where user_id = $1 and revoked_at is null order by id',
    [user],
  );
  return rows.map(passkeyOf);
}

/** Returns false if the user has no such passkey. */
export async function revokePasskey(
  statements: Statements,
  { id, user }: { readonly user: UserId; readonly id: number },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update passkeys set revoked_at = now()
     where id = $1 and user_id = $2 and revoked_at is null`,
    [id, user],
  );
  return rowCount === 1;
}

/** The user's name for authenticators; contains no personal data. */
export function userHandle(user: UserId | 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HANDLE_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(user));
  return bytes;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function passkeyOf(row: any): PasskeyRow {
  return {
    id: idOf(row.id),
    user: idOf(row.user_id),
    name: row.name,
    isBackedUp: row.is_backed_up,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
