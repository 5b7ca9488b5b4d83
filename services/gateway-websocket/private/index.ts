// Assembles the private topics and cancel on disconnect.

import type { UserId } from '../../../core/money/index.ts';
import { feedSubjects } from '../../../infra/live-feed/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TopicModule } from '../topic.ts';
import { readProjected, readSnapshot } from './account-tables.ts';
import { CancelOnDisconnect } from './cancel-on-disconnect.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { EVENT_HISTORY_DEFAULTS, EventHistory } from './event-history.ts';
import { PrivateTopics } from './private-topics.ts';
import { SwitchThreadLink } from './switch-thread-link.ts';
import { watchPrivate } from './telemetry.ts';
import { readUserEntries } from './user-entries.ts';
import { USER_STREAM_DEFAULTS, type UserSource } from './user-stream.ts';

// Grace period for a socket that reconnects, during which the user's stream stays open.
const KEPT_MS = 5_000;
// Less than the connection pool's size, because other readers need connections too.
const READS_CONCURRENT_MAX = 6;

export function openPrivate(dependencies: Dependencies): TopicModule {
  const { bus, catalogue, clock, exchange, fresh, log, metrics, nats, projections } = dependencies;
  const { switchThread: config } = dependencies;
  const watcher = watchPrivate(log, metrics);
  const subject = feedSubjects(exchange).private;
  const reads = new ConcurrencyLimit(READS_CONCURRENT_MAX);
  const onProblem = (fault: unknown) => watcher.problem(fault);
  const past = new EventHistory({ ...EVENT_HISTORY_DEFAULTS, nats, clock, exchange, onProblem });

  /** Logs faults; the caller retries. */
  async function orUndefined<Result>(task: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await reads.run(task);
    } catch (fault) {
      onProblem(fault);
      return undefined;
    }
  }

  const sourceOf = (user: UserId): UserSource => ({
    subscribe: (receive) =>
      bus.subscribe(`${subject}.${user}`, (message) => {
        const events = readUserEntries(message);
        if (events !== undefined) receive(events);
      }),
    async readSnapshot() {
      if (!(await fresh.untilFresh())) return undefined;
      const at = { user, catalogue: catalogue.now, timeMs: clock.nowMs() };
      return orUndefined(() => readSnapshot(projections, at));
    },
    readHistory: (from) => past.read(user, from),
    readProjected: () => orUndefined(() => readProjected(projections, user)),
  });

  const topics = new PrivateTopics({
    clock,
    watcher,
    settings: USER_STREAM_DEFAULTS,
    graceMs: KEPT_MS,
    sourceOf,
  });
  watcher.users(() => topics.userCount);
  const thread = new SwitchThreadLink({ clock, config, watcher });
  const cancels = new CancelOnDisconnect(thread);
  const connection = nats.watch((isConnected) => {
    if (isConnected) topics.onReconnect();
  });
  return {
    topics: topics.topics,
    operations: { cancel_on_disconnect: (call) => cancels.operate(call) },
    stopping: () => cancels.stop(),
    async stop() {
      connection.stop();
      topics.stop();
      await thread.stop();
    },
  };
}
