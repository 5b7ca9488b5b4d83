-- Stake pools with one amount for all stakes, with an early end and no duration, and open to users
-- as soon as they start.

alter table stake_pools
  drop constraint stake_pools_check,
  add constraint stake_pools_check check (max_atoms >= min_atoms),
  drop constraint stake_pools_check2,
  add constraint stake_pools_check2 check
    (duration_days is not null or (principal_slash_ppm = 0 and reward_slash_ppm = 0)),
  drop constraint stake_pools_check3,
  add constraint stake_pools_check3 check (not onboarding or state <> 'terminated');
