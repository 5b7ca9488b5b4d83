// Operator actions for surveillance: one operator takes a finding, closes it with a result, or puts
// it back. Tightening a rule needs no approval; any change that could make it find less does.

import type { UserId } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { lockPersonalKey } from '../accounts/index.ts';
import { type ActContext, type Assessment, defineAct, findSharedMark } from '../approvals/index.ts';
import type { JsonObject } from '../audit/index.ts';
import type { FindingResult } from './api/surveillance.ts';
import { type Finding, noteBound, readFinding } from './findings.ts';
import { checkParameters, isLooser, type Parameters, RULE_NAMES, type RuleName } from './rule.ts';
import { readRules, ruleOf } from './surveillance.ts';

export type FindingName = { readonly id: number };
export type FindingClosing = FindingName & {
  readonly result: FindingResult;
  readonly note: string;
};
export type RuleChange = {
  readonly rule: RuleName;
  readonly isOn: boolean;
  /** The complete set. */
  readonly parameters: Parameters;
};

/** The operator works on it, and no other operator can. */
export const TAKE_FINDING = defineAct({
  name: 'finding.take',
  votePower: 'approve.access',
  async prepare(context: ActContext, { id }: FindingName) {
    const { connection, nowMs, operator } = context;
    const finding = await requireFinding(context, id);
    if (finding instanceof Refused) return finding;
    const { state, takenBy, user } = finding;
    if (state === 'closed') return new Refused('finding_closed', { id });
    if (state === 'taken' && takenBy !== operator.user) return new Refused('finding_taken', { id });
    return {
      ...assessed(finding),
      async run() {
        await connection.query(
          `update findings set state = 'taken', taken_by = $2, taken_at = $3
           where id = $1 and state = 'open'`,
          [id, operator.user, new Date(nowMs)],
        );
        return { result: { id }, subject: user };
      },
    };
  },
});

/** By the operator who has taken it. The note is personal. */
export const CLOSE_FINDING = defineAct({
  name: 'finding.close',
  votePower: 'approve.access',
  personal: ['note'],
  async prepare(context: ActContext, { id, note, result }: FindingClosing) {
    const { connection, nowMs, operator, vault } = context;
    const finding = await requireFinding(context, id);
    if (finding instanceof Refused) return finding;
    const { score, state, takenBy, user } = finding;
    if (state !== 'taken' || takenBy !== operator.user) {
      return new Refused('finding_not_taken', { id });
    }
    if (result === 'frozen' && !(await isFrozen(context, user))) {
      return new Refused('finding_user_not_frozen', { user });
    }
    return {
      ...assessed(finding),
      async run() {
        const key = await lockPersonalKey(connection, vault, user);
        const isSealed = typeof key !== 'string' && note !== '';
        await connection.query(
          `update findings set state = 'closed', result = $2, closed_at = $3, sealed_note = $4
           where id = $1`,
          [id, result, new Date(nowMs), isSealed ? key.seal(noteBound(id), note) : null],
        );
        return {
          result: { id },
          subject: user,
          before: { state: 'taken' },
          after: { state: 'closed', result, score },
          ...(isSealed && { personal: { note } }),
        };
      },
    };
  },
});

/**
 * Returns it to the queue, if another operator has it or it was closed too early. The note stays.
 */
export const REOPEN_FINDING = defineAct({
  name: 'finding.reopen',
  votePower: 'approve.access',
  async prepare(context: ActContext, { id }: FindingName) {
    const { connection } = context;
    const finding = await requireFinding(context, id);
    if (finding instanceof Refused) return finding;
    const { object, result, rule, state, user } = finding;
    if (state === 'open') return new Refused('finding_open', { id });
    const { rows } = await connection.query(
      `select id from findings
       where rule = $1 and user_id = $2 and object = $3 and state <> 'closed' and id <> $4`,
      [rule, user, object, id],
    );
    if (rows.length > 0) return new Refused('finding_continued', { id: Number(rows[0].id) });
    return {
      ...assessed(finding),
      async run() {
        await connection.query(
          `update findings set state = 'open', result = null, closed_at = null, taken_by = null,
             taken_at = null where id = $1`,
          [id],
        );
        return { result: { id }, subject: user, before: { state, result: result ?? null } };
      },
    };
  },
});

export const SET_RULE = defineAct({
  name: 'surveillance.rule',
  votePower: 'approve.access',
  async prepare(context: ActContext, change: RuleChange) {
    const { isOn, parameters, rule } = change;
    const before = await requireRule(context, change);
    if (before instanceof Refused) return before;
    const isLess = (before.isOn && !isOn) || isLooser(ruleOf(rule), before.parameters, parameters);
    return {
      object: `rule ${rule}`,
      objectVersion: before.updatedAt.toISOString(),
      approvals: isLess ? 1 : 0,
      beneficiaries: [],
      shown: [
        { label: 'Rule', value: rule },
        { label: 'Before', value: shownRule(before) },
        { label: 'After', value: shownRule(change) },
      ],
      async run() {
        await context.connection.query(
          `update surveillance_rules set is_on = $2, parameters = $3, updated_at = $4
           where rule = $1`,
          [rule, isOn, JSON.stringify(parameters), new Date(context.nowMs)],
        );
        return { result: { rule }, before: storedRule(before), after: storedRule(change) };
      },
    };
  },
});

export const SURVEILLANCE_ACTS = [TAKE_FINDING, CLOSE_FINDING, REOPEN_FINDING, SET_RULE] as const;

/** An operator cannot decide on a finding about an account that is evidently their own. */
async function requireFinding(
  { connection, operator }: ActContext,
  id: number,
): Promise<Finding | Refused<'finding_not_found' | 'finding_not_independent'>> {
  const finding = await readFinding(connection, id, operator.user);
  if (finding === undefined) return new Refused('finding_not_found', { id });
  if ((await findSharedMark(connection, operator.user, [finding.user])) !== undefined) {
    return new Refused('finding_not_independent', { id });
  }
  return finding;
}

async function isFrozen({ connection }: ActContext, user: UserId): Promise<boolean> {
  const { rows } = await connection.query('select state from users where id = $1', [user]);
  return rows[0].state === 'frozen';
}

function assessed({ id, object, rule, user }: Finding): Assessment {
  return {
    object: `finding ${id}`,
    objectVersion: '',
    approvals: 0,
    beneficiaries: [],
    subjects: [user],
    shown: [{ label: 'Finding', value: `${rule}, user ${user}, ${object}` }],
  };
}

interface RuleTerms {
  readonly isOn: boolean;
  readonly parameters: Parameters;
}

async function requireRule({ connection }: ActContext, { parameters, rule }: RuleChange) {
  if (!RULE_NAMES.includes(rule) || checkParameters(ruleOf(rule), parameters) === undefined) {
    return new Refused('rule_parameters_invalid', { rule, expected: expectedText(rule) });
  }
  const states = await readRules(connection);
  return states.find(({ name }) => name === rule)!;
}

/** For example `hits_min 1 to 1000000, …`. */
export function expectedText(rule: RuleName): string {
  return Object.entries(ruleOf(rule).parameters)
    .map(([name, { max, min }]) => `${name} ${min} to ${max}`)
    .join(', ');
}

function shownRule({ isOn, parameters }: RuleTerms): string {
  const texts = Object.entries(parameters).map(([name, value]) => `${name} ${value}`);
  return `${isOn ? 'on' : 'off'}, ${texts.toSorted().join(', ')}`;
}

function storedRule({ isOn, parameters }: RuleTerms): JsonObject {
  return { is_on: isOn, parameters: { ...parameters } };
}
