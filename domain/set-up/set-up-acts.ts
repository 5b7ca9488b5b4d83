// Every act of this package, so that votes find the act of a request by its name.

import {
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
} from './announcement-acts.ts';
import { changeControlMode, changeThresholds, completeSetup } from './control-acts.ts';
import { changeKit, changeUserMeta, createUserMeta, removeUserMeta } from './kit-acts.ts';
import { sendKnownMail, sendRawMail } from './mail-acts.ts';
import { changeMailText } from './mail-texts.ts';
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
