// Heartbeats between leader, standbys and gateways. They are small and frequent, so they are plain
// JSON. A heartbeat only hints at who leads; the log decides. Unreadable messages are ignored.

import type { CommandId } from '../../core/messages/index.ts';
import { decodeLinkAddress, type LinkAddress } from './handshake.ts';

/**
 * leading: accepts batches. waiting: the log does not respond, or the leader is busy; batches are
 * kept. leaving: accepts no more batches.
 */
export const LEADER_STATES = ['leading', 'waiting', 'leaving'] as const;
export type LeaderState = (typeof LEADER_STATES)[number];

export interface LeaderHeartbeat {
  /** Display label; two processes can have the same one. */
  readonly instance: string;
  /** Random number that identifies the process; 0 from an earlier release. */
  readonly writer: number;
  readonly epoch: number;
  readonly state: LeaderState;
  /** The last acknowledged frame, and the number of commands in the log up to it. */
  readonly sequence: number;
  readonly commandsApplied: number;
  /** Age of the oldest request that the log has not answered, append or check; 0 without one. */
  readonly unacknowledgedMs: number;
  /** Since the last acknowledged append. */
  readonly acknowledgedMs: number;
  /** The EVENTS log is complete up to this frame. */
  readonly eventsSequence: number;
  /** Frames of another schema have different bytes, so their hashes are not compared. */
  readonly schemaVersion: number;
  /** The last frame of each of the latest runs, and the digest of the events of that run. */
  readonly outputDigests: readonly { readonly sequence: number; readonly digest: number }[];
  /** The latest hash of the full state and the frame it was taken at; '' and 0 before the first. */
  readonly stateHash: string;
  readonly stateHashSequence: number;
  /** Where gateways can connect to the leader directly, without the bus. */
  readonly linkAddress?: LinkAddress | undefined;
  /** The clock of its machine. */
  readonly clockMs?: number | undefined;
}

export interface StandbyHeartbeat {
  readonly instance: string;
  readonly writer: number;
  readonly sequence: number;
  /** The clock of its machine. */
  readonly clockMs?: number | undefined;
}

/** Sent by a leader that has finished its work: the process `toWriter` takes over immediately. */
export interface HandOver {
  readonly from: string;
  /** The label of the successor; it decides only where an earlier release sends no `toWriter`. */
  readonly to: string;
  readonly toWriter: number;
  readonly epoch: number;
  /** The last frame of the epoch. */
  readonly sequence: number;
  /** The leader's engine failed on this: the next leader marks it as poison. */
  readonly poison?: Poison | undefined;
}

export interface Poison {
  /** Time steps of the frame after the last one. */
  readonly steps: readonly number[];
  /** Commands that gateways will send again. */
  readonly commands: readonly CommandId[];
}

export function encodeHeartbeat(
  heartbeat: LeaderHeartbeat | StandbyHeartbeat | HandOver,
): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(heartbeat));
}

export function decodeLeaderHeartbeat(message: Uint8Array): LeaderHeartbeat | undefined {
  const fields = parse(message, { writer: 0, unacknowledgedMs: 0, acknowledgedMs: 0 });
  if (!isLeaderHeartbeat(fields)) return undefined;
  // An unusable address does not invalidate the heartbeat: the bus still works.
  return { ...fields, linkAddress: decodeLinkAddress(fields.linkAddress) };
}

export function decodeStandbyHeartbeat(message: Uint8Array): StandbyHeartbeat | undefined {
  const fields = parse(message, { writer: 0 });
  return isStandbyHeartbeat(fields) ? fields : undefined;
}

export function decodeHandOver(message: Uint8Array): HandOver | undefined {
  const fields = parse(message, { toWriter: 0 });
  return isHandOver(fields) ? fields : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const LEADER_COUNTS = [
  'writer',
  'epoch',
  'sequence',
  'commandsApplied',
  'unacknowledgedMs',
  'acknowledgedMs',
  'eventsSequence',
  'schemaVersion',
  'stateHashSequence',
] as const;

function isLeaderHeartbeat(
  fields: Fields,
): fields is Fields & Omit<LeaderHeartbeat, 'linkAddress'> {
  return (
    LEADER_COUNTS.every((name) => isCount(fields[name])) &&
    LEADER_STATES.some((state) => state === fields.state) &&
    typeof fields.instance === 'string' &&
    typeof fields.stateHash === 'string' &&
    isOptionalCount(fields.clockMs) &&
    Array.isArray(fields.outputDigests) &&
    fields.outputDigests.every((one) => isCount(one?.sequence) && isCount(one.digest))
  );
}

function isStandbyHeartbeat(fields: Fields): fields is Fields & StandbyHeartbeat {
  const { clockMs, instance, sequence, writer } = fields;
  const areCounts = isCount(writer) && isCount(sequence) && isOptionalCount(clockMs);
  return typeof instance === 'string' && areCounts;
}

function isHandOver(fields: Fields): fields is Fields & HandOver {
  return (
    typeof fields.from === 'string' &&
    typeof fields.to === 'string' &&
    isCount(fields.toWriter) &&
    isCount(fields.epoch) &&
    isCount(fields.sequence) &&
    (fields.poison === undefined || isPoison(fields.poison))
  );
}

function isPoison(found: unknown): found is Poison {
  const { commands, steps } = Object(found);
  return (
    Array.isArray(steps) &&
    steps.every(Number.isSafeInteger) &&
    Array.isArray(commands) &&
    commands.every((one) => isCount(one?.source) && isCount(one.number))
  );
}

/** A value that is not a number would spread: every comparison with it is false. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Earlier releases do not send it. */
function isOptionalCount(value: unknown): boolean {
  return value === undefined || isCount(value);
}

/** Without usable fields if the message is not JSON. Earlier releases lack what was added later. */
function parse(message: Uint8Array, addedLater: Fields): Fields {
  try {
    return { ...addedLater, ...JSON.parse(new TextDecoder().decode(message)) };
  } catch {
    return {};
  }
}
