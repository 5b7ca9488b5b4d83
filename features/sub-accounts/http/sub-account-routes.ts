// Handlers for sub-accounts. The rules are in features/sub-accounts; this file converts requests
// and responses to their wire form and announces changes after their commit.

import { setTimeout as pause } from 'node:timers/promises';
import { atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  type Dependencies,
  type HandlersOf,
  requireOutcome,
  signatureHash,
} from '../../../platform/http/index.ts';
import { type SubAccount, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findContent } from '../../accounts/http/index.ts';
import { personContext } from '../../auth/http/index.ts';
import { type Caller, circumstancesOf } from '../../auth/index.ts';
import { requestedAsset, requireCoin } from '../../payments/http/index.ts';
import { transferInFamily } from '../family-transfers.ts';
import { openSubAccountSession } from '../sub-account-sessions.ts';
import {
  createSubAccount,
  hasEngineSettings,
  listSubAccounts,
  removeSubAccount,
  type SubAccountRow,
} from '../sub-accounts.ts';

const READY_EVERY_MS = 20;
const READY_MS_MAX = 3_000;
const DESCRIPTION = 'Sub-account transfer';

export const subAccountsRoutes: HandlersOf<'subAccounts'> = {
  async getSubAccounts({ caller }, { registry }) {
    const refusal = requireOwnAccount(caller);
    if (refusal !== undefined) return refusal;
    const data = (await listSubAccounts(registry, caller.user)).map(subAccountJson);
    return { count: data.length, data };
  },

  async createSubAccount({ body, caller, client }, dependencies) {
    const refusal = requireOwnAccount(caller);
    if (refusal !== undefined) return refusal;
    const { color = null, email, password, virtual = false } = body;
    if (email !== undefined || password !== undefined) {
      return new Refused('sub_account_has_no_login');
    }
    const label = body.label.trim();
    if (label === '') return new Refused('request_invalid', { detail: 'label must not be empty' });
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
    return created instanceof Refused ? created : subAccountJson(created);
  },

  async removeSubAccount({ body, caller }, dependencies) {
    const refusal = requireOwnAccount(caller);
    if (refusal !== undefined) return refusal;
    const sub = body.subaccount_id as UserId;
    const refused = await withConnection(dependencies.registry, (connection) =>
      removeSubAccount(connection, {
        parent: caller.user,
        sub,
        findContent: (statements) => findContent(dependencies, statements, { user: sub }),
      }),
    );
    if (refused !== undefined) return refused;
    dependencies.changes.announce({ user: sub, key: 0, session: 0, isRevoked: true });
    return { message: 'Success' };
  },

  async transferToSubAccount({ body, caller, signature }, dependencies) {
    const refusal = requireOwnAccount(caller);
    if (refusal !== undefined) return refusal;
    const sub = body.subaccount_id as UserId;
    const coin = requireCoin(dependencies.catalogue.now, body.currency);
    if (coin instanceof Refused) return coin;
    const { asset } = coin;
    const amountAtoms = requirePositive(body.amount, asset.scale);
    if (amountAtoms instanceof Refused) return amountAtoms;
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
    if (moved instanceof Refused && moved.key === 'sub_account_not_ready') {
      await untilReady(dependencies, [parent, sub]);
      moved = await move();
    }
    if (moved instanceof Refused) return moved;
    const outcome = await requireOutcome(dependencies, moved.position);
    if (outcome instanceof Refused) return outcome;
    return { message: 'Success', transaction_id: moved.transactionId };
  },

  async openSubAccount(call, dependencies) {
    const { changes, exchange, registry, vault } = dependencies;
    const { address: ip, userAgent } = call.client;
    const sub = call.body.subaccount_id as UserId;
    const person = personContext(call, dependencies);
    const opened = await withConnection(registry, (connection) =>
      openSubAccountSession(connection, vault, {
        person,
        sub,
        ip,
        userAgent,
        exchangeName: exchange.name,
      }),
    );
    if (opened instanceof Refused) return opened;
    announceEnded(changes, sub, opened.ended);
    return { token: opened.token };
  },
};

/** Sub-accounts have neither sub-accounts nor guests, and guests cannot see those of their host. */
export function requireOwnAccount({ isSubAccount, sessionKind }: Caller) {
  const isOwn = !isSubAccount && (sessionKind === undefined || sessionKind === 'login');
  return isOwn ? undefined : new Refused('sub_account_not_allowed');
}

/** Makes gateways drop these sessions and close their sockets. */
export function announceEnded(
  changes: Dependencies['changes'],
  user: UserId,
  sessions: readonly number[],
): void {
  for (const session of sessions) changes.announce({ user, key: 0, session, isRevoked: true });
}

function requirePositive(given: number | string, scale: number) {
  const amount = atomsFromDecimal(`${given}`, scale);
  if (!amount.ok && amount.problem !== 'negative') {
    return new Refused('amount_invalid', { problem: amount.problem.replaceAll('_', ' ') });
  }
  const isPositive = amount.ok && amount.value > 0n;
  return isPositive ? amount.value : new Refused('amount_must_be_positive');
}

/**
 * Waits until the engine has the group of these users, which takes some milliseconds. If they are
 * not ready afterward, a transfer is rejected.
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
