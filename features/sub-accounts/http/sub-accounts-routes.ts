// The routes of sub-accounts. The rules are in features/sub-accounts; here requests and answers get
// their wire form, and changes are announced after their commit.

import { setTimeout as pause } from 'node:timers/promises';
import { type Atoms, atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  ApiRefusal,
  type Dependencies,
  type HandlersOf,
  requireOutcome,
  signatureHash,
} from '../../../platform/http/index.ts';
import { type ErrorKey, type SubAccount, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findContent } from '../../accounts/http/index.ts';
import { actOf } from '../../auth/http/index.ts';
import { circumstancesOf } from '../../auth/index.ts';
import { requestedAsset, requireCoin } from '../../payments/http/index.ts';
import { transferInFamily } from '../family-transfers.ts';
import { openSubAccountSession } from '../sub-account-sessions.ts';
import {
  createSubAccount,
  hasEngineSettings,
  listSubAccounts,
  removeSubAccount,
  SUB_ACCOUNTS_EVER_MAX,
  SUB_ACCOUNTS_MAX,
  type SubAccountRow,
} from '../sub-accounts.ts';
import { announceEnded, requireOwnAccount } from './own-account.ts';

const READY_EVERY_MS = 20;
const READY_MS_MAX = 3_000;
const RETRY_AFTER_S = 1;
const DESCRIPTION = 'Sub-account transfer';

const TRANSFER_ERRORS = {
  sub_account_not_found: 'sub_account_not_found',
  sub_account_not_ready: 'sub_account_not_ready',
  exchange_read_only: 'exchange_read_only',
  account_is_deactivated: 'account_deactivated',
  signature_already_used: 'signature_replayed',
} as const satisfies Record<string, ErrorKey>;

export const subAccountsRoutes: HandlersOf<'subAccounts'> = {
  async getSubAccounts({ caller }, { registry }) {
    requireOwnAccount(caller);
    const data = (await listSubAccounts(registry, caller.user)).map(subAccountJson);
    return { count: data.length, data };
  },

  async createSubAccount({ body, caller, client }, dependencies) {
    requireOwnAccount(caller);
    const { color = null, email, password, virtual = false } = body;
    if (email !== undefined || password !== undefined) {
      throw new ApiRefusal('sub_account_has_no_login');
    }
    const label = body.label.trim();
    if (label === '') throw new ApiRefusal('request_invalid', { detail: 'label is empty' });
    const { registry, vault } = dependencies;
    const { user: parent } = caller;
    const created = await withConnection(registry, (connection) =>
      createSubAccount(connection, vault, {
        parent,
        label,
        color,
        isVirtual: virtual,
        circumstances: circumstancesOf(dependencies, client, parent),
      }),
    );
    if (typeof created === 'string') {
      const isEver = created === 'sub_accounts_ever_too_many';
      throw new ApiRefusal(created, { max: isEver ? SUB_ACCOUNTS_EVER_MAX : SUB_ACCOUNTS_MAX });
    }
    return subAccountJson(created);
  },

  async removeSubAccount({ body, caller }, dependencies) {
    requireOwnAccount(caller);
    const sub = body.subaccount_id as UserId;
    const refused = await withConnection(dependencies.registry, (connection) =>
      removeSubAccount(connection, {
        parent: caller.user,
        sub,
        findContent: (statements) => findContent(dependencies, statements, { user: sub }),
      }),
    );
    if (refused !== undefined) {
      throw new ApiRefusal(refused.refusal, 'detail' in refused ? { detail: refused.detail } : {});
    }
    dependencies.changes.announce({ user: sub, key: 0, session: 0, isRevoked: true });
    return { message: 'Success' };
  },

  async transferToSubAccount({ body, caller, signature }, dependencies) {
    requireOwnAccount(caller);
    const sub = body.subaccount_id as UserId;
    const { asset } = requireCoin(dependencies.catalogue.now, body.currency);
    const amountAtoms = requirePositive(body.amount, asset.scale);
    const { key, session, user: parent } = caller;
    const transfer = {
      parent,
      sub,
      amountAtoms,
      key,
      session,
      direction: body.direction,
      asset: requestedAsset(asset),
      description: body.description ?? DESCRIPTION,
      signatureHash: signatureHash(caller, signature),
    };
    const move = () =>
      withConnection(dependencies.registry, (connection) => transferInFamily(connection, transfer));
    let moved = await move();
    if (moved.kind === 'refused' && moved.refusal === 'sub_account_not_ready') {
      await untilReady(dependencies, [parent, sub]);
      moved = await move();
    }
    if (moved.kind === 'refused') {
      const { refusal } = moved;
      const retryAfterS = refusal === 'sub_account_not_ready' ? RETRY_AFTER_S : undefined;
      throw new ApiRefusal(TRANSFER_ERRORS[refusal], {}, retryAfterS);
    }
    const outcome = await requireOutcome(dependencies, moved.position);
    if (outcome instanceof Refused) return outcome;
    return { message: 'Success', transaction_id: moved.transactionId };
  },

  async openSubAccount(call, dependencies) {
    const { changes, exchange, registry, vault } = dependencies;
    const { address: ip, userAgent } = call.client;
    const sub = call.body.subaccount_id as UserId;
    const act = actOf(call, dependencies);
    const opened = await withConnection(registry, (connection) =>
      openSubAccountSession(connection, vault, {
        act,
        sub,
        ip,
        userAgent,
        exchangeName: exchange.name,
      }),
    );
    if (typeof opened === 'string') throw new ApiRefusal(opened);
    announceEnded(changes, sub, opened.ended);
    return { token: opened.token };
  },
};

function requirePositive(given: number | string, scale: number): Atoms {
  const amount = atomsFromDecimal(`${given}`, scale);
  if (!amount.ok && amount.problem !== 'negative') {
    throw new ApiRefusal('amount_invalid', { problem: amount.problem.replaceAll('_', ' ') });
  }
  if (!amount.ok || amount.value === 0n) throw new ApiRefusal('amount_must_be_positive');
  return amount.value;
}

/**
 * Waits until the engine knows the group of these users, which takes some milliseconds. If they
 * are not ready afterwards, a transfer is refused.
 */
async function untilReady(
  { clock, outcomes, registry }: Dependencies,
  users: readonly UserId[],
): Promise<void> {
  const untilMs = clock.elapsedMs() + READY_MS_MAX;
  while (!(await hasEngineSettings(registry, users)) && clock.elapsedMs() < untilMs) {
    outcomes.wakeDispatcher();
    await pause(READY_EVERY_MS);
  }
}

function subAccountJson(sub: SubAccountRow): SubAccount {
  return {
    id: sub.id,
    label: sub.label,
    color: sub.color,
    virtual: sub.isVirtual,
    email: sub.email,
    username: sub.username,
    verification_level: sub.verificationLevel,
    is_subaccount: true,
    created_at: timeText(sub.createdAt.getTime()),
  };
}
