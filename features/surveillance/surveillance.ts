// Runs the rules: reads new rows, records findings, and stores its position. Can be killed or
// repeated at any point: the same rows change nothing again.

import {
  assertPlainName,
  type Connection,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import { recordSigns } from './findings.ts';
import {
  checkParameters,
  type Parameters,
  type Rule,
  type RuleName,
  type Sign,
  type Span,
} from './rule.ts';
import { CANCEL_RATIO, PRICE_BAND, SELF_TRADE } from './trading-rules.ts';
import { NEW_COUNTRY, UNUSUAL_WITHDRAWAL } from './withdrawal-rules.ts';

export const RULES: readonly Rule[] = [
  PRICE_BAND,
  SELF_TRADE,
  CANCEL_RATIO,
  UNUSUAL_WITHDRAWAL,
  NEW_COUNTRY,
];

export function ruleOf(name: RuleName): Rule {
  return RULES.find((rule) => rule.name === name)!;
}

export interface RuleState {
  readonly name: RuleName;
  readonly isOn: boolean;
  readonly parameters: Parameters;
  readonly updatedAt: Date;
  readonly checkedTo: Date | undefined;
}

export async function readRules(statements: Statements): Promise<RuleState[]> {
  const { rows } = await statements.query('select * from surveillance_rules');
  return RULES.map(({ name }) => {
    const row = rows.find(({ rule }) => rule === name);
    if (row === undefined) throw new Error(`rule ${name} has no row`);
    return {
      name,
      isOn: row.is_on,
      parameters: row.parameters,
      updatedAt: row.updated_at,
      checkedTo: row.checked_to ?? undefined,
    };
  });
}

/** A request commits after its time, so it is read again for this long. */
const OVERLAP_MS = 5 * 60_000;
/** After a long stop a run catches up in steps. */
const WINDOWS_MAX = 12;
const FIRST_SPAN_MS = 24 * 3_600_000;

/** Returns the number of findings that were opened or got more evidence. */
export async function runSurveillance(
  connection: Connection,
  { nowMs, projectionSchema }: { readonly nowMs: number; readonly projectionSchema: string },
): Promise<number> {
  const projectedMs = await projectedTo(connection, projectionSchema);
  let changed = 0;
  for (const state of await readRules(connection)) {
    const rule = ruleOf(state.name);
    if (!state.isOn) continue;
    // Orders exist only as far as they are projected.
    const untilMs = rule.windowMs === undefined ? nowMs : projectedMs;
    if (untilMs === undefined) continue;
    const span = nextSpan(rule, state, untilMs);
    const context = { statements: connection, projectionSchema };
    const signs = await rule.findSigns(context, state.parameters, span);
    changed += await inTransaction(connection, async () => {
      const count = await recordSigns(connection, state, signs);
      await connection.query(
        `update surveillance_rules set checked_to = $2
         where rule = $1 and checked_to is distinct from $2`,
        [rule.name, new Date(Math.min(span.to.getTime(), untilMs))],
      );
      return count;
    });
  }
  return changed;
}

/** The current window and the previous one, whose last orders can still be canceled. */
function nextSpan(rule: Rule, { checkedTo, parameters }: RuleState, untilMs: number): Span {
  if (rule.windowMs === undefined) {
    const fromMs = (checkedTo?.getTime() ?? untilMs - FIRST_SPAN_MS) - OVERLAP_MS;
    return { from: new Date(fromMs), to: new Date(untilMs) };
  }
  const windowMs = rule.windowMs(parameters);
  const checkedMs = Math.min(checkedTo?.getTime() ?? untilMs, untilMs);
  const fromMs = windowStart(checkedMs, windowMs) - windowMs;
  const endMs = windowStart(untilMs, windowMs) + windowMs;
  return {
    from: new Date(fromMs),
    to: new Date(Math.min(endMs, fromMs + WINDOWS_MAX * windowMs)),
  };
}

function windowStart(atMs: number, windowMs: number): number {
  return Math.floor(atMs / windowMs) * windowMs;
}

export interface Trial {
  readonly from: Date;
  readonly to: Date;
  /** At most SIGNS_MAX, highest score first. */
  readonly signs: readonly Sign[];
}

/** Returns the signs that these parameters would have found. Writes nothing. */
export async function tryRule(
  statements: Statements,
  { days, name, nowMs, parameters, projectionSchema }: TrialRequest,
): Promise<Trial> {
  const rule = ruleOf(name);
  if (checkParameters(rule, parameters) === undefined) throw new RangeError(name);
  const asked = { from: new Date(nowMs - days * 86_400_000), to: new Date(nowMs) };
  const span =
    rule.windowMs === undefined
      ? asked
      : await wholeWindows(statements, asked, rule.windowMs(parameters), projectionSchema);
  const signs = await rule.findSigns({ statements, projectionSchema }, parameters, span);
  return { ...span, signs };
}

export interface TrialRequest {
  readonly name: RuleName;
  readonly parameters: Parameters;
  readonly days: number;
  readonly nowMs: number;
  readonly projectionSchema: string;
}

/** Maximum commands that a trial reads: a few seconds of database work. */
const COMMANDS_TRIED_MAX = 3_000_000;

/** Not further back than the newest commands reach. */
async function wholeWindows(
  statements: Statements,
  { from, to }: Span,
  windowMs: number,
  projectionSchema: string,
): Promise<Span> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select start from ${projectionSchema}.minutes
     where first_command >= (select first_command from ${projectionSchema}.minutes
       order by start desc limit 1) - $1::bigint
     order by start limit 1`,
    [COMMANDS_TRIED_MAX],
  );
  const reachedMs = rows[0]?.start.getTime() ?? from.getTime();
  const fromMs = Math.max(from.getTime(), reachedMs);
  return {
    from: new Date(Math.ceil(fromMs / windowMs) * windowMs),
    to: new Date(windowStart(to.getTime(), windowMs) + windowMs),
  };
}

async function projectedTo(
  statements: Statements,
  projectionSchema: string,
): Promise<number | undefined> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select projected_to from ${projectionSchema}.projection`,
  );
  return rows[0]?.projected_to.getTime();
}
