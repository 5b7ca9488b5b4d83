// What happens in a sequencer, as log lines and metrics. The only place that knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { SequencerWatcher } from './watcher.ts';

export function watchSequencer(log: Logger, metrics: Metrics): SequencerWatcher {
  const frames = metrics.counter({
    name: 'rialto_sequencer_frames_stored_total',
    help: 'Frames that the log has acknowledged to this leader',
  });
  const commands = metrics.counter({
    name: 'rialto_sequencer_commands_stored_total',
    help: 'Commands in those frames',
  });
  const bytes = metrics.counter({
    name: 'rialto_sequencer_frame_bytes_total',
    help: 'Bytes of frames made by this leader',
  });
  const refused = metrics.counter({
    name: 'rialto_sequencer_batches_refused_total',
    help: 'Batches that were not taken, by reason',
    labelNames: ['reason'],
  });
  const takeovers = metrics.counter({
    name: 'rialto_sequencer_takeovers_total',
    help: 'How often this process began to lead',
  });
  const poison = metrics.counter({
    name: 'rialto_sequencer_poison_total',
    help: 'Commands that the engine failed on; what they touch is frozen',
  });
  const agreed = metrics.gauge({
    name: 'rialto_sequencer_agreed_sequence',
    help: 'Up to which frame this standby gave the same as the leader',
  });
  return {
    started: (sequence) => log.info({ sequence }, 'has a state to start from'),
    takesOver: (reason) => log.warn({ reason }, 'takes over'),
    standsBack: (reason) => log.info({ reason }, 'stands back'),
    leads(epoch, sequence) {
      takeovers.inc();
      log.warn({ epoch, sequence }, 'leads');
    },
    frameMade: (_commands, byteCount) => bytes.inc(byteCount),
    frameStored(_sequence, count) {
      frames.inc();
      commands.inc(count);
    },
    batchRefused: (reason) => refused.inc({ reason }),
    poisonMet(fault) {
      poison.inc();
      log.fatal({ err: fault }, 'the engine failed on a command; it goes on without it');
    },
    stuck: (reason) => log.error({ reason }, 'the log has a hole'),
    agreed: (sequence) => agreed.set(sequence),
  };
}
