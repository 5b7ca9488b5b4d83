-- The choice of the control mode, and accounts of stake pools apart from those of users.

-- When an administrator chose the mode; null: the console asks.
alter table exchange_control add column chosen_at timestamptz;
update exchange_control set chosen_at = now() where mode = 'team';

-- Lists of users and balances leave these few accounts out.
create index users_of_house on users (id) where kind = 'house';
