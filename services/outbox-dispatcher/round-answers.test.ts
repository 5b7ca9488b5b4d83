// Meaning of each response in a round for its position, for later positions, and for its channel.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Refusal } from '../../core/messages/index.ts';
import type { Outcome } from '../../infra/command-link/index.ts';
import { readRound, type Sent } from './round-answers.ts';

type Answer = Refusal | 'unknown' | 'busy' | 'malformed';

const FRAME = 70;

/** Positions 1, 2, … of channel 1 with these responses, each in its own frame. */
function round(answers: readonly Answer[], channel = 1): Sent[] {
  return answers.map((answer, index) => ({
    row: {
      channel,
      sequence: index + 1,
      sentAfterFrame: 5,
      command: { kind: 'CancelWithdrawal', withdrawal: index + 1 },
    },
    outcome: outcomeOf(answer, index),
  }));
}

function outcomeOf(answer: Answer, index: number): Outcome {
  if (answer === 'unknown') return { kind: 'unknown' };
  if (answer === 'busy' || answer === 'malformed') return { kind: 'not_taken', reason: answer };
  const events = { eventCount: 0, message: new Uint8Array(), eventsAt: 0, eventsEnd: 0 };
  return {
    kind: 'answered',
    result: {
      number: index,
      command: 500 + index,
      refusal: answer,
      order: 0,
      isRepeat: false,
      hasAllEvents: true,
      ...events,
    },
    frame: { epoch: 1, sequence: FRAME + index, timeMs: 0, commandsApplied: 600 },
  };
}

/** `settled | seen | blocked`. */
function read(answers: readonly Answer[]): string {
  const { blocked, seen, settled } = readRound(round(answers));
  return [
    settled.map(({ outcome: one }) => `${one.sequence} ${one.refusal}`).join(', '),
    seen.map(({ sequence }) => sequence).join(', '),
    blocked.map(({ reason, sequence }) => `${sequence} ${reason}`).join(', '),
  ].join(' | ');
}

const SEEN = 'channel_sequence_already_seen';
const GAP = 'channel_sequence_has_gap';
const rounds: [string, Answer[], string][] = [
  ['accepted positions are settled', ['none', 'none'], '1 none, 2 none |  | '],
  [
    'a refusal that advances the channel is an outcome',
    ['available_balance_too_small', 'none'],
    '1 available_balance_too_small, 2 none |  | ',
  ],
  ['a poisoned command is an outcome', ['command_is_poisoned'], '1 command_is_poisoned |  | '],
  ['seen positions are looked up', [SEEN, SEEN, 'none'], '3 none | 1, 2 | '],
  ['unknown and busy are sent again', ['unknown', 'busy'], ' |  | '],
  ['a gap after a lost position is sent again', ['unknown', GAP, GAP], ' |  | '],
  [
    'a gap at the first pending position blocks the channel',
    [GAP, GAP],
    ' |  | 1 channel_sequence_has_gap',
  ],
  [
    'a frozen channel is blocked once, and keeps its positions',
    ['none', 'channel_is_frozen', 'channel_is_frozen'],
    '1 none |  | 2 channel_is_frozen',
  ],
  ['a missing channel is blocked', ['channel_must_exist'], ' |  | 1 channel_must_exist'],
  [
    'a channel with a malformed command is blocked',
    ['malformed', GAP],
    ' |  | 1 command_is_malformed',
  ],
];

for (const [title, answers, expected] of rounds) {
  test(`${title}`, () => assert.equal(read(answers), expected));
}

test('channels are independent', () => {
  const { blocked, settled } = readRound([...round([GAP], 1), ...round(['none', GAP], 2)]);
  assert.deepEqual(
    settled.map(({ outcome }) => outcome.channel),
    [2],
  );
  assert.deepEqual(
    blocked.map(({ channel }) => channel),
    [1],
  );
});

test('an outcome has the frame and the command number of its response', () => {
  const [{ outcome }] = readRound(round(['none'])).settled;
  assert.deepEqual(outcome, {
    channel: 1,
    sequence: 1,
    state: 'accepted',
    refusal: 'none',
    frame: 70,
    command: 500,
  });
});

test('the last frame that reported a position as seen limits the search', () => {
  assert.equal(readRound(round([SEEN, SEEN, 'none'])).seenAtFrame, FRAME + 1);
});
