// Operator handlers for control of the exchange: limits, quick trades and frozen markets.

import { RULES_VERSION_MAX } from '../../../core/messages/index.ts';
import {
  type Dependencies,
  type HandlersOf,
  requireOutcomes,
} from '../../../platform/http/index.ts';
import {
  type EngineLimits,
  type FrozenByCommand,
  type RulesVersion,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, decimalText, definedOf } from '../../approvals/http/index.ts';
import { VOID_COMMAND } from '../admin/frozen-commands.ts';
import {
  DELETE_TRANSACTION_LIMIT,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
} from '../admin/limits.ts';
import { readLimits, readRulesVersion } from '../admin/listed.ts';
import { SET_RULES_VERSION } from '../admin/rules-version.ts';
import { SET_USER_GROUP } from '../admin/user-groups.ts';
import { readCatalogue } from '../catalogue.ts';
import { readFreezes } from '../frozen-markets.ts';
import { limitOf } from './constants.ts';

export const controlRoutes: HandlersOf<'control'> = {
  async getTransactionLimits(_call, dependencies) {
    return (await readCatalogue(dependencies)).limits.map(limitOf);
  },

  setTransactionLimit(call, dependencies) {
    const { amount, currency, id, limit_currency, monthly_amount, tier, type } = call.body;
    const payload = {
      tier,
      type: type ?? 'withdrawal',
      currency: currency.toLowerCase(),
      limit_currency: (limit_currency ?? 'default').toLowerCase(),
      amount: decimalText(amount),
      monthly_amount: decimalText(monthly_amount ?? 0),
      ...definedOf({ id: id ?? undefined }),
    };
    return answerAct(call, dependencies, SET_TRANSACTION_LIMIT, payload, async (result) => {
      const { limits } = await readCatalogue(dependencies);
      const written = limits.find((one) => one.id === result.id);
      return written === undefined ? new Refused('outcome_unknown') : limitOf(written);
    });
  },

  deleteTransactionLimit(call, dependencies) {
    const payload = { id: call.query.id };
    return answerAct(call, dependencies, DELETE_TRANSACTION_LIMIT, payload, ({ id }) => ({
      message: 'Success',
      id,
    }));
  },

  async setQuickTrade(call, dependencies) {
    const { active = true, symbol, type = 'pro' } = call.body;
    if (type !== 'pro') return new Refused('quick_trade_type_unknown', { type });
    const payload = { symbol: symbol.toLowerCase(), active };
    return answerAct(call, dependencies, SET_QUICK_TRADE, payload, (result) => ({
      ...result,
      type: 'pro',
    }));
  },

  getEngineLimits: (_call, dependencies) => engineLimits(dependencies),

  setEngineLimits(call, dependencies) {
    const payload = definedOf(call.body);
    return answerAct(call, dependencies, SET_ENGINE_LIMITS, payload, async ({ commands }) => {
      const undone = await requireOutcomes(dependencies, commands);
      if (undone !== undefined) return undone;
      return engineLimits(dependencies);
    });
  },

  getRulesVersion: (_call, dependencies) => rulesVersion(dependencies),

  setRulesVersion(call, dependencies) {
    const { version } = call.body;
    return answerAct(call, dependencies, SET_RULES_VERSION, { version }, async ({ commands }) => {
      const undone = await requireOutcomes(dependencies, commands);
      if (undone !== undefined) return undone;
      return rulesVersion(dependencies);
    });
  },

  setUserGroup(call, dependencies) {
    const { group, is_house, user_id } = call.body;
    const payload = { user: user_id, ...definedOf({ group, is_house }) };
    return answerAct(call, dependencies, SET_USER_GROUP, payload, (result) => ({
      id: user_id,
      group: result.group,
      is_house: result.is_house,
    }));
  },

  getFrozen: (_call, dependencies) => frozen(dependencies),

  voidCommand(call, dependencies) {
    const payload = { command: call.body.command };
    return answerAct(call, dependencies, VOID_COMMAND, payload, async ({ commands }) => {
      const undone = await requireOutcomes(dependencies, commands);
      if (undone !== undefined) return undone;
      return frozen(dependencies);
    });
  },
};

function engineLimits({ exchange, registry }: Dependencies): Promise<EngineLimits> {
  return readLimits({ connection: registry, exchange });
}

async function rulesVersion({ exchange, registry }: Dependencies): Promise<RulesVersion> {
  const version = await readRulesVersion({ connection: registry, exchange });
  return { version, version_max: RULES_VERSION_MAX };
}

async function frozen({ exchange, registry }: Dependencies): Promise<FrozenByCommand[]> {
  const freezes = await readFreezes({ connection: registry, exchange });
  return freezes.map(({ channel, command, frame, frozenAt, market, waiting }) => ({
    command,
    symbol: market?.symbol ?? null,
    channel,
    waiting,
    frame,
    frozen_at: timeText(frozenAt.getTime()),
  }));
}
