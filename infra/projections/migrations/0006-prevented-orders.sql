-- Orders that self-trade prevention or the price band ended, in the order of time: surveillance
-- reads the newest. An index of the orders by their last change would slow down every fill.

create table prevented_orders (
  number bigint primary key,
  user_id bigint not null,
  market_id bigint not null,
  reason text not null check (reason in ('self_trade_prevented', 'price_outside_band')),
  ended_at timestamptz not null
);
create index prevented_orders_by_time on prevented_orders (ended_at, number);

insert into prevented_orders (number, user_id, market_id, reason, ended_at)
select number, user_id, market_id, close_reason, updated_at from orders
where close_reason in ('self_trade_prevented', 'price_outside_band');
