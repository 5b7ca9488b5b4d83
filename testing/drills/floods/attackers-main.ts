// Runs the attackers in a separate process with the lowest priority, because their CPU use is not a
// weakness of the exchange. Reads the target from its arguments, attacks until standard input ends,
// and prints its counts as one line of JSON.

import type { Flood, FloodTarget } from './flood-target.ts';
import { handshakeFlood } from './handshake-flood.ts';
import { type FloodAccount, fileFlood, readFlood, signatureFlood } from './http-floods.ts';
import { subscribeFlood } from './subscribe-flood.ts';
import { yieldProcessor } from './yield-processor.ts';

export interface AttackPlan extends FloodTarget {
  readonly account: FloodAccount;
}

yieldProcessor();
const plan = JSON.parse(process.argv[2]) as AttackPlan;
const stopping = new AbortController();
process.stdin.on('end', () => stopping.abort()).resume();

const floods: readonly Flood[] = [
  subscribeFlood,
  handshakeFlood,
  signatureFlood,
  readFlood(plan.account),
  fileFlood(plan.account),
];
const tallies = await Promise.all(floods.map((flood) => flood(plan, stopping.signal)));
console.log(JSON.stringify(Object.assign({}, ...tallies)));
process.exit(0);
