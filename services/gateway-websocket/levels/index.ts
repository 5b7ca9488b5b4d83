// The topics of whole books: level 2 and level 3.

import type { Parts } from '../parts.ts';
import type { TopicModule } from '../topic.ts';

export function openLevels(_parts: Parts): TopicModule {
  return { topics: {}, stop() {} };
}
