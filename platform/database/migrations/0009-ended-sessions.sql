-- Ended sessions are deleted after 13 months; a job finds them by when they ended.

create index sessions_by_end on sessions (least(revoked_at, expires_at));
