// Every act of this package, so that votes find the act of a request by its name.

import {
  changeControlMode,
  changeRole,
  changeThresholds,
  completeSetup,
  createRole,
  removeRole,
} from '../../features/approvals/admin/index.ts';
import {
  changeKit,
  changeUserMeta,
  createUserMeta,
  removeUserMeta,
} from '../../features/exchange-config/admin.ts';
import {
  changeAnnouncementAct,
  changeMailText,
  createAnnouncement,
  removeAnnouncementAct,
  sendKnownMail,
  sendRawMail,
} from '../../features/messages/admin/index.ts';

export const SET_UP_ACTS = [
  completeSetup,
  changeControlMode,
  changeThresholds,
  createRole,
  changeRole,
  removeRole,
  changeKit,
  createUserMeta,
  changeUserMeta,
  removeUserMeta,
  createAnnouncement,
  changeAnnouncementAct,
  removeAnnouncementAct,
  changeMailText,
  sendKnownMail,
  sendRawMail,
] as const;
