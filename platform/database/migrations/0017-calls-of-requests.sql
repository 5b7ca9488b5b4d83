-- A request for approval is executed only while its requester may still make the call.

-- Without a call, as in requests from before, only a role that may do everything executes it.
alter table approval_requests add column requester_call text not null default '';
