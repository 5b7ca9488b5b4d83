-- The order that an order was linked to when it was placed; 0 for none. One of two linked orders
-- closes when the other one trades or closes.

alter table orders add column linked_order bigint not null default 0;
alter table orders drop constraint orders_close_reason_check;
alter table orders add constraint orders_close_reason_check check (
  close_reason in (
    'filled', 'canceled_by_user', 'canceled_by_operator', 'canceled_by_dead_man_switch',
    'immediate_order_remainder', 'self_trade_prevented', 'fills_per_command_reached',
    'price_outside_band', 'order_cannot_be_filled_completely', 'no_liquidity_within_limits',
    'linked_order_closed'
  )
);
