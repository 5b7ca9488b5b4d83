// Scheduled jobs of all features.

import { ACCOUNTS_JOBS } from '../../features/accounts/jobs.ts';
import { APPROVALS_JOBS } from '../../features/approvals/jobs.ts';
import { AUDIT_JOBS } from '../../features/audit/jobs.ts';
import { AUTH_JOBS } from '../../features/auth/jobs.ts';
import { MESSAGES_JOBS } from '../../features/messages/jobs.ts';
import { PAYMENTS_JOBS } from '../../features/payments/jobs.ts';
import { PII_ACCESS_JOBS } from '../../features/pii-access/jobs.ts';
import { REFERRAL_JOBS } from '../../features/referral/jobs.ts';
import { REPORTS_JOBS } from '../../features/reports/jobs.ts';
import { STAKING_JOBS } from '../../features/staking/jobs.ts';
import { SURVEILLANCE_JOBS } from '../../features/surveillance/jobs.ts';
import type { Job } from '../../platform/jobs/index.ts';

export const JOBS: readonly Job[] = [
  ...AUTH_JOBS,
  ...ACCOUNTS_JOBS,
  ...STAKING_JOBS,
  ...REPORTS_JOBS,
  ...REFERRAL_JOBS,
  ...PAYMENTS_JOBS,
  ...SURVEILLANCE_JOBS,
  ...AUDIT_JOBS,
  ...APPROVALS_JOBS,
  ...PII_ACCESS_JOBS,
  ...MESSAGES_JOBS,
];
