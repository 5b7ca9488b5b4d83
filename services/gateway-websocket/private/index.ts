// The topics of a user's own news.

import type { Parts } from '../parts.ts';
import type { TopicModule } from '../topic.ts';

export function openPrivate(_parts: Parts): TopicModule {
  return { topics: {}, stop() {} };
}
