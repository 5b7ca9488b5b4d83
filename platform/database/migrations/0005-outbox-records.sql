-- The outbox stores a command as the record that the codec of core/messages writes, with source and
-- number 0, beside its kind for readers. Converts the JSON of earlier releases, byte for byte as
-- schema version 2 of the codec encodes it.

create function record_reversed(bytes bytea) returns bytea immutable language sql as $$
  select string_agg(substr(bytes, at, 1), ''::bytea order by at desc)
  from generate_series(1, length(bytes)) at
$$;
-- Wire types of the codec, little endian: a 64-bit float, 32 bits, 64 bits, a text with its length.
create function record_safe(value jsonb) returns bytea immutable language sql as $$
  select record_reversed(float8send(value::float8))
$$;
create function record_u32(value jsonb) returns bytea immutable language sql as $$
  select record_reversed(substr(int8send(value::bigint), 5))
$$;
create function record_atoms(value text) returns bytea immutable language sql as $$
  select record_reversed(int8send(value::bigint))
$$;
create function record_text(value text) returns bytea immutable language sql as $$
  select record_reversed(int2send(octet_length(convert_to(value, 'UTF8'))::smallint))
    || convert_to(value, 'UTF8')
$$;

alter table outbox
  add column kind text,
  add column schema_version bigint,
  add column record bytea;

update outbox o set kind = c.command ->> 'kind', schema_version = 2,
  record = set_byte('\x00', 0, f.code) || record_reversed(int2send(length(f.fields)::smallint))
    || f.fields
from outbox c
cross join lateral (
  select record_safe('0') || record_safe('0') || record_safe(to_jsonb(c.channel))
    || record_safe(to_jsonb(c.sequence)) as bytes
) id
cross join lateral (
  select
    case c.command ->> 'kind'
      when 'CreditDeposit' then 9
      when 'MintAsset' then 10
      when 'BurnAsset' then 11
      when 'TransferAsset' then 12
      when 'OpenWithdrawal' then 13
      when 'CompleteWithdrawal' then 14
      when 'CancelWithdrawal' then 15
    end as code,
    id.bytes || case c.command ->> 'kind'
      when 'TransferAsset' then record_u32(c.command -> 'sender')
        || record_u32(c.command -> 'receiver') || record_u32(c.command -> 'asset')
        || record_atoms(c.command ->> 'amountAtoms') || record_text(c.command ->> 'reference')
      when 'OpenWithdrawal' then record_safe(c.command -> 'withdrawal')
        || record_u32(c.command -> 'user') || record_u32(c.command -> 'asset')
        || record_atoms(c.command ->> 'amountAtoms') || record_u32(c.command -> 'feeAsset')
        || record_atoms(c.command ->> 'feeAtoms')
      when 'CompleteWithdrawal' then record_safe(c.command -> 'withdrawal')
        || record_text(c.command ->> 'reference')
      when 'CancelWithdrawal' then record_safe(c.command -> 'withdrawal')
      else record_u32(c.command -> 'user') || record_u32(c.command -> 'asset')
        || record_atoms(c.command ->> 'amountAtoms') || record_text(c.command ->> 'reference')
    end as fields
) f
where o.channel = c.channel and o.sequence = c.sequence;

-- A command of another kind leaves a null here and stops the migration.
alter table outbox
  drop column command,
  alter column kind set not null,
  alter column schema_version set not null,
  alter column record set not null;

drop function record_text(text), record_atoms(text), record_u32(jsonb), record_safe(jsonb),
  record_reversed(bytea);
