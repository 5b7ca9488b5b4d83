// Every act of this package, so that votes find the act of a request by its name.

import {
  changeAnnouncementAct,
  changeMailText,
  createAnnouncement,
  removeAnnouncementAct,
  sendKnownMail,
  sendRawMail,
} from '../../features/messages/admin/index.ts';
import { changeControlMode, changeThresholds, completeSetup } from './control-acts.ts';
import { changeKit, changeUserMeta, createUserMeta, removeUserMeta } from './kit-acts.ts';
import { changeRole, createRole, removeRole } from './roles.ts';

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
