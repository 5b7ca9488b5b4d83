// A message of the stream with its decimals as texts. What belongs to the user comes as a list of
// messages, each of a topic of its own.

import type { Shape } from './call.ts';
import { topicDecimals } from './calls.generated.ts';
import { textsOf, withTexts } from './read-json.ts';
import type { TopicMessage } from './stream-link.ts';

/** Changes the message. */
export function withDecimals(message: TopicMessage, text: string): TopicMessage {
  const { topic } = message;
  if (topic === 'private') return withPrivateDecimals(message, text);
  const shape = shapeOf(topic);
  return shape === 0 ? message : (withTexts(message, textsOf(text), shape) as TopicMessage);
}

function withPrivateDecimals(message: TopicMessage, text: string): TopicMessage {
  const { data } = message as { data?: unknown };
  if (!Array.isArray(data) || data.length === 0) return message;
  const texts = (textsOf(text) as { data: unknown[] }).data;
  for (const [at, one] of data.entries()) withTexts(one, texts[at], shapeOf(one?.topic));
  return message;
}

function shapeOf(topic: string): Shape {
  return Object.hasOwn(topicDecimals, topic) ? topicDecimals[topic] : 0;
}
