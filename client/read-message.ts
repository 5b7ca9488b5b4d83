// Replaces decimals of a stream message by their source text. A `private` message is a list of
// messages, each with its own topic.

import type { Shape } from './call-table.ts';
import { topicDecimals } from './calls.generated.ts';
import { withNumberTexts, withTexts } from './read-json.ts';
import type { TopicMessage } from './stream-connection.ts';

/** Modifies the message in place. */
export function withDecimals(message: TopicMessage, text: string): TopicMessage {
  const { topic } = message;
  if (topic === 'private') return withPrivateDecimals(message, text);
  const shape = shapeOf(topic);
  return shape === 0 ? message : (withTexts(message, withNumberTexts(text), shape) as TopicMessage);
}

function withPrivateDecimals(message: TopicMessage, text: string): TopicMessage {
  const { data } = message as { data?: unknown };
  if (!Array.isArray(data) || data.length === 0) return message;
  const texts = (withNumberTexts(text) as { data: unknown[] }).data;
  for (const [at, one] of data.entries()) withTexts(one, texts[at], shapeOf(one?.topic));
  return message;
}

function shapeOf(topic: string): Shape {
  return Object.hasOwn(topicDecimals, topic) ? topicDecimals[topic] : 0;
}
