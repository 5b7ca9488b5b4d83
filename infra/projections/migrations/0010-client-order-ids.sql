-- The console finds an order by its client order id alone. Both columns are compared with `=`, so
-- the same index still finds the order of a user.

drop index orders_by_client_id;
create index orders_by_client_id on orders (client_order_id, user_id) where client_order_id <> '';
