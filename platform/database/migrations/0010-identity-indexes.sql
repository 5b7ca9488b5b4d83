-- Look-ups of identity that had no index: the sub-accounts of a user, the actor of a session, and
-- the rows that scheduled jobs and the notifier search for.

create index sub_accounts_of_user on users (parent_id) where parent_id is not null;
create index sessions_of_actor on sessions (actor_id) where actor_id is not null;
create index invitations_by_creator on invitations (created_by) where created_by is not null;
create index pending_totp_secrets on totp_secrets (created_at) where state = 'pending';
create index codes_by_expiry on codes (expires_at);
create index code_mails_to_send on mail_outbox (next_at, id)
  where state in ('waiting', 'sending', 'deferred') and expires_at is not null;
create index users_in_passing_states_by_id on users (state, state_since, id)
  where state in ('unverified', 'closing', 'closed');
drop index users_in_passing_states;
alter index users_in_passing_states_by_id rename to users_in_passing_states;
