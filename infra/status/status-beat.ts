// The beat of a process: one message a second on the bus, and a last one with `isLeaving` when the
// process stops in order. The reader trusts nothing in it but its types.

import { isIdentity, SANDBOX_IDENTITY, serviceOf } from '../identities/index.ts';
import type { Readiness } from '../process/index.ts';

export interface StatusBeat {
  /** `projector`. */
  readonly service: string;
  /** Unique among all processes of the exchange. */
  readonly instance: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly commit: string;
  readonly startedMs: number;
  /** The checks of `/ready`. */
  readonly checks: Readiness;
  /** By name, with the unit last: `lag_ms`, `sockets`. */
  readonly figures: Readonly<Record<string, number>>;
  readonly disks: readonly DiskSpace[];
  /** Version of the kill switches it applies; undefined for processes without a database. */
  readonly switchesVersion?: number | undefined;
  /** Hash of the custody file that it uses, in hexadecimal. */
  readonly custodyFile?: string | undefined;
  /** The goodbye of an orderly stop. */
  readonly isLeaving: boolean;
}

export interface DiskSpace {
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Longer messages are not beats. */
const BYTES_MAX = 64 * 1024;

/** Heartbeat subject of one identity. NATS lets no other identity publish on it. */
export function statusSubject(exchange: string, identity: string): string {
  return `${exchange}.status.${identity}`;
}

/** Every beat, for the monitor. */
export function allStatusSubjects(exchange: string): string {
  return `${exchange}.status.>`;
}

/** Undefined unless the sender's identity is one of the service that the beat names. */
export function readStatusBeat(message: Uint8Array, subject: string): StatusBeat | undefined {
  const beat = decodeStatusBeat(message);
  const sender = subject.slice(subject.lastIndexOf('.') + 1);
  if (beat === undefined || !isIdentity(sender)) return undefined;
  return serviceOf(sender) === beat.service || sender === SANDBOX_IDENTITY ? beat : undefined;
}

export function encodeStatusBeat(beat: StatusBeat): Uint8Array {
  return Buffer.from(JSON.stringify(beat));
}

/** Undefined if the message is not a beat. */
export function decodeStatusBeat(message: Uint8Array): StatusBeat | undefined {
  if (message.length > BYTES_MAX) return undefined;
  try {
    const found: unknown = JSON.parse(Buffer.from(message).toString());
    return isBeat(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ['service', 'instance', 'host', 'version', 'commit'];
const NUMBERS = ['pid', 'startedMs'];

function isBeat(found: unknown): found is StatusBeat {
  if (!isRecord(found)) return false;
  const { checks, custodyFile, disks, figures, isLeaving, switchesVersion } = found;
  return (
    TEXTS.every((name) => isText(found[name])) &&
    NUMBERS.every((name) => Number.isSafeInteger(found[name])) &&
    isRecord(checks) &&
    Object.values(checks).every((check) => typeof check === 'boolean' || isText(check)) &&
    isRecord(figures) &&
    Object.values(figures).every(Number.isFinite) &&
    Array.isArray(disks) &&
    disks.every(isDisk) &&
    (switchesVersion === undefined || Number.isSafeInteger(switchesVersion)) &&
    (custodyFile === undefined || isText(custodyFile)) &&
    typeof isLeaving === 'boolean'
  );
}

function isDisk(found: unknown): boolean {
  if (!isRecord(found)) return false;
  const { freeBytes, path, totalBytes } = found;
  return isText(path) && Number.isFinite(freeBytes) && Number.isFinite(totalBytes);
}

function isRecord(found: unknown): found is Record<string, unknown> {
  return typeof found === 'object' && found !== null && !Array.isArray(found);
}

function isText(found: unknown): found is string {
  return typeof found === 'string' && found !== '';
}
