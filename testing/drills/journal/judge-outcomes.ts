// Compares the clients' answers with the log: no answered command is missing, none takes effect
// twice, and none that was reported as not taken is in the log.

import type { OutcomeRecord, OutcomeRecords } from './clients/outcome-records.ts';
import type { CommandHistory } from './command-table.ts';
import type { StraightReplay } from './straight-replay.ts';

export interface OutcomesVerdict {
  acked: number;
  /** Answered, but missing from the log, or present with another outcome or number. */
  lost: number;
  /** Took effect more than once. */
  doubled: number;
  /** Reported as not taken, but in the log. */
  falselyRefused: number;
  notTaken: number;
  unknown: number;
  /** Unknown outcomes of commands that are in the log. */
  unknownApplied: number;
  /** Answered with wrong events. */
  otherEvents: number;
  /** Commands without an answer, by round. */
  readonly failedByRound: Map<number, number>;
  /** The first few faults. */
  readonly examples: string[];
}

const EXAMPLES_MAX = 20;

export function judgeOutcomes(
  records: ReadonlyMap<number, OutcomeRecords>,
  replay: Pick<StraightReplay, 'doubledNames' | 'histories'>,
): OutcomesVerdict {
  const verdict: OutcomesVerdict = {
    acked: 0,
    lost: 0,
    doubled: 0,
    falselyRefused: 0,
    notTaken: 0,
    unknown: 0,
    unknownApplied: 0,
    otherEvents: 0,
    failedByRound: new Map(),
    examples: [],
  };
  for (const [source, outcome] of records) {
    const histories = replay.histories.get(source);
    for (let number = 1; number <= outcome.count; number++) {
      judgeOne(verdict, `${source}:${number}`, outcome.get(number), histories?.get(number));
    }
  }
  for (const [source, histories] of replay.histories) {
    for (const number of histories.doubled()) {
      verdict.doubled++;
      addExample(verdict, `${source}:${number} took effect more than once`);
    }
  }
  verdict.doubled += replay.doubledNames.length;
  for (const name of replay.doubledNames) addExample(verdict, `${name} took effect twice`);
  return verdict;
}

function judgeOne(
  verdict: OutcomesVerdict,
  name: string,
  outcome: OutcomeRecord,
  history: CommandHistory | undefined,
): void {
  switch (outcome.kind) {
    case 'answered':
      verdict.acked++;
      judgeAnswered(verdict, name, outcome, history);
      return;
    case 'not_taken':
      verdict.notTaken++;
      if (history !== undefined) {
        verdict.falselyRefused++;
        addExample(verdict, `${name} was reported as not taken, but is command ${history.command}`);
      }
      break;
    case 'nothing':
    case 'unknown':
      verdict.unknown++;
      if (history !== undefined) verdict.unknownApplied++;
      break;
  }
  verdict.failedByRound.set(outcome.round, (verdict.failedByRound.get(outcome.round) ?? 0) + 1);
}

function judgeAnswered(
  verdict: OutcomesVerdict,
  name: string,
  outcome: OutcomeRecord,
  history: CommandHistory | undefined,
): void {
  const isThere =
    history !== undefined &&
    history.command === outcome.command &&
    history.refusal === outcome.refusal &&
    (outcome.isRepeat
      ? outcome.sequence >= history.sequence
      : outcome.sequence === history.sequence);
  if (!isThere) {
    verdict.lost++;
    const truth = history === undefined ? 'missing' : `${history.command} ${history.refusal}`;
    addExample(
      verdict,
      `${name} was answered ${outcome.command} ${outcome.refusal}, but the log has ${truth}`,
    );
  } else if (outcome.eventsCrc !== undefined && outcome.eventsCrc !== history.eventsCrc) {
    verdict.otherEvents++;
    addExample(verdict, `${name} was answered with other events`);
  }
}

function addExample(verdict: OutcomesVerdict, example: string): void {
  if (verdict.examples.length < EXAMPLES_MAX) verdict.examples.push(example);
}
