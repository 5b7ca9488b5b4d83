// What happens with private topics, as log lines and metrics. The only place here that knows both.

import type { Logger, Metrics } from '../../../infra/process/index.ts';
import type { CancelOnDisconnectWatcher } from './cancel-on-disconnect.ts';
import type { UserStreamWatcher } from './user-stream.ts';

export interface PrivateWatcher extends UserStreamWatcher, CancelOnDisconnectWatcher {
  /** How many users are followed. */
  users(count: () => number): void;
  problem(fault: unknown): void;
}

export function watchPrivate(log: Logger, metrics: Metrics): PrivateWatcher {
  const beginnings = metrics.counter({
    name: 'rialto_private_beginnings_total',
    help: 'How subscribers of private topics began: with a snapshot, or resumed',
    labelNames: ['how'],
  });
  const refused = metrics.counter({
    name: 'rialto_private_not_resumable_total',
    help: 'Resumptions that became a snapshot: not all was kept, said in time, or could be read',
    labelNames: ['why'],
  });
  const gaps = metrics.counter({
    name: 'rialto_private_gaps_total',
    help: 'How often a subscriber had missed something and got a new snapshot',
    labelNames: ['found_by'],
  });
  const windings = metrics.counter({
    name: 'rialto_switches_not_wound_total',
    help: 'How often the engine did not take the winding of a switch',
    labelNames: ['reason'],
  });
  const letGo = metrics.counter({
    name: 'rialto_switches_let_go_total',
    help: 'Keys whose last socket with cancel on disconnect has closed',
  });
  return {
    began: (readers) => beginnings.inc({ how: 'snapshot' }, readers),
    resumed: () => beginnings.inc({ how: 'resumed' }),
    notResumable: (why) => refused.inc({ why }),
    gap: (found_by) => gaps.inc({ found_by }),
    notWound: (reason) => windings.inc({ reason }),
    letGo: () => letGo.inc(),
    users(count) {
      metrics.gauge({
        name: 'rialto_private_users',
        help: 'Users whose news are followed here',
        collect() {
          this.set(count());
        },
      });
    },
    problem: (err) => log.warn({ err }, 'private topics: something could not be read'),
  };
}
