-- A transaction is one cause in all networks of its coin, within a URL and with the number of an
-- output behind it: `/transaction/output`, in the spelling of features/payments/causes.ts.

drop index deposit_requests_by_cause;

-- The last hash of 32 bytes in the text, else the last long ID, else the text.
create function plain_id(given text) returns text language sql as $$
  select coalesce(
    substring(path from '.*(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])'),
    substring(path from '.*(?<![0-9a-z])([0-9a-z]{40,})(?![0-9a-z])'),
    path)
  from (select coalesce(nullif(
    regexp_replace(given, '^[a-z][a-z0-9+.-]*://[^/]*', ''), ''), given) as path) without_host
$$;

-- A credited row keeps its output if it is free, the oldest one first. Others become the next free
-- outputs of their transaction: no row loses its cause. One that failed keeps a cause only if no
-- other row needs it; crediting it again names its cause first.
with parts as (
  select id, asset_id,
    state in ('refused', 'canceled', 'dismissed', 'rejected', 'expired') as has_failed,
    plain_id(regexp_replace(regexp_replace(cause, '^[^/]*/', ''), '/[^/]*$', '')) as transaction,
    substring(cause from '[^/]*$')::numeric as output
  from deposit_requests where cause is not null
),
ranked as (
  select *, row_number() over (
    partition by asset_id, transaction, output order by has_failed, id) as place
  from parts
),
moved as (
  select id, has_failed, asset_id, transaction,
    case when place = 1 then output else
      max(output) over (partition by asset_id, transaction)
        + row_number() over (partition by asset_id, transaction, place = 1 order by id)
    end as output, place
  from ranked
)
update deposit_requests r
set cause = case when m.place > 1 and m.has_failed then null
  else '/' || m.transaction || '/' || m.output end
from moved m where m.id = r.id;

drop function plain_id;
create unique index deposit_requests_by_cause on deposit_requests (asset_id, cause);
create index deposit_requests_of_cause
  on deposit_requests (asset_id, regexp_replace(cause, '[^/]*$', '')) where cause is not null;
