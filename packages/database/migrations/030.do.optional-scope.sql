-- What a merchant may leave out of an approval, part of `scope`; and since when an operator vouches for who the client is.
ALTER TABLE directory.clients
  ADD COLUMN optional_scope text[] NOT NULL DEFAULT '{}',
  ADD COLUMN verified_at timestamptz;
