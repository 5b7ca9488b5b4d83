// Validates a rule change before it is sent, and decides whether it finds less and needs approval
// from another operator.

import type { SurveillanceRule } from '../../../client/index.ts';

export interface RuleChange {
  /** Changed values only. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly invalid: readonly string[];
  readonly isLooser: boolean;
  readonly isChanged: boolean;
}

export function ruleChange(
  rule: Pick<SurveillanceRule, 'is_on' | 'parameters' | 'ranges'>,
  typed: Readonly<Record<string, string>>,
  isOn: boolean,
): RuleChange {
  const parameters: Record<string, number> = {};
  const invalid: string[] = [];
  let isLooser = rule.is_on && !isOn;
  for (const { looser, max, min, name } of rule.ranges) {
    const text = typed[name] ?? '';
    const value = Number(text);
    const before = rule.parameters[name];
    if (text.trim() === '' || !Number.isFinite(value) || value < min || value > max) {
      invalid.push(name);
    } else if (value !== before) {
      parameters[name] = value;
      isLooser ||= looser === 'both' || (looser === 'up' ? value > before : value < before);
    }
  }
  const isChanged = Object.keys(parameters).length > 0 || isOn !== rule.is_on;
  return { parameters, invalid, isLooser, isChanged };
}
