// Support: messages of people to the operator.

export {
  listSupportMessages,
  type SupportContent,
  type SupportMessage,
  type SupportRefusal,
  sendSupportMessage,
  supportBound,
} from './support-messages.ts';
