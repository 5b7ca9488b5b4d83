// The bus subjects of notices: events of a user that do not follow from the engine's log alone.
// Each message is the JSON that the client receives.

export const NOTICE_TOPICS = ['deposit', 'withdrawal', 'stake'] as const;
export type NoticeTopicName = (typeof NOTICE_TOPICS)[number];

/** For operators alone: the `admin` topic has these next to the notices of all users. */
export function operatorNoticeSubject(
  exchange: string,
  topic: 'health' | 'reconciliation',
): string {
  return `${exchange}.notices.operators.${topic}`;
}

export function noticeSubject(
  exchange: string,
  user: number | '*',
  topic: NoticeTopicName | '*',
): string {
  return `${exchange}.notices.${user}.${topic}`;
}
