-- Partitions are created by functions, so the projector needs no right to create or own anything.

-- Creates a partition of orders unless it exists. A finished table is attached to its parent, which
-- blocks neither readers nor writers. Pages have free space for updates of their orders.
create function make_order_partition(partition_number bigint, orders_each bigint)
returns void language plpgsql as $$
declare
  digits constant text := partition_number::text;
begin
  perform attach_partition('orders',
    'orders_' || lpad(digits, greatest(6, length(digits)), '0'),
    (partition_number * orders_each)::text, ((partition_number + 1) * orders_each)::text,
    ' with (fillfactor = 80)');
end
$$;

-- The same for a month of trades, fills and ledger entries.
create function make_month_partitions(of_month date) returns void language plpgsql as $$
declare
  parent text;
  begins constant timestamptz := date_trunc('month', of_month::timestamp) at time zone 'UTC';
  ends constant timestamptz :=
    (date_trunc('month', of_month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  foreach parent in array array['trades', 'fills', 'ledger_entries'] loop
    perform attach_partition(parent, parent || to_char(of_month, '_YYYY_MM'),
      quote_literal(begins), quote_literal(ends), '');
  end loop;
end
$$;

-- Only for the two functions above: their arguments become part of a statement.
create function attach_partition(parent text, name text, lower text, upper text, storage text)
returns void language plpgsql as $$
declare
  home constant text := (
    select relnamespace::regnamespace::text from pg_class where oid = parent::regclass);
begin
  if to_regclass(format('%s.%I', home, name)) is not null then
    return;
  end if;
  execute format('create table %s.%I '
    '(like %1$s.%3$I including defaults including constraints)%4$s', home, name, parent, storage);
  execute format('alter table %s.%I attach partition %1$s.%3$I for values from (%4$s) to (%5$s)',
    home, parent, name, lower, upper);
  execute format('grant select, insert, update, delete on %s.%I to %I', home, name, session_user);
end
$$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'make_order_partition(bigint, bigint)', 'make_month_partitions(date)',
    'attach_partition(text, text, text, text, text)'
  ] loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name,
      current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
-- The third runs with the rights of the other two.
alter function make_order_partition(bigint, bigint) security definer;
alter function make_month_partitions(date) security definer;
