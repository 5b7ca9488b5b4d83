// The actions of this feature that can wait for approval: votes find them by their name.

import { changeControlMode, changeThresholds, completeSetup } from './control.ts';
import { grantKey } from './key-grants.ts';
import { changeRole, createRole, removeRole } from './roles.ts';

export const APPROVALS_ACTS = [
  changeControlMode,
  changeThresholds,
  completeSetup,
  grantKey,
  changeRole,
  createRole,
  removeRole,
] as const;
