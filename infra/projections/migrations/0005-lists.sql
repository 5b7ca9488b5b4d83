-- Lists of operators over all users. Market and number of an order never change, so this index does
-- not slow down fills.

create index orders_in_market on orders (market_id, number);
