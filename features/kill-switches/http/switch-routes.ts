// Handlers for kill switches and banners. A stop happens immediately; a resume needs approval from
// other operators.

import {
  type Dependencies,
  type HandlersOf,
  requireOutcomes,
} from '../../../platform/http/index.ts';
import { decimal, type SwitchState, timeText } from '../../../protocol/index.ts';
import { answerAct, definedOf } from '../../approvals/http/index.ts';
import { REMOVE_BANNER, SET_BANNER } from '../admin/banners.ts';
import { readImpact } from '../admin/impact.ts';
import { RESUME, STOP } from '../admin/stop-and-resume.ts';
import { checkTarget, objectsOf, type SwitchTarget } from '../admin/switch-target.ts';
import { readSwitches } from '../admin/switches.ts';
import { SWITCH_NAMES } from '../api/switches.ts';
import { stopAccounts } from './stop-accounts.ts';

export const switchRoutes: HandlersOf<'switches'> = {
  getSwitches: (_call, dependencies) => switchStates(dependencies),

  async getSwitchImpact({ query }, { clock, exchange, registry }) {
    const { mode, ...fields } = query;
    const target = targetOf(fields);
    const reader = { connection: registry, exchange, nowMs: clock.nowMs() };
    const refusal = await checkTarget(reader, { ...target, ...definedOf({ mode }) });
    if (refusal !== undefined) return refusal;
    const { money, unpriced, value, ...counts } = await readImpact(reader, target);
    return {
      ...counts,
      money: money.map(({ amount, currency }) => ({ currency, amount: decimal(amount) })),
      value: decimal(value),
      unpriced: [...unpriced],
    };
  },

  stopSwitch(call, dependencies) {
    const { banner, mode, reason, ...fields } = call.body;
    const target = targetOf(fields);
    const payload = { ...target, ...definedOf({ banner, mode, reason }) };
    return answerAct(call, dependencies, STOP, payload, async ({ commands, name }) => {
      const undone = await requireOutcomes(dependencies, commands);
      if (undone !== undefined) return undone;
      const objects = name === 'accounts' ? (objectsOf(target) ?? []) : undefined;
      const refused = objects && (await stopAccounts(dependencies, objects));
      if (refused !== undefined) return refused;
      return switchStates(dependencies);
    });
  },

  resumeSwitch(call, dependencies) {
    const { mode, ...fields } = call.body;
    const payload = { ...targetOf(fields), ...definedOf({ mode }) };
    return answerAct(call, dependencies, RESUME, payload, async ({ commands }) => {
      const undone = await requireOutcomes(dependencies, commands);
      if (undone !== undefined) return undone;
      return switchStates(dependencies);
    });
  },

  setBanner(call, dependencies) {
    const { kind, text } = call.body;
    return answerAct(call, dependencies, SET_BANNER, { kind, text }, (result) => result);
  },

  removeBanner(call, dependencies) {
    return answerAct(call, dependencies, REMOVE_BANNER, {}, () => ({ message: 'Success' }));
  },
};

async function switchStates({ registry }: Dependencies): Promise<SwitchState[]> {
  const { stops } = await readSwitches(registry);
  return SWITCH_NAMES.map((name) => ({
    name,
    stopped: stops
      .filter((stop) => stop.name === name)
      .map(({ banner, mode, object, reason, resumesTo, stoppedAt, stoppedBy }) => ({
        object,
        mode: mode === '' ? null : mode,
        resumes_to: resumesTo === '' ? null : resumesTo,
        stopped_by: stoppedBy ?? null,
        stopped_at: timeText(stoppedAt.getTime()),
        reason,
        banner,
      })),
  }));
}

type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

function targetOf({
  name,
  symbol,
  ...fields
}: Pick<SwitchTarget, 'name'> & Optional<Omit<SwitchTarget, 'name'>>): SwitchTarget {
  return { name, ...definedOf({ ...fields, symbol: symbol?.toLowerCase() }) };
}
