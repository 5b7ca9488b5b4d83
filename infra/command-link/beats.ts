// Signs of life between leader, standbys and gateways. Small and frequent, so plain JSON. They
// only hint at who leads: the log decides. What can not be read is ignored.

import { decodeDoorAddress, type LinkAddress } from './handshake.ts';

/** leading: takes batches. waiting: the log does not answer, batches are kept. leaving: no more. */
export const LEADER_STATES = ['leading', 'waiting', 'leaving'] as const;
export type LeaderState = (typeof LEADER_STATES)[number];

export interface LeaderBeat {
  readonly instance: string;
  readonly epoch: number;
  readonly state: LeaderState;
  /** The last frame acknowledged, and commands in the log up to it. */
  readonly sequence: number;
  readonly commandsApplied: number;
  /** Up to which frame the EVENTS log is complete. */
  readonly eventsSequence: number;
  /** Frames written by another schema have other bytes, so their hashes are not compared. */
  readonly schemaVersion: number;
  /** The last frame of each of the latest runs, and the digest of what the run gave. */
  readonly outputDigests: readonly { readonly sequence: number; readonly digest: number }[];
  /** The latest hash of the whole state that was taken, and the frame it is of; '' before that. */
  readonly stateHash: string;
  readonly stateHashSequence: number;
  /** Where gateways may speak to it without the bus between. */
  readonly door?: LinkAddress | undefined;
}

export interface StandbyBeat {
  readonly instance: string;
  readonly sequence: number;
}

/** Sent by a leader that has nothing left to do: whoever is `to` takes over at once. */
export interface HandOver {
  readonly from: string;
  readonly to: string;
  readonly epoch: number;
  /** The last frame of the epoch. */
  readonly sequence: number;
}

export function encodeBeat(beat: LeaderBeat | StandbyBeat | HandOver): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(beat));
}

export function decodeLeaderBeat(message: Uint8Array): LeaderBeat | undefined {
  const beat = parse(message);
  const isBeat =
    LEADER_COUNTS.every((name) => isCount(beat[name])) &&
    LEADER_STATES.some((state) => state === beat.state) &&
    typeof beat.instance === 'string' &&
    typeof beat.stateHash === 'string' &&
    Array.isArray(beat.outputDigests) &&
    beat.outputDigests.every((one) => isCount(one?.sequence) && isCount(one.digest));
  if (!isBeat) return undefined;
  // One that can not be dialled does not make the beat unreadable: the bus still works.
  return { ...(beat as unknown as LeaderBeat), door: decodeDoorAddress(beat.door) };
}

export function decodeStandbyBeat(message: Uint8Array): StandbyBeat | undefined {
  const beat = parse(message);
  const isBeat = typeof beat.instance === 'string' && isCount(beat.sequence);
  return isBeat ? (beat as unknown as StandbyBeat) : undefined;
}

export function decodeHandOver(message: Uint8Array): HandOver | undefined {
  const word = parse(message);
  const isWord =
    typeof word.from === 'string' &&
    typeof word.to === 'string' &&
    isCount(word.epoch) &&
    isCount(word.sequence);
  return isWord ? (word as unknown as HandOver) : undefined;
}

const LEADER_COUNTS = [
  'epoch',
  'sequence',
  'commandsApplied',
  'eventsSequence',
  'schemaVersion',
  'stateHashSequence',
] as const;

/** A field that is not a number would spread: what is compared with it is never larger. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Without any field when it can not be read. */
function parse(message: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(message)) ?? {};
  } catch {
    return {};
  }
}
