// Notice topics: deposits, withdrawals and stakes, which happen outside the engine.

import { NOTICE_TOPICS, noticeSubject } from '../../../platform/outbox/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TopicModule } from '../topic.ts';

import { NoticeTopic } from './notice-topic.ts';

const GRACE_MS = 5_000;

export function openNotices({ bus, clock, exchange }: Dependencies): TopicModule {
  const shared = { bus, clock, graceMs: GRACE_MS };
  const own = NOTICE_TOPICS.map(
    (name) =>
      new NoticeTopic({
        ...shared,
        name,
        audience: 'user',
        subjectOf: (user) => noticeSubject(exchange, user, name),
      }),
  );
  const admin = new NoticeTopic({
    ...shared,
    name: 'admin',
    audience: 'operator',
    subjectOf: () => noticeSubject(exchange, '*', '*'),
  });
  return {
    topics: {
      ...Object.fromEntries(NOTICE_TOPICS.map((name, at) => [name, own[at]])),
      admin,
    },
    stop() {
      for (const topic of [...own, admin]) topic.close();
    },
  };
}
