// A surveillance rule: parameters, and a query on the tables that returns signs. The same rows
// always give the same signs. A rule must not change anything.

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
  /** Direction in which the rule finds less; `both` if neither is sure to find more. */
  readonly looser: 'up' | 'down' | 'both';
}

/** Something that a rule has found: IDs and numbers, never a personal value. */
export interface Sign {
  readonly user: UserId;
  /** For example `market btc-usdt` or `withdrawal 12`. */
  readonly object: string;
  /** Key of this evidence: a window or a request. The same rows have the same key. */
  readonly key: string;
  /** When it began. Evidence from before a finding was closed is not opened again. */
  readonly begunAt: Date;
  /** 100 means the limit is just reached. */
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
  /** For rules that count within clock windows. */
  windowMs?(parameters: Parameters): number;
  /** `from` and `to` are window boundaries. Highest score first, at most SIGNS_MAX. */
  findSigns(context: RuleContext, parameters: Parameters, span: Span): Promise<Sign[]>;
}

/** A rule that finds more than this has wrong parameters. */
export const SIGNS_MAX = 1_000;
/** More IDs per sign add no information. */
export const IDS_MAX = 20;
const SCORE_MAX = 1_000_000;

/** Returns 100 at the limit. */
export function scoreOf(found: number, limit: number): number {
  return Math.min(Math.floor((found * 100) / Math.max(limit, 1)), SCORE_MAX);
}

/** Returns undefined if these are not the rule's parameters, or one is out of range. */
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

/** Whether the rule might find less afterward. */
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
