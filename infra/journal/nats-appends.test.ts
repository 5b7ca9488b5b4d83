// What the server's acknowledgements mean, as a table. The texts are those of server 2.15.1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendOutcome } from './log-port.ts';
import { outcomeOf } from './nats-appends.ts';

const WRONG_PLACE = '"code":400,"err_code":10071,"description":"wrong last sequence: 9"';
const WRONG_PLACE_UNSAID = '"code":400,"err_code":10164,"description":"wrong last sequence"';
const FULL = '"code":400,"err_code":10077,"description":"maximum messages exceeded"';
const NO_LEADER = '"code":503,"err_code":10008,"description":"system temporarily unavailable"';

const acks: Record<string, [ack: string, outcome: AppendOutcome]> = {
  'at its place': ['{"stream":"LOG","seq":7}', 'stored'],
  'at its place, with a field of later servers': ['{"stream":"LOG","seq":7,"val":"1"}', 'stored'],
  'at its place, in a domain': ['{"stream":"LOG","domain":"hub","seq":7}', 'stored'],
  'at another place': ['{"stream":"LOG","seq":8}', 'unknown'],
  'in another stream': ['{"stream":"OTHER","seq":7}', 'unknown'],
  'as a duplicate': ['{"stream":"LOG","seq":7,"duplicate":true}', 'unknown'],
  'refused at its place': [`{"error":{${WRONG_PLACE}},"stream":"LOG","seq":0}`, 'conflict'],
  'refused, and not said why': [`{"error":{${WRONG_PLACE_UNSAID}},"stream":"LOG"}`, 'conflict'],
  'refused by a full log': [`{"error":{${FULL}},"stream":"LOG","seq":0}`, 'unknown'],
  'not taken without a leader': [`{"error":{${NO_LEADER}}}`, 'unknown'],
  'refused with the place nonetheless': [`{"error":{},"stream":"LOG","seq":7}`, 'unknown'],
  'with nothing: nobody is there': ['', 'unknown'],
  'with something else than JSON': ['+OK', 'unknown'],
  'with JSON that is no acknowledgement': ['null', 'unknown'],
  'with an error that is none': ['{"error":null}', 'unknown'],
};

for (const [how, [ack, outcome]] of Object.entries(acks)) {
  test(`an append that is acknowledged ${how} is ${outcome}`, () => {
    const expected = { stream: 'LOG', sequence: 7 };
    assert.equal(outcomeOf(new TextEncoder().encode(ack), expected), outcome);
  });
}
