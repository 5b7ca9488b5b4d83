// Support: messages of people to the operator.

export {
  listSupportMessages,
  MESSAGES_PER_HOUR_MAX,
  type SupportContent,
  type SupportMessage,
  type SupportRefusal,
  sendSupportMessage,
  supportBound,
} from './support-messages.ts';
