// The bus subjects of notices: events of a user that do not follow from the engine's log alone.
// Each message is the JSON that the client receives.

export const NOTICE_TOPICS = ['deposit', 'withdrawal', 'stake'] as const;
export type NoticeTopicName = (typeof NOTICE_TOPICS)[number];

export function noticeSubject(
  exchange: string,
  user: number | '*',
  topic: NoticeTopicName | '*',
): string {
  return `${exchange}.notices.${user}.${topic}`;
}
