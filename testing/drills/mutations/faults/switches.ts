// Faults in the acts of kill switches: what a stop takes, and what a resume gives back.

import type { Fault } from '../fault.ts';

const ACTS = 'features/kill-switches/admin/stop-and-resume.ts';
const ACCOUNTS = 'features/kill-switches/admin/account-stops.ts';
const MARKETS = 'features/kill-switches/admin/market-stops.ts';

export const SWITCH_FAULTS: readonly Fault[] = [
  {
    name: 'one person resumes everything with a single approval',
    file: ACTS,
    find: 'approvals: isEverything(order) ? 2 : 1,',
    replace: 'approvals: 1,',
  },
  {
    name: 'a stop of accounts freezes operators',
    file: ACCOUNTS,
    find: "and u.role is null and u.kind <> 'house'",
    replace: "and u.kind <> 'house'",
  },
  {
    name: 'a resume unfreezes an account that an operator froze meanwhile',
    file: ACCOUNTS,
    find: "u.state = 'frozen' and u.state_since = f.frozen_at",
    replace: "u.state = 'frozen'",
  },
  {
    name: 'one person stops a market less',
    file: MARKETS,
    find: 'return hardnessOf(to) < hardnessOf(mode) && hardnessOf(to) > hardnessOf(resumesTo);',
    replace: 'return false;',
  },
];
