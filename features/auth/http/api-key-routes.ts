// Handlers for API keys. The rules are in features/auth; this file converts requests and responses
// to their wire form and announces a change to all gateways after its commit.

import { createHmac } from 'node:crypto';
import type { KeyId, UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import {
  type ApiKey,
  type ApiKeyCreated,
  type BodyOf,
  type Routes,
  timeText,
  timeTextOrNull,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { listSubAccounts } from '../../sub-accounts/index.ts';
import { changeApiKey, createApiKey, requestConfirmation, revokeApiKey } from '../api-keys.ts';
import { announceKey } from '../credentials/issue-credentials.ts';
import { type KeyChange, type KeyRow, listLiveKeys } from '../credentials/keys.ts';
import { personContext } from './person-call.ts';

/** As long as a secret; not even its first characters are readable without the vault. */
const MASKED_SECRET = '*'.repeat(50);

export const apiKeysRoutes: HandlersOf<'apiKeys'> = {
  async requestEmailConfirmation(call, dependencies) {
    const { registry, vault } = dependencies;
    const person = personContext(call, dependencies);
    const refusal = await withConnection(registry, (connection) =>
      requestConfirmation(connection, vault, person),
    );
    if (refusal !== undefined) return refusal;
    return { message: 'A code was sent to your email' };
  },

  async createApiKey(call, dependencies) {
    const { body } = call;
    const person = personContext(call, dependencies);
    const key = {
      name: body.name.trim(),
      kind: body.type ?? 'hmac',
      role: body.role ?? 'user',
      whitelistedIps: body.whitelisted_ips ?? [],
      verifyingKey: body.public_key,
      expiresAtMs: body.expiry === undefined ? undefined : Date.parse(body.expiry),
      subAccount: body.subaccount_id as UserId | undefined,
    };
    const asked = { key, proofs: proofsOf(body) };
    const issued = await withConnection(dependencies.registry, (connection) =>
      createApiKey(connection, dependencies.vault, person, asked),
    );
    if (issued instanceof Refused) return issued;
    return createdJson(issued.key, issued.secret);
  },

  async getApiKeys({ caller, query }, { registry }) {
    const { subaccount_id: sub } = query;
    const subs = sub === undefined ? [] : await listSubAccounts(registry, caller.user);
    if (sub !== undefined && !subs.some(({ id }) => id === sub)) {
      return new Refused('sub_account_not_found');
    }
    const keys = await listLiveKeys(registry, (sub as UserId | undefined) ?? caller.user);
    return { count: keys.length, data: keys.map(keyJson) };
  },

  async changeApiKey(call, dependencies) {
    const { body } = call;
    const person = personContext(call, dependencies);
    const id = body.token_id as KeyId;
    const asked = { id, change: changeOf(body), proofs: proofsOf(body) };
    const key = await withConnection(dependencies.registry, (connection) =>
      changeApiKey(connection, dependencies.vault, person, asked),
    );
    if (key instanceof Refused) return key;
    announceKey(dependencies.changes, { user: key.user, id });
    return keyJson(key);
  },

  async revokeApiKey(call, dependencies) {
    const { body } = call;
    const person = personContext(call, dependencies);
    const id = body.token_id as KeyId;
    const revoked = await withConnection(dependencies.registry, (connection) =>
      revokeApiKey(connection, dependencies.vault, person, { id, proofs: proofsOf(body) }),
    );
    if (revoked instanceof Refused) return revoked;
    announceKey(dependencies.changes, { user: revoked.user, id });
    return { message: 'Token is successfully revoked' };
  },
};

function proofsOf(body: { readonly otp_code: string; readonly email_code: string }) {
  return { otpCode: body.otp_code, emailCode: body.email_code };
}

/** A list in the request is enabled unless the request states otherwise. */
function changeOf(body: BodyOf<Routes['changeApiKey']>): KeyChange {
  const { active, book_only, name, permissions = {}, whitelisted_ips, whitelisting_enabled } = body;
  const { can_read, can_trade, can_withdraw } = permissions;
  const isListed = whitelisted_ips === undefined ? undefined : whitelisted_ips.length > 0;
  const whitelistingEnabled = whitelisting_enabled ?? isListed;
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(can_read !== undefined && { canRead: can_read }),
    ...(can_trade !== undefined && { canTrade: can_trade }),
    ...(can_withdraw !== undefined && { canWithdraw: can_withdraw }),
    ...(whitelisted_ips !== undefined && { whitelistedIps: whitelisted_ips }),
    ...(whitelistingEnabled !== undefined && { whitelistingEnabled }),
    ...(book_only !== undefined && { bookOnly: book_only }),
    ...(active !== undefined && { active }),
  };
}

function commonJson(key: KeyRow) {
  return {
    id: key.id,
    name: key.name,
    type: key.kind,
    role: key.role,
    active: key.active && key.suspendedReason === null,
    revoked: key.revoked,
    expiry: timeText(key.expiresAt.getTime()),
    can_read: key.canRead,
    can_trade: key.canTrade,
    can_withdraw: key.canWithdraw,
    whitelisted_ips: [...key.whitelistedIps],
    whitelisting_enabled: key.whitelistingEnabled,
    book_only: key.bookOnly,
    public_key: key.verifyingKey,
  };
}

function createdJson(key: KeyRow, secret: string): ApiKeyCreated {
  const created_at = timeText(key.createdAt.getTime());
  return { ...commonJson(key), key: key.publicKey, secret, created_at };
}

function keyJson(key: KeyRow): ApiKey {
  return {
    ...commonJson(key),
    apiKey: key.publicKey,
    secret: MASKED_SECRET,
    suspended_reason: key.suspendedReason,
    withdraw_granted_at: timeTextOrNull(key.withdrawGrantedAt),
    last_used_at: timeTextOrNull(key.lastUsedAt),
    created: timeText(key.createdAt.getTime()),
  };
}

/** Served only in development, because they accept secrets. They store nothing. */
export const developmentRoutes: HandlersOf<'development'> = {
  /** Returns the text that a request's signature covers, and the signature, for comparison. */
  signForDevelopment({ body: request }) {
    const { body = '', expires, method, path, secret } = request;
    const text = `${method}${path}${expires}${body}`;
    if (secret === undefined) return { text };
    return { text, signature: createHmac('sha256', secret).update(text).digest('hex') };
  },
};
