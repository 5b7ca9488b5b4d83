// Handlers for referral. The rules are in features/referral; this file converts requests and
// responses to their wire form, and a payout awaits the engine.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import {
  answerList,
  awaitOutcome,
  type Dependencies,
  type HandlersOf,
  type ListCall,
  type ListSource,
  momentFilter,
} from '../../../platform/http/index.ts';
import type { OutboxPosition } from '../../../platform/outbox/index.ts';
import {
  decimal,
  type ReferralEarning,
  type ReferralPayout,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { affiliationsOfReferrer, applyReferral } from '../affiliations.ts';
import { checkReferralCode, createReferralCode, listReferralCodes } from '../codes.ts';
import {
  accrualOf,
  accrualsOfReferrer,
  payoutOf,
  payoutsOfReferrer,
  readUnrealized,
  requestPayout,
} from '../payouts.ts';
import { readReferralSettings } from '../settings.ts';
import { affiliationJson, codeJson } from './referral-json.ts';

export const referralRoutes: HandlersOf<'referral'> = {
  async checkReferralCode({ query }, { exchange, registry }) {
    const settings = await readReferralSettings(registry, exchange.projectionSchema);
    const code = settings && (await checkReferralCode(registry, query.code, settings));
    return {
      valid: code !== undefined,
      discount: code?.discount ?? 0,
      earning_rate: code?.earningRate ?? 0,
    };
  },

  async getReferralCodes({ caller }, { registry }) {
    const codes = await listReferralCodes(registry, caller.user);
    return { count: codes.length, data: codes.map(codeJson) };
  },

  async createReferralCode({ body, caller }, dependencies) {
    const settings = await requireSettings(dependencies);
    if (settings instanceof Refused) return settings;
    const { code, discount, earning_rate: earningRate } = body;
    const asked = { owner: caller.user, code, discount, earningRate };
    const made = await withConnection(dependencies.registry, (connection) =>
      createReferralCode(connection, asked, settings),
    );
    return made instanceof Refused ? made : codeJson(made);
  },

  async applyReferralCode({ body, caller }, { exchange, outcomes, registry }) {
    const asked = { user: caller.user, code: body.code };
    const refusal = await withConnection(registry, (connection) =>
      inTransaction(connection, () => applyReferral(connection, asked, exchange.projectionSchema)),
    );
    if (refusal !== undefined) return refusal;
    // The dispatcher also sends the discount.
    outcomes.wakeDispatcher();
    return { message: 'Success' };
  },

  getAffiliations(call, dependencies) {
    return answerOf(dependencies, call, {
      ...affiliationsOfReferrer,
      sortColumns: { created_at: 'a.created_at', user_id: 'a.user_id' },
      write: (row) => JSON.stringify(affiliationJson(row)),
      fileName: 'affiliations',
    });
  },

  async getUnrealizedReferral({ caller }, { exchange, registry }) {
    const { user } = caller;
    const unrealized = await readUnrealized(registry, user, exchange.projectionSchema);
    if (unrealized === undefined || unrealized.atoms === 0n) return { data: [] };
    const { atoms, currency, scale } = unrealized;
    return {
      data: [{ referer: user, coin: currency, accumulated_fees: amountJson(atoms, scale) }],
    };
  },

  async settleReferral({ caller }, dependencies) {
    const { exchange, registry } = dependencies;
    const settings = await requireSettings(dependencies);
    if (settings instanceof Refused) return settings;
    const { currency, scale } = settings;
    const payout = await withConnection(registry, (connection) =>
      requestPayout(connection, caller.user, exchange.projectionSchema),
    );
    if (payout instanceof Refused) return payout;
    const refusal = await awaitPayout(dependencies, payout.position);
    if (refusal !== undefined) return refusal;
    return { message: 'Success', amount: amountJson(payout.amountAtoms, scale), currency };
  },

  getRealizedReferral(call, dependencies) {
    return answerOf(dependencies, call, {
      ...payoutsOfReferrer,
      sortColumns: {
        id: 'p.id',
        created_at: 'p.created_at',
        coin: 'p.currency',
        accumulated_fees: 'p.amount_atoms',
      },
      write: (row) => JSON.stringify(payoutJson(row)),
      fileName: 'referral-payouts',
    });
  },

  getReferralHistory(call, dependencies) {
    return answerOf(dependencies, call, {
      ...accrualsOfReferrer,
      sortColumns: {
        created_at: 'b.to_time',
        referee: 'r.user_id',
        accumulated_fees: 'r.numerator',
      },
      write: (row) => JSON.stringify(earningJson(row)),
      fileName: 'referral-history',
    });
  },
};

async function requireSettings({ exchange, registry }: Dependencies) {
  const settings = await readReferralSettings(registry, exchange.projectionSchema);
  return settings ?? new Refused('referral_is_off');
}

/** After a timeout the payout is in progress; a rejected one counts as never requested. */
async function awaitPayout(dependencies: Dependencies, position: OutboxPosition) {
  const outcome = await awaitOutcome(dependencies, position);
  if (!(outcome instanceof Refused)) return undefined;
  const isUnfunded = outcome.key === 'balance_too_small';
  return isUnfunded ? new Refused('referral_payout_not_funded') : outcome;
}

type ReferralList = Omit<ListSource, 'pool' | 'clock' | 'values'>;

/** A list of the caller's own rows. */
function answerOf(
  { clock, exchange, registry: pool }: Dependencies,
  call: ListCall & { readonly caller: NonNullable<ListCall['caller']> },
  list: ReferralList,
) {
  const { caller, query } = call;
  const values = [caller.user, momentFilter(query.start_date), momentFilter(query.end_date)];
  const fileName = `${exchange.name}-${list.fileName}`;
  return answerList(call, { ...list, fileName, pool, clock, values });
}

function payoutJson(row: Parameters<typeof payoutOf>[0]): ReferralPayout {
  const { amountAtoms, createdAt, currency, id, referrer, scale } = payoutOf(row);
  return {
    id,
    referer: referrer,
    coin: currency,
    accumulated_fees: amountJson(amountAtoms, scale),
    status: true,
    created_at: timeText(createdAt.getTime()),
  };
}

function earningJson(row: Parameters<typeof accrualOf>[0]): ReferralEarning {
  const { at, atoms, code, currency, referrer, scale, user } = accrualOf(row);
  return {
    referer: referrer,
    referee: user,
    code,
    coin: currency,
    accumulated_fees: amountJson(atoms, scale),
    created_at: timeText(at.getTime()),
  };
}

function amountJson(atoms: Atoms, scale: number) {
  return decimal(decimalFromAtoms(atoms, scale));
}
