// How notices are called on the bus: what a user is told that does not follow from the log of the
// engine alone. Each message is the JSON that reaches the client.

export const NOTICE_TOPICS = ['deposit', 'withdrawal', 'stake'] as const;
export type NoticeTopicName = (typeof NOTICE_TOPICS)[number];

export function noticeSubject(
  exchange: string,
  user: number | '*',
  topic: NoticeTopicName | '*',
): string {
  return `${exchange}.notices.${user}.${topic}`;
}
