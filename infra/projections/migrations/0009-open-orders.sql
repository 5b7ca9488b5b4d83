-- The impact of a switch counts open orders and their sums from this index alone. A fill still
-- changes none of its columns.

drop index open_orders;
create index open_orders on orders (number)
  include (market_id, user_id, side, price_ticks, size_lots)
  where close_reason is null;
