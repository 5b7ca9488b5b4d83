// Surveillance: rules over what is on record, findings with evidence, and the queue of operators.
// Only a withdrawal that does not fit its owner is held up, by the withdrawal policy.

export { type FindingFilter, findingList } from './finding-list.ts';
export {
  EVIDENCE_MAX,
  type Evidence,
  FINDING_RESULTS,
  FINDING_STATES,
  type Finding,
  type FindingResult,
  type FindingState,
  findingOf,
  readEvidence,
  readFinding,
  readNote,
} from './findings.ts';
export { checkParameters, type Parameters, RULE_NAMES, type RuleName, type Sign } from './rule.ts';
export {
  type RuleState,
  readRules,
  ruleOf,
  runSurveillance,
  type Trial,
  tryRule,
} from './surveillance.ts';
export {
  CLOSE_FINDING,
  expectedText,
  REOPEN_FINDING,
  SET_RULE,
  SURVEILLANCE_ACTS,
  TAKE_FINDING,
} from './surveillance-acts.ts';
