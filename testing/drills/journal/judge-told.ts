// Compares the clients' answers with the log: no answered command may be missing, none may take
// effect twice, and none that was reported as not taken may be in the log.

import type { OutcomeRecords, Told } from './clients/outcome-records.ts';
import type { Fate } from './fate-table.ts';
import type { StraightReplay } from './straight-replay.ts';

export interface ToldVerdict {
  acked: number;
  /** Answered, but not in the log, or there with another outcome or number. */
  lost: number;
  /** Had an effect more than once. */
  doubled: number;
  /** Said to be not taken, but in the log. */
  falselyRefused: number;
  notTaken: number;
  unknown: number;
  /** Of those, how many are in the log after all. */
  unknownApplied: number;
  /** Told of other events than the log gives. */
  otherEvents: number;
  /** Commands of a round that were not answered. */
  readonly failedByRound: Map<number, number>;
  /** The first few of all that is wrong. */
  readonly examples: string[];
}

const EXAMPLES_MAX = 20;

export function judgeTold(
  records: ReadonlyMap<number, OutcomeRecords>,
  replay: Pick<StraightReplay, 'doubledNames' | 'fates'>,
): ToldVerdict {
  const verdict: ToldVerdict = {
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
  for (const [source, told] of records) {
    const fates = replay.fates.get(source);
    for (let number = 1; number <= told.count; number++) {
      judgeOne(verdict, `${source}:${number}`, told.get(number), fates?.get(number));
    }
  }
  for (const [source, fates] of replay.fates) {
    for (const number of fates.doubled()) {
      verdict.doubled++;
      give(verdict, `${source}:${number} took effect more than once`);
    }
  }
  verdict.doubled += replay.doubledNames.length;
  for (const name of replay.doubledNames) give(verdict, `${name} took effect twice`);
  return verdict;
}

function judgeOne(verdict: ToldVerdict, name: string, told: Told, fate: Fate | undefined): void {
  switch (told.kind) {
    case 'answered':
      verdict.acked++;
      judgeAnswered(verdict, name, told, fate);
      return;
    case 'not_taken':
      verdict.notTaken++;
      if (fate !== undefined) {
        verdict.falselyRefused++;
        give(verdict, `${name} was said not to be taken, but is command ${fate.command}`);
      }
      break;
    case 'nothing':
    case 'unknown':
      verdict.unknown++;
      if (fate !== undefined) verdict.unknownApplied++;
      break;
  }
  verdict.failedByRound.set(told.round, (verdict.failedByRound.get(told.round) ?? 0) + 1);
}

function judgeAnswered(
  verdict: ToldVerdict,
  name: string,
  told: Told,
  fate: Fate | undefined,
): void {
  const isThere =
    fate !== undefined &&
    fate.command === told.command &&
    fate.refusal === told.refusal &&
    (told.isRepeat ? told.sequence >= fate.sequence : told.sequence === fate.sequence);
  if (!isThere) {
    verdict.lost++;
    const truth = fate === undefined ? 'not there' : `${fate.command} ${fate.refusal}`;
    give(verdict, `${name} was answered ${told.command} ${told.refusal}, but is ${truth}`);
  } else if (told.eventsCrc !== undefined && told.eventsCrc !== fate.eventsCrc) {
    verdict.otherEvents++;
    give(verdict, `${name} was answered with other events`);
  }
}

function give(verdict: ToldVerdict, example: string): void {
  if (verdict.examples.length < EXAMPLES_MAX) verdict.examples.push(example);
}
