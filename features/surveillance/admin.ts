// Acts of surveillance: one operator takes a finding, closes it with a result, or puts it back. A
// rule is tightened by one person; another person approves what could make it find less.

import type { UserId } from '../../core/money/index.ts';
import { lockPersonalKey } from '../accounts/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  type Assessment,
  defineAct,
  findSharedMark,
} from '../approvals/index.ts';
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
  /** All of them. */
  readonly parameters: Parameters;
};

type Done = { readonly id: number };

/** The operator works on it: nobody else does meanwhile. */
export const TAKE_FINDING: Act<FindingName, Done> = defineAct({
  name: 'finding.take',
  votePower: 'approve.access',
  async assess(context, { id }) {
    const finding = await requireFinding(context, id);
    if (finding.state === 'closed') throw new ActRefused('finding_closed', { id });
    if (finding.state === 'taken' && finding.takenBy !== context.operator.user) {
      throw new ActRefused('finding_taken', { id });
    }
    return assessed(finding);
  },
  async execute(context, { id }) {
    const { connection, nowMs, operator } = context;
    const { user } = await requireFinding(context, id);
    await connection.query(
      `update findings set state = 'taken', taken_by = $2, taken_at = $3
       where id = $1 and state = 'open'`,
      [id, operator.user, new Date(nowMs)],
    );
    return { result: { id }, subject: user };
  },
});

/** By the operator who has taken it. The note is personal. */
export const CLOSE_FINDING: Act<FindingClosing, Done> = defineAct({
  name: 'finding.close',
  votePower: 'approve.access',
  personal: ['note'],
  async assess(context, { id, result }) {
    const finding = await requireFinding(context, id);
    if (finding.state !== 'taken' || finding.takenBy !== context.operator.user) {
      throw new ActRefused('finding_not_taken', { id });
    }
    if (result === 'frozen' && !(await isFrozen(context, finding.user))) {
      throw new ActRefused('finding_user_not_frozen', { user: finding.user });
    }
    return assessed(finding);
  },
  async execute(context, { id, note, result }) {
    const { connection, nowMs, vault } = context;
    const { score, user } = await requireFinding(context, id);
    const key = await lockPersonalKey(connection, vault, user);
    const sealed = typeof key === 'string' || note === '' ? null : key.seal(noteBound(id), note);
    await connection.query(
      `update findings set state = 'closed', result = $2, closed_at = $3, sealed_note = $4
       where id = $1`,
      [id, result, new Date(nowMs), sealed],
    );
    return {
      result: { id },
      subject: user,
      before: { state: 'taken' },
      after: { state: 'closed', result, score },
      ...(sealed !== null && { personal: { note } }),
    };
  },
});

/** Back into the queue: of another operator, or closed too early. The note stays. */
export const REOPEN_FINDING: Act<FindingName, Done> = defineAct({
  name: 'finding.reopen',
  votePower: 'approve.access',
  async assess(context, { id }) {
    const finding = await requireFinding(context, id);
    const { object, rule, state, user } = finding;
    if (state === 'open') throw new ActRefused('finding_open', { id });
    const { rows } = await context.connection.query(
      `select id from findings
       where rule = $1 and user_id = $2 and object = $3 and state <> 'closed' and id <> $4`,
      [rule, user, object, id],
    );
    if (rows.length > 0) throw new ActRefused('finding_continued', { id: Number(rows[0].id) });
    return assessed(finding);
  },
  async execute(context, { id }) {
    const { result, state, user } = await requireFinding(context, id);
    await context.connection.query(
      `update findings set state = 'open', result = null, closed_at = null, taken_by = null,
         taken_at = null where id = $1`,
      [id],
    );
    return { result: { id }, subject: user, before: { state, result: result ?? null } };
  },
});

export const SET_RULE: Act<RuleChange, { readonly rule: RuleName }> = defineAct({
  name: 'surveillance.rule',
  votePower: 'approve.access',
  async assess(context, change) {
    const { isOn, parameters, rule } = change;
    const before = await requireRule(context, change);
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
    };
  },
  async execute(context, change) {
    const { isOn, parameters, rule } = change;
    const before = await requireRule(context, change);
    await context.connection.query(
      `update surveillance_rules set is_on = $2, parameters = $3, updated_at = $4 where rule = $1`,
      [rule, isOn, JSON.stringify(parameters), new Date(context.nowMs)],
    );
    return { result: { rule }, before: storedRule(before), after: storedRule(change) };
  },
});

export const SURVEILLANCE_ACTS = [TAKE_FINDING, CLOSE_FINDING, REOPEN_FINDING, SET_RULE] as const;

/** Nobody judges a finding about someone who is evidently themselves. */
async function requireFinding({ connection, operator }: ActContext, id: number): Promise<Finding> {
  const finding = await readFinding(connection, id, operator.user);
  if (finding === undefined) throw new ActRefused('finding_not_found', { id });
  if ((await findSharedMark(connection, operator.user, [finding.user])) !== undefined) {
    throw new ActRefused('finding_not_independent', { id });
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
    throw new ActRefused('rule_parameters_invalid', { rule, expected: expectedText(rule) });
  }
  const states = await readRules(connection);
  return states.find(({ name }) => name === rule)!;
}

/** `hits_min 1 to 1000000, …`. */
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
