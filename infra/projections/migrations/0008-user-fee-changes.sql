-- Every tier and discount that a user ever had: an order has those of the last change before it.

create table user_fee_changes (
  user_id bigint not null,
  command bigint not null,
  tier bigint not null,
  discount_ppm bigint not null,
  changed_at timestamptz not null,
  primary key (user_id, command)
);

-- Of changes before this migration only the last one of each user is known, until a rebuild.
insert into user_fee_changes (user_id, command, tier, discount_ppm, changed_at)
select user_id, 0, tier, discount_ppm, updated_at from user_fees;
