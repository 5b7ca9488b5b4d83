// Rules for withdrawals. The policy applies the same checks when a withdrawal is requested and
// sends it to review; these rules add it to the queue, with evidence.

import {
  judgeSize,
  type RequestedWithdrawal,
  readSignedWithdrawals,
  type UnusualParameters,
  type WithdrawalRules,
} from '../payments/index.ts';
import {
  type Rule,
  type RuleContext,
  SIGNS_MAX,
  type Sign,
  type SignValue,
  type Span,
  scoreOf,
} from './rule.ts';

const PAGE = 500;

export const UNUSUAL_WITHDRAWAL: Rule = {
  name: 'unusual_withdrawal',
  parameters: {
    days: { min: 1, max: 366, looser: 'both' },
    count_min: { min: 1, max: 1_000, looser: 'up' },
    times_min: { min: 2, max: 10_000, looser: 'up' },
    deposit_hours: { min: 1, max: 720, looser: 'down' },
    percent_min: { min: 1, max: 100, looser: 'up' },
    value_min: { min: 0, max: 1_000_000_000, looser: 'up' },
  },
  findSigns(context, parameters, span) {
    const unusual = parameters as unknown as UnusualParameters;
    return judgeAll(context, span, { unusual, newCountry: null }, (withdrawal) => {
      const judged = judgeSize(withdrawal, unusual);
      if (!judged.isUnusual) return undefined;
      const { isEmptying, isLarge, percent, timesPercent, value } = judged;
      const { currency, requested, signs } = withdrawal;
      const score = isLarge ? scoreOf(timesPercent ?? 0, parameters.times_min * 100) : 100;
      return {
        score,
        content: {
          amount_atoms: requested.atoms,
          currency: requested.currency,
          value,
          value_currency: currency,
          is_large: isLarge,
          is_emptying: isEmptying,
          usual_atoms: signs.usualAtoms,
          earlier_count: signs.earlierCount,
          times_percent: timesPercent,
          percent_of_balance: percent,
          deposits: isEmptying ? signs.deposits : [],
        },
      };
    });
  },
};

export const NEW_COUNTRY: Rule = {
  name: 'new_country',
  parameters: { hours: { min: 1, max: 720, looser: 'down' } },
  findSigns(context, parameters, span) {
    const newCountry = { hours: parameters.hours };
    return judgeAll(context, span, { unusual: null, newCountry }, ({ requested, signs }) => {
      const { newCountryLogin: login } = signs;
      if (login === null) return undefined;
      const { atoms: amount_atoms, currency } = requested;
      return { score: 100, content: { login, amount_atoms, currency } };
    });
  },
};

type Judgement = { readonly score: number; readonly content: Readonly<Record<string, SignValue>> };

async function judgeAll(
  { statements }: RuleContext,
  { from, to }: Span,
  rules: WithdrawalRules,
  judge: (withdrawal: RequestedWithdrawal) => Judgement | undefined,
): Promise<Sign[]> {
  const signs: Sign[] = [];
  let last = { at: from, id: 0 };
  for (;;) {
    const range = { from: last, to, limit: PAGE };
    const page = await readSignedWithdrawals(statements, { ...range, rules });
    for (const withdrawal of page) {
      last = withdrawal;
      const judged = judge(withdrawal);
      if (judged !== undefined) signs.push(signOf(withdrawal, judged));
    }
    if (page.length < PAGE) break;
  }
  return signs.sort((one, other) => other.score - one.score).slice(0, SIGNS_MAX);
}

function signOf({ at, id, user }: RequestedWithdrawal, { content, score }: Judgement): Sign {
  const key = `withdrawal ${id}`;
  return { user, object: key, key, begunAt: at, score, content: { withdrawal: id, ...content } };
}
