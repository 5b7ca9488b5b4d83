-- The time at which an open order closes; null for none.

alter table orders add column expires_at timestamptz;
alter table orders drop constraint orders_close_reason_check;
alter table orders add constraint orders_close_reason_check check (
  close_reason in (
    'filled', 'canceled_by_user', 'canceled_by_operator', 'canceled_by_dead_man_switch',
    'immediate_order_remainder', 'self_trade_prevented', 'fills_per_command_reached',
    'price_outside_band', 'order_cannot_be_filled_completely', 'no_liquidity_within_limits',
    'linked_order_closed', 'expired'
  )
);
