-- The life of a merchant's account after its first day.

-- A disabled merchant can't sign in. session_epoch is raised by whatever ends all sessions: a new password, a disable.
ALTER TABLE directory.merchants
  ADD COLUMN status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  ADD COLUMN session_epoch integer NOT NULL DEFAULT 1,
  ADD COLUMN password_changed_at timestamptz(3);

-- Both may connect apps for the shop and disconnect them; owners add and remove members too. A shop keeps one owner at least.
ALTER TABLE directory.memberships
  ADD COLUMN role text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'member'));
CREATE INDEX memberships_by_shop ON directory.memberships (shop_id);

-- Links that work once: to set a new password, or to become a member of a shop.
CREATE TABLE directory.merchant_links (
  token_hash bytea PRIMARY KEY, -- SHA-256 of 256 random bits; the link itself is shown once
  purpose text NOT NULL CHECK (purpose IN ('reset_password', 'invitation')),
  email text NOT NULL, -- whom it is for
  shop_id text COLLATE "C" REFERENCES directory.shops, -- of an invitation
  role text CHECK (role IN ('owner', 'member')), -- of an invitation
  created_by text NOT NULL, -- the actor, as in the audit log
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3), -- used, or made invalid by a later link or an operator
  CHECK ((purpose = 'invitation') = (shop_id IS NOT NULL AND role IS NOT NULL))
);
CREATE INDEX merchant_links_by_email ON directory.merchant_links (email);
CREATE INDEX merchant_links_by_shop ON directory.merchant_links (shop_id);

GRANT INSERT (email, name, password_hash) ON directory.merchants TO authorization_server;
GRANT UPDATE (password_hash, session_epoch, password_changed_at) ON directory.merchants TO authorization_server;
GRANT INSERT, UPDATE (role), DELETE ON directory.memberships TO authorization_server;
GRANT SELECT, INSERT, UPDATE (used_at) ON directory.merchant_links TO authorization_server;
