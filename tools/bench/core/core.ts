// `npm run bench -- core`: measures the entire engine on one thread. The same run sends the same
// commands through another open-source order book, because a machine's speed varies.

import { measureLatency } from './latency.ts';
import { measurePeer } from './peer.ts';
import { measureRates, type Rates } from './rates.ts';
import { record } from './recording.ts';
import { measureSnapshot } from './snapshot.ts';

const SEED = 20_261_115;
const MILLION = 1_000_000;
/** Resting orders away from the middle before the small flow begins. */
const SMALL_RESTING = 2_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const commands = quick ? 150_000 : 500_000;
  const rounds = quick ? 3 : 7;
  console.log(`seed ${SEED}: ${commands} commands a round, ${rounds} rounds`);
  const flow = { resting: SMALL_RESTING, commands, clientIds: 'none', seed: SEED } as const;
  const small = record(flow);
  const million = record({ ...flow, resting: MILLION });
  const named = record({ ...flow, clientIds: 'half' });
  const smallRates: Rates[] = [];
  const millionRates: Rates[] = [];
  const namedRates: Rates[] = [];
  const peerRates: number[] = [];
  // Alternates, so a slow minute on the machine affects all of them.
  for (let round = 1; round <= rounds; round++) {
    smallRates.push(measureRates(small));
    millionRates.push(measureRates(million));
    namedRates.push(measureRates(named));
    peerRates.push(measurePeer(small));
    const last = [smallRates, millionRates, namedRates].map((rates) => rates.at(-1)?.applied);
    console.log(`round ${round}: small, million, client ids, peer:`, ...last, peerRates.at(-1));
  }
  const commandsPerSecond = median(smallRates.map((rates) => rates.applied));
  const commandsPerSecondMillion = median(millionRates.map((rates) => rates.applied));
  const peer = median(peerRates);
  return {
    seed: SEED,
    commandsPerSecond,
    commandsPerSecondBest: Math.max(...smallRates.map((rates) => rates.applied)),
    commandsPerSecondDecoded: median(smallRates.map((rates) => rates.decoded)),
    commandsPerSecondMillion,
    commandsPerSecondMillionDecoded: median(millionRates.map((rates) => rates.decoded)),
    commandsPerSecondClientIds: median(namedRates.map((rates) => rates.applied)),
    ratioMillionToSmall: twoDigits(commandsPerSecondMillion / commandsPerSecond),
    ...measureLatency(small),
    peer,
    ratioToPeer: twoDigits(commandsPerSecond / peer),
    snapshot: measureSnapshot(quick),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
