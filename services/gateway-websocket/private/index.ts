// The topics of a user's own news, and cancel on disconnect, put together.

import type { UserId } from '../../../core/money/index.ts';
import { feedSubjects } from '../../../infra/live-feed/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TopicModule } from '../topic.ts';
import { readSnapshot, readStanding } from './account-tables.ts';
import { CancelOnDisconnect } from './cancel-on-disconnect.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { EVENT_HISTORY_DEFAULTS, EventHistory } from './event-history.ts';
import { PrivateTopics } from './private-topics.ts';
import { watchPrivate } from './telemetry.ts';
import { readUserEntries } from './user-entries.ts';
import { USER_STREAM_DEFAULTS, type UserSource } from './user-stream.ts';

// A socket that comes back soon finds its user still followed.
const KEPT_MS = 5_000;
// Fewer than there are connections to the database: others want some of them too.
const READS_AT_ONCE_MAX = 6;

export function openPrivate(dependencies: Dependencies): TopicModule {
  const { bus, catalogue, clock, exchange, fresh, log, metrics, nats, projections } = dependencies;
  const watcher = watchPrivate(log, metrics);
  const subject = feedSubjects(exchange).private;
  const reads = new ConcurrencyLimit(READS_AT_ONCE_MAX);
  const onProblem = (fault: unknown) => watcher.problem(fault);
  const past = new EventHistory({ ...EVENT_HISTORY_DEFAULTS, nats, clock, exchange, onProblem });

  /** Whatever goes wrong is told, and tried again by whoever asked. */
  async function orNothing<Result>(task: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await reads.take(task);
    } catch (fault) {
      onProblem(fault);
      return undefined;
    }
  }

  const sourceOf = (user: UserId): UserSource => ({
    listen: (hear) =>
      bus.subscribe(`${subject}.${user}`, (message) => {
        const news = readUserEntries(message);
        if (news !== undefined) hear(news);
      }),
    async readSnapshot() {
      if (!(await fresh.untilFresh())) return undefined;
      const at = { user, catalogue: catalogue.now, timeMs: clock.nowMs() };
      return orNothing(() => readSnapshot(projections, at));
    },
    readPast: (from) => past.read(user, from),
    readStanding: () => orNothing(() => readStanding(projections, user)),
  });

  const topics = new PrivateTopics({
    clock,
    watcher,
    settings: USER_STREAM_DEFAULTS,
    keptMs: KEPT_MS,
    sourceOf,
  });
  watcher.users(() => topics.userCount);
  const switches = new CancelOnDisconnect({ ...dependencies, watcher });
  const connection = nats.watch((isConnected) => {
    if (isConnected) topics.connectionReturned();
  });
  return {
    topics: topics.topics,
    operations: { cancel_on_disconnect: (call) => switches.operate(call) },
    stopping: () => switches.stop(),
    stop() {
      connection.stop();
      topics.stop();
    },
  };
}
