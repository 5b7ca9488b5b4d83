// Decides how far a log can be trimmed. Pure function: the minimum of the limits, at the end of an
// archived segment.

import type { SegmentInfo } from '../../infra/journal/index.ts';

export interface TrimFacts {
  readonly nowMs: number;
  /** Segments in the second archive copy, starting with the first frame. */
  readonly copied: readonly SegmentInfo[];
  /** Last frame of the newest verified snapshot; 0 if there is none. */
  readonly snapshotFrame: number;
  /** For each follower, the last frame that it no longer needs. */
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
  /** Last frame that can be discarded; 0 if none. */
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
