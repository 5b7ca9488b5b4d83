// The outcome of each kind of acknowledgment, as a table. The texts are those of server 2.15.1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendOutcome } from './log-port.ts';
import { outcomeOf } from './nats-appends.ts';

const WRONG_LAST = '"code":400,"err_code":10071,"description":"wrong last sequence: 9"';
const WRONG_LAST_UNSPECIFIED = '"code":400,"err_code":10164,"description":"wrong last sequence"';
const FULL = '"code":400,"err_code":10077,"description":"maximum messages exceeded"';
const NO_LEADER = '"code":503,"err_code":10008,"description":"system temporarily unavailable"';

const acks: Record<string, [ack: string, outcome: AppendOutcome]> = {
  'at its position': ['{"stream":"LOG","seq":7}', 'stored'],
  'at its position, with a field of later servers': [
    '{"stream":"LOG","seq":7,"val":"1"}',
    'stored',
  ],
  'at its position, in a domain': ['{"stream":"LOG","domain":"hub","seq":7}', 'stored'],
  'at another position': ['{"stream":"LOG","seq":8}', 'unknown'],
  'in another stream': ['{"stream":"OTHER","seq":7}', 'unknown'],
  'as a duplicate': ['{"stream":"LOG","seq":7,"duplicate":true}', 'unknown'],
  'with a wrong last sequence': [`{"error":{${WRONG_LAST}},"stream":"LOG","seq":0}`, 'conflict'],
  'with an unspecified wrong last sequence': [
    `{"error":{${WRONG_LAST_UNSPECIFIED}},"stream":"LOG"}`,
    'conflict',
  ],
  'with the error of a full log': [`{"error":{${FULL}},"stream":"LOG","seq":0}`, 'unknown'],
  'with the error of a missing leader': [`{"error":{${NO_LEADER}}}`, 'unknown'],
  'with an error and its position': [`{"error":{},"stream":"LOG","seq":7}`, 'unknown'],
  'with an empty answer': ['', 'unknown'],
  'with an answer that is not JSON': ['+OK', 'unknown'],
  'with JSON that is not an acknowledgment': ['null', 'unknown'],
  'with a null error': ['{"error":null}', 'unknown'],
};

for (const [how, [ack, outcome]] of Object.entries(acks)) {
  test(`an append that is acknowledged ${how} is ${outcome}`, () => {
    const expected = { stream: 'LOG', sequence: 7 };
    assert.equal(outcomeOf(new TextEncoder().encode(ack), expected), outcome);
  });
}
