// Log lines and metrics for the private topics. Only this file knows both.

import type { Logger, Metrics } from '../../../infra/process/index.ts';
import type { SwitchWatcher } from './switch-keeper.ts';
import type { UserStreamWatcher } from './user-stream.ts';

export interface PrivateWatcher extends UserStreamWatcher, SwitchWatcher {
  /** Number of users with an open stream. */
  users(count: () => number): void;
  problem(fault: unknown): void;
}

export function watchPrivate(log: Logger, metrics: Metrics): PrivateWatcher {
  const beginnings = metrics.counter({
    name: 'rialto_private_beginnings_total',
    help: 'How private topic subscriptions began: with a snapshot, or resumed',
    labelNames: ['how'],
  });
  const refused = metrics.counter({
    name: 'rialto_private_not_resumable_total',
    help: 'Resumptions that became a snapshot: history incomplete, late or unreadable',
    labelNames: ['why'],
  });
  const gaps = metrics.counter({
    name: 'rialto_private_gaps_total',
    help: 'Subscribers that missed an event and got a new snapshot',
    labelNames: ['found_by'],
  });
  const rejections = metrics.counter({
    name: 'rialto_switches_not_wound_total',
    help: 'Switch renewals that the engine did not accept',
    labelNames: ['reason'],
  });
  const released = metrics.counter({
    name: 'rialto_switches_let_go_total',
    help: 'Keys whose last socket with cancel on disconnect has closed',
  });
  return {
    began: (readers) => beginnings.inc({ how: 'snapshot' }, readers),
    resumed: () => beginnings.inc({ how: 'resumed' }),
    notResumable: (why) => refused.inc({ why }),
    gap: (found_by) => gaps.inc({ found_by }),
    rejected: (reason) => rejections.inc({ reason }),
    released: () => released.inc(),
    users(count) {
      metrics.gauge({
        name: 'rialto_private_users',
        help: 'Users with an open stream',
        collect() {
          this.set(count());
        },
      });
    },
    problem: (err) => log.warn({ err }, 'private topic read failed'),
  };
}
