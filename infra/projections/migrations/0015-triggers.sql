-- Orders with a stop price are stops or take-profits. An amendment can move the stop price.

alter table orders add column trigger text not null default 'stop'
  check (trigger in ('stop', 'take_profit'));
