// Decides how far a log may be trimmed. A pure function: the smallest of the limits, at the end of
// an archived segment.

import type { SegmentInfo } from '../../infra/journal/index.ts';

export interface TrimFacts {
  readonly nowMs: number;
  /** The segments of the second archive copy, from the first frame on. */
  readonly copied: readonly SegmentInfo[];
  /** The last frame of the newest verified snapshot; 0 if there is none. */
  readonly snapshotFrame: number;
  /** For each follower the last frame that it does not need any more. */
  readonly followers: ReadonlyMap<string, number>;
}

export interface TrimRules {
  /** Younger frames are kept. */
  readonly keptMs: number;
  /** Frames that a follower needs are kept up to this age. */
  readonly followersWaitMs: number;
  /** This many frames before the newest verified snapshot are kept. */
  readonly marginFrames: number;
}

export interface TrimLimit {
  /** The last frame that may be discarded; 0 if none. */
  readonly frame: number;
  /** The rule that keeps the next frame. */
  readonly heldBy: string;
}

export function trimLimit(facts: TrimFacts, rules: TrimRules): TrimLimit {
  const { copied, followers, nowMs, snapshotFrame } = facts;
  const olderThan = (ageMs: number) =>
    copied.findLast(({ toMs }) => toMs <= nowMs - ageMs)?.lastSequence ?? 0;
  const limits: TrimLimit[] = [
    { frame: copied.at(-1)?.lastSequence ?? 0, heldBy: 'archive copy' },
    { frame: snapshotFrame - rules.marginFrames, heldBy: 'snapshot' },
    { frame: olderThan(rules.keptMs), heldBy: 'age' },
  ];
  const overdue = olderThan(rules.followersWaitMs);
  for (const [follower, frame] of followers) {
    limits.push({ frame: Math.max(frame, overdue), heldBy: follower });
  }
  const least = limits.reduce((one, other) => (other.frame < one.frame ? other : one));
  const segment = copied.findLast(({ lastSequence }) => lastSequence <= least.frame);
  return { frame: segment?.lastSequence ?? 0, heldBy: least.heldBy };
}
