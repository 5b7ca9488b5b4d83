// Handlers for surveillance: the queue of findings, rules and trials. A scheduled job writes the
// findings.

import type { UserId } from '../../../core/money/index.ts';
import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import {
  type FindingDetail,
  type FindingEvidence,
  type Finding as FindingJson,
  type SurveillanceRule,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, type OperatorCall } from '../../approvals/http/index.ts';
import { answerOperatorList, datesOf } from '../../reports/http/index.ts';
import { CLOSE_FINDING, expectedText, REOPEN_FINDING, SET_RULE, TAKE_FINDING } from '../admin.ts';
import { findingList } from '../finding-list.ts';
import {
  type Evidence,
  type Finding,
  findingOf,
  readEvidence,
  readFinding,
  readNote,
} from '../findings.ts';
import { checkParameters, type Sign } from '../rule.ts';
import { type RuleState, readRules, ruleOf, tryRule } from '../surveillance.ts';

type Handlers = HandlersOf<'surveillance'>;

/** Maximum signs shown for a trial. */
const SHOWN_MAX = 50;
const CHANGE_CALL = '/admin/finding:put';

const getFindings: Handlers['getFindings'] = (call, dependencies) => {
  const { result, rule, state, taken_by, user_id } = call.query;
  const list = findingList({
    reader: call.caller.user,
    rule,
    state,
    result,
    user: user_id as UserId | undefined,
    takenBy: taken_by as UserId | undefined,
    ...datesOf(call.query),
  });
  return answerOperatorList(call, dependencies, {
    ...list,
    write: (row) => JSON.stringify(findingJson(findingOf(row))),
    name: 'findings',
  });
};

export const surveillanceRoutes: Handlers = {
  getFindings,
  getFindingsFile: getFindings,

  getFinding: (call, dependencies) => readDetail(call, dependencies, call.query.id),

  changeFinding(call, dependencies) {
    const { action, id, note = '', result } = call.body;
    const answer = () => readDetail(call, dependencies, id);
    if (action === 'take') return answerAct(call, dependencies, TAKE_FINDING, { id }, answer);
    if (action === 'reopen') return answerAct(call, dependencies, REOPEN_FINDING, { id }, answer);
    if (result === undefined) return new Refused('finding_result_missing');
    return answerAct(call, dependencies, CLOSE_FINDING, { id, result, note }, answer);
  },

  async getSurveillanceRules(_call, { registry }) {
    return (await readRules(registry)).map(ruleJson);
  },

  async setSurveillanceRule(call, dependencies) {
    const { is_on, parameters, rule } = call.body;
    const before = await requireRule(dependencies, rule);
    const payload = {
      rule,
      isOn: is_on ?? before.isOn,
      parameters: { ...before.parameters, ...parameters },
    };
    return answerAct(call, dependencies, SET_RULE, payload, async () =>
      ruleJson(await requireRule(dependencies, rule)),
    );
  },

  async trySurveillanceRule({ body }, dependencies) {
    const { days, rule } = body;
    const { parameters: before } = await requireRule(dependencies, rule);
    const parameters = { ...before, ...body.parameters };
    if (checkParameters(ruleOf(rule), parameters) === undefined) {
      return new Refused('rule_parameters_invalid', { rule, expected: expectedText(rule) });
    }
    const { clock, exchange, registry } = dependencies;
    const { from, signs, to } = await tryRule(registry, {
      name: rule,
      parameters,
      days,
      nowMs: clock.nowMs(),
      projectionSchema: exchange.projectionSchema,
    });
    return {
      rule,
      from: timeText(from.getTime()),
      to: timeText(to.getTime()),
      findings_count: new Set(signs.map(({ object, user }) => `${user} ${object}`)).size,
      users_count: new Set(signs.map(({ user }) => user)).size,
      data: signs.slice(0, SHOWN_MAX).map(({ content, object, score, user }) => ({
        user_id: user,
        object,
        score,
        figures: content,
      })),
    };
  },
};

async function requireRule(
  { registry }: Pick<Dependencies, 'registry'>,
  rule: RuleState['name'],
): Promise<RuleState> {
  return (await readRules(registry)).find(({ name }) => name === rule)!;
}

/** The note is only for operators who work on the queue, not for keys or auditors. */
async function readDetail(
  { caller }: OperatorCall,
  { registry, vault }: Dependencies,
  id: number,
): Promise<FindingDetail | Refused<'finding_not_found'>> {
  const finding = await readFinding(registry, id, caller.user);
  if (finding === undefined) return new Refused('finding_not_found', { id });
  const { permissions, session } = caller;
  const mayReadNote = session !== 0 && (permissions.has('*') || permissions.has(CHANGE_CALL));
  const note = mayReadNote ? await readNote(registry, vault, finding) : undefined;
  const evidence = await readEvidence(registry, id);
  return {
    ...findingJson(finding),
    note: note ?? null,
    evidence: evidence.map((one) => evidenceJson(finding, one)),
  };
}

function findingJson(finding: Finding): FindingJson {
  const { closedAt, takenAt } = finding;
  return {
    id: finding.id,
    rule: finding.rule,
    user_id: finding.user,
    object: finding.object,
    score: finding.score,
    evidence_count: finding.evidenceCount,
    first_seen_at: timeText(finding.firstSeenAt.getTime()),
    last_seen_at: timeText(finding.lastSeenAt.getTime()),
    state: finding.state,
    result: finding.result ?? null,
    taken_by: finding.takenBy ?? null,
    taken_at: takenAt === undefined ? null : timeText(takenAt.getTime()),
    closed_at: closedAt === undefined ? null : timeText(closedAt.getTime()),
  };
}

function evidenceJson({ user }: Finding, { content, score, seenAt }: Evidence): FindingEvidence {
  return {
    seen_at: timeText(seenAt.getTime()),
    score,
    figures: content,
    calls: callsOf(user, content),
  };
}

/** Calls that show the rows behind the numbers. */
function callsOf(user: UserId, content: Sign['content']): string[] {
  const { deposits, from, login, market, to, users, withdrawal } = content;
  if (withdrawal === undefined) {
    const orders = Array.isArray(users) ? users : [user];
    return orders.map(
      (one) => `/v2/admin/orders?user_id=${one}&symbol=${market}&start_date=${from}&end_date=${to}`,
    );
  }
  const calls = [`/v2/admin/withdrawals?user_id=${user}&id=${withdrawal}`];
  if (login !== undefined) calls.push(`/v2/admin/logins?user_id=${user}`);
  if (Array.isArray(deposits) && deposits.length > 0) {
    calls.push(`/v2/admin/deposits?user_id=${user}`);
  }
  return calls;
}

function ruleJson({ checkedTo, isOn, name, parameters, updatedAt }: RuleState): SurveillanceRule {
  const ranges = Object.entries(ruleOf(name).parameters);
  return {
    rule: name,
    is_on: isOn,
    parameters: { ...parameters },
    ranges: ranges.map(([parameter, { looser, max, min }]) => ({
      name: parameter,
      min,
      max,
      looser,
    })),
    updated_at: timeText(updatedAt.getTime()),
    checked_to: checkedTo === undefined ? null : timeText(checkedTo.getTime()),
  };
}
