// Log lines and metrics for a sequencer. Nothing else in the service knows either.

import { isIdentity } from '../../infra/identities/index.ts';
import type { Clock, Logger, Metrics } from '../../infra/process/index.ts';
import type { SequencerWatcher } from './watcher.ts';

export interface SequencerTelemetry extends SequencerWatcher {
  /** Milliseconds since the last forbidden command; undefined if there was none. */
  readonly forbiddenAgoMs: number | undefined;
  /** Milliseconds since this machine's clock was set; undefined if it was not. */
  readonly clockJumpedAgoMs: number | undefined;
}

const STATES_COMPARED = {
  name: 'rialto_sequencer_states_compared_total',
  help: 'State hashes of this standby that matched the leader',
};

export function watchSequencer(log: Logger, metrics: Metrics, clock: Clock): SequencerTelemetry {
  const frames = metrics.counter({
    name: 'rialto_sequencer_frames_stored_total',
    help: 'Frames of this leader that the log has acknowledged',
  });
  const commands = metrics.counter({
    name: 'rialto_sequencer_commands_stored_total',
    help: 'Commands in those frames',
  });
  const bytes = metrics.counter({
    name: 'rialto_sequencer_frame_bytes_total',
    help: 'Bytes of the frames built by this leader',
  });
  const refused = metrics.counter({
    name: 'rialto_sequencer_batches_refused_total',
    help: 'Batches refused, by reason',
    labelNames: ['reason'],
  });
  const forbidden = metrics.counter({
    name: 'rialto_sequencer_commands_forbidden_total',
    help: 'Commands that their sender is not allowed to send, by sender and kind',
    labelNames: ['sender', 'kind'],
  });
  const logged = new Set<string>();
  let forbiddenMs: number | undefined;
  const jumps = watchJumps(log, metrics, clock);
  const takeovers = metrics.counter({
    name: 'rialto_sequencer_takeovers_total',
    help: 'How often this process became the leader',
  });
  const poison = metrics.counter({
    name: 'rialto_sequencer_poison_total',
    help: 'Commands on which the engine failed; the affected markets or channels are frozen',
  });
  const agreed = metrics.gauge({
    name: 'rialto_sequencer_agreed_sequence',
    help: 'Last frame up to which the events of this standby match the leader',
  });
  const compared = metrics.counter(STATES_COMPARED);
  return {
    get forbiddenAgoMs() {
      return forbiddenMs === undefined ? undefined : Math.round(clock.elapsedMs() - forbiddenMs);
    },
    get clockJumpedAgoMs() {
      return jumps.agoMs;
    },
    stateRestored: (sequence) => log.info({ sequence }, 'state restored'),
    takeoverStarted: (reason) => log.warn({ reason }, 'takeover started'),
    stoodStill: (reason) => log.error({ reason }, 'no leader'),
    leadershipYielded: (reason) => log.info({ reason }, 'leadership yielded'),
    leaderElected(epoch, sequence) {
      takeovers.inc();
      log.warn({ epoch, sequence }, 'leader elected');
    },
    clockJumped: jumps.add,
    frameMade: (_, byteCount) => bytes.inc(byteCount),
    frameStored(_sequence, count) {
      frames.inc();
      commands.inc(count);
    },
    batchRefused: (reason) => refused.inc({ reason }),
    commandForbidden({ kind, sender: named }) {
      const sender = isIdentity(named) ? named : 'unknown';
      forbiddenMs = clock.elapsedMs();
      forbidden.inc({ sender, kind });
      // Logged once for each, because a hostile sender must not fill the disk.
      if (logged.has(`${sender} ${kind}`)) return;
      logged.add(`${sender} ${kind}`);
      log.error({ sender, kind }, 'command forbidden');
    },
    commandPoisoned(fault) {
      poison.inc();
      log.fatal({ err: fault }, 'command poisoned');
    },
    readerStalled: (reason) => log.error({ reason }, 'log reader stalled'),
    digestMatched: (sequence) => agreed.set(sequence),
    stateMatched: () => compared.inc(),
  };
}

function watchJumps(log: Logger, metrics: Metrics, clock: Clock) {
  const jumps = metrics.counter({
    name: 'rialto_sequencer_clock_jumps_total',
    help: "How often this machine's clock was set by more than a second",
  });
  let jumpedMs: number | undefined;
  return {
    get agoMs() {
      return jumpedMs === undefined ? undefined : Math.round(clock.elapsedMs() - jumpedMs);
    },
    add(byMs: number) {
      jumpedMs = clock.elapsedMs();
      jumps.inc();
      log.error({ byMs }, 'clock jumped');
    },
  };
}
