// A rule of surveillance: parameters, and a question to the tables whose answer is signs. Run again
// over the same rows it gives the same signs. A rule changes nothing.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';

export const RULE_NAMES = [
  'price_band',
  'self_trade',
  'cancel_ratio',
  'unusual_withdrawal',
  'new_country',
] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** Integers by name. */
export type Parameters = Readonly<Record<string, number>>;

export interface ParameterRange {
  readonly min: number;
  readonly max: number;
  /** The direction in which the rule finds less; `both` if neither is sure to find more. */
  readonly looser: 'up' | 'down' | 'both';
}

/** Something that a rule has seen: ids and figures, never a personal value. */
export interface Sign {
  readonly user: UserId;
  /** `market btc-usdt`, `withdrawal 12`. */
  readonly object: string;
  /** Of this evidence: a window or a request. The same rows have the same key. */
  readonly key: string;
  /** When it began. Evidence from before the end of a closed finding is not opened again. */
  readonly begunAt: Date;
  /** 100 is a limit that is just reached. */
  readonly score: number;
  readonly content: Readonly<Record<string, SignValue>>;
}

export type SignValue = string | number | boolean | null | readonly number[];

export interface RuleContext {
  readonly statements: Statements;
  readonly projectionSchema: string;
}

/** Rows after `from` up to `to`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface Rule {
  readonly name: RuleName;
  readonly parameters: Readonly<Record<string, ParameterRange>>;
  /** Of rules that count within windows of the clock. */
  windowMs?(parameters: Parameters): number;
  /** Windows: `from` and `to` are their bounds. Highest score first, at most SIGNS_MAX. */
  findSigns(context: RuleContext, parameters: Parameters, span: Span): Promise<Sign[]>;
}

/** A rule that finds more than this has wrong parameters. */
export const SIGNS_MAX = 1_000;
/** Ids of one sign: more would not say more. */
export const IDS_MAX = 20;
const SCORE_MAX = 1_000_000;

/** 100 at the limit. */
export function scoreOf(found: number, limit: number): number {
  return Math.min(Math.floor((found * 100) / Math.max(limit, 1)), SCORE_MAX);
}

/** Undefined: not the parameters of this rule, or one of them is out of range. */
export function checkParameters(
  { parameters: ranges }: Pick<Rule, 'parameters'>,
  given: Parameters,
): Parameters | undefined {
  const names = Object.keys(ranges);
  if (Object.keys(given).length !== names.length) return undefined;
  const isRight = names.every((name) => {
    const value = given[name];
    return Number.isSafeInteger(value) && value >= ranges[name].min && value <= ranges[name].max;
  });
  return isRight ? given : undefined;
}

/** Whether the rule may find less afterwards. */
export function isLooser(
  { parameters: ranges }: Pick<Rule, 'parameters'>,
  before: Parameters,
  after: Parameters,
): boolean {
  return Object.entries(ranges).some(([name, { looser }]) => {
    const change = after[name] - before[name];
    if (change === 0) return false;
    return looser === 'both' || (looser === 'up') === change > 0;
  });
}
