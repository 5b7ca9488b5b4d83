-- Money is valued at the highest reference price of seven days: a lower price lowers no threshold
-- before they are over.

create table past_prices (
  id bigint generated always as identity primary key,
  symbol text not null,
  price numeric not null check (price > 0),
  -- When another price replaced it.
  until timestamptz not null default now()
);
create index past_prices_of_coin on past_prices (symbol, until);

create function keep_past_price() returns trigger language plpgsql as $$
begin
  insert into past_prices (symbol, price) values (old.symbol, old.estimated_price);
  return null;
end $$;
create trigger past_price_stays after update of estimated_price on coins
  for each row when (old.estimated_price > 0
    and old.estimated_price is distinct from new.estimated_price)
  execute function keep_past_price();
