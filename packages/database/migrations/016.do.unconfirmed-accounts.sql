-- An account that an invitation made is unconfirmed until a link of the operator was used: the owner who invited had the link first.
-- What makes an account and names no column, as the former release does, makes an unconfirmed one. The accounts that there are count as
-- confirmed.
ALTER TABLE directory.merchants
  ADD COLUMN confirmed boolean DEFAULT true NOT NULL,
  ADD COLUMN invited_by text COLLATE "C", -- the owner who invited, by id; null: an operator made the account, or it is not known
  ADD COLUMN invited_to text COLLATE "C"; -- the shop's id
ALTER TABLE directory.merchants ALTER COLUMN confirmed SET DEFAULT false;

-- On a cluster an INSERT names the columns of all defaults.
GRANT INSERT (confirmed, invited_by, invited_to), UPDATE (confirmed) ON directory.merchants TO authorization_server;
