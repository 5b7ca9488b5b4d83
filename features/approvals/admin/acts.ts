// Actions in this feature that can need approval. Votes find them by name.

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
