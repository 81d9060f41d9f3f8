-- Merchants, shops, clients and API keys. Small tables that the services read.
CREATE SCHEMA directory;
GRANT USAGE ON SCHEMA directory TO authorization_server, resource_server, worker, back_office;

-- Merchants

CREATE TABLE directory.merchants (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'mer_' || replace(uuidv7()::text, '-', ''),
  email text NOT NULL,
  name text NOT NULL,
  password_hash text, -- argon2id, PHC string; null: no password is set
  password_changed_at timestamptz(3),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')), -- a disabled merchant can't sign in
  session_epoch integer NOT NULL DEFAULT 1, -- raised by whatever ends all sessions: a new password, a disable
  language text, -- of the pages on which the merchant last signed in; null: unknown
  from_product boolean NOT NULL DEFAULT false, -- made by a product key, so the id is the survey product's; product keys change no others
  erase_requested_at timestamptz(3), -- its erasure has begun
  erased_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX merchants_by_email ON directory.merchants (lower(email));
GRANT SELECT, UPDATE (password_hash, password_changed_at, session_epoch, language)
  ON directory.merchants TO authorization_server;
GRANT SELECT (id, email, name, language, status) ON directory.merchants TO worker;
-- For the internal API, which sets no password. Inserts need all columns that have a default, because Citus sends the values to the other nodes.
GRANT SELECT (id, email, name, status, session_epoch, language, from_product, erase_requested_at, erased_at),
  INSERT (id, email, name, status, session_epoch, from_product, created_at),
  UPDATE (email, name, status, session_epoch, language, from_product, erase_requested_at, erased_at) ON directory.merchants TO back_office;

-- For erasures by the back office.
CREATE FUNCTION directory.forget_password(merchant text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE directory.merchants SET password_hash = NULL, password_changed_at = NULL WHERE id = merchant AND erase_requested_at IS NOT NULL
$$;
REVOKE EXECUTE ON FUNCTION directory.forget_password FROM PUBLIC;
GRANT EXECUTE ON FUNCTION directory.forget_password TO back_office;

-- Accounts at an OpenID Connect provider. One per merchant and provider: a new owner of an email address does not get the account.
CREATE TABLE directory.merchant_identities (
  issuer text COLLATE "C" NOT NULL, -- the provider's URL
  subject text COLLATE "C" NOT NULL,
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX merchant_identities_by_merchant ON directory.merchant_identities (merchant_id, issuer);
GRANT SELECT, INSERT ON directory.merchant_identities TO authorization_server;
GRANT SELECT (merchant_id), DELETE ON directory.merchant_identities TO back_office;

CREATE TABLE directory.passkeys (
  id text COLLATE "C" PRIMARY KEY, -- credential id, base64url
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants ON DELETE CASCADE,
  name text NOT NULL, -- chosen by the merchant
  public_key bytea NOT NULL, -- COSE
  counter bigint NOT NULL, -- signature counter; 0: the authenticator doesn't count
  transports text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_by_merchant ON directory.passkeys (merchant_id);
GRANT SELECT, INSERT, UPDATE (name, counter, last_used_at), DELETE ON directory.passkeys TO authorization_server;
GRANT SELECT (merchant_id, last_used_at) ON directory.passkeys TO worker;
GRANT SELECT (merchant_id), DELETE ON directory.passkeys TO back_office;

-- Single-use links that set a password.
CREATE TABLE directory.merchant_links (
  token_hash bytea PRIMARY KEY, -- SHA-256 of 256 random bits, or of an HMAC under MAIL_KEY_FILE
  merchant_id text COLLATE "C" NOT NULL, -- whose password the link sets, if the address is still `email`; empty: there is no such account
  email text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3) -- used, or invalidated by a later link or an operator
);
CREATE INDEX merchant_links_by_merchant ON directory.merchant_links (merchant_id);
GRANT SELECT, INSERT, UPDATE (used_at) ON directory.merchant_links TO authorization_server;
GRANT SELECT (token_hash, expires_at, used_at) ON directory.merchant_links TO worker;
GRANT SELECT, UPDATE (used_at), DELETE ON directory.merchant_links TO back_office;

-- Shops

CREATE TABLE directory.shops (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'shop_' || replace(uuidv7()::text, '-', ''),
  name text NOT NULL,
  domain text,
  plan text NOT NULL CHECK (plan IN ('standard', 'advanced_attribution')),
  erase_requested_at timestamptz(3), -- its erasure has begun
  test_of text COLLATE "C", -- the client whose test shop it is, set at creation
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (id, test_of)
);
CREATE INDEX shops_by_name ON directory.shops (lower(name) COLLATE "C");
CREATE INDEX shops_by_domain ON directory.shops (lower(domain) COLLATE "C");
-- Partners create test shops. Inserts need created_at too (above).
GRANT SELECT, INSERT (id, name, domain, plan, test_of, created_at) ON directory.shops TO authorization_server;
GRANT SELECT (id, name, domain, plan) ON directory.shops TO resource_server;
GRANT SELECT (id, name) ON directory.shops TO worker;
GRANT SELECT, INSERT (id, name, domain, plan, created_at), UPDATE (name, domain, plan, erase_requested_at), DELETE
  ON directory.shops TO back_office;

-- True if the shop exists and is not being erased; neither can change until the transaction ends. Every writer of a shop's data calls it.
-- On Citus another version replaces it (packages/database/src/citus/distribute.ts).
CREATE FUNCTION directory.lock_shop(shop text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM directory.shops WHERE id = shop AND erase_requested_at IS NULL FOR SHARE;
  RETURN FOUND;
END $$;
REVOKE EXECUTE ON FUNCTION directory.lock_shop FROM PUBLIC;
GRANT EXECUTE ON FUNCTION directory.lock_shop TO resource_server, back_office;

CREATE TABLE directory.memberships (
  shop_id text COLLATE "C" NOT NULL REFERENCES directory.shops ON DELETE CASCADE,
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant_id, shop_id)
);
CREATE INDEX memberships_by_shop ON directory.memberships (shop_id);
GRANT SELECT, INSERT ON directory.memberships TO authorization_server;
-- UPDATE (created_at) only permits row locks: SELECT FOR UPDATE needs the right to update some column.
GRANT SELECT, INSERT, UPDATE (created_at), DELETE ON directory.memberships TO back_office;

-- True if the merchant is an active member of the shop and the sessions of this epoch have not ended; it stays so until the transaction ends. For
-- approvals: their role may not change memberships, so it may not lock them itself.
CREATE FUNCTION directory.lock_membership(merchant text, shop text, epoch integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
  WHERE m.merchant_id = merchant AND m.shop_id = shop AND p.status = 'active' AND p.session_epoch = epoch
  FOR SHARE;
  RETURN FOUND;
END $$;
REVOKE EXECUTE ON FUNCTION directory.lock_membership FROM PUBLIC;
GRANT EXECUTE ON FUNCTION directory.lock_membership TO authorization_server;

CREATE TABLE directory.api_keys (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'key_' || replace(uuidv7()::text, '-', ''),
  shop_id text COLLATE "C" NOT NULL REFERENCES directory.shops ON DELETE CASCADE,
  key_hash bytea NOT NULL UNIQUE, -- SHA-256 of a 256-bit random key
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
GRANT SELECT (id, shop_id, key_hash, revoked_at) ON directory.api_keys TO resource_server;
GRANT SELECT (id, shop_id, created_at, revoked_at), UPDATE (revoked_at) ON directory.api_keys TO back_office;

-- Keys of the survey product for the internal API.
CREATE TABLE directory.product_keys (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'pky_' || replace(uuidv7()::text, '-', ''),
  name text NOT NULL,
  key_hash bytea NOT NULL UNIQUE, -- SHA-256 of a 256-bit random key
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3), -- to the minute
  revoked_at timestamptz(3)
);
GRANT SELECT, UPDATE (last_used_at) ON directory.product_keys TO back_office;

-- Clients

CREATE TABLE directory.clients (
  client_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  scope text[] NOT NULL,
  grant_types text[] NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  publisher text,
  website text,
  privacy_policy text,
  contact text, -- email address for merchants who ask to delete what the app has read
  logo bytea CHECK (octet_length(logo) <= 64 * 1024), -- WebP, re-encoded from the operator's file
  logo_digest text, -- SHA-256 of the logo, base64url: its name in URLs
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((logo IS NULL) = (logo_digest IS NULL))
);
-- UPDATE (created_at) only permits row locks.
GRANT SELECT, UPDATE (created_at) ON directory.clients TO authorization_server;
GRANT SELECT (client_id, status, scope) ON directory.clients TO resource_server;
GRANT SELECT (client_id, name, status) ON directory.clients TO worker;
GRANT SELECT (client_id, name, status, scope, contact) ON directory.clients TO back_office;

-- A client has one secret, and during a rotation with overlap a second one until it expires.
CREATE TABLE directory.client_secrets (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  secret_hash bytea NOT NULL, -- SHA-256 of a 256-bit random secret
  last_four text, -- its last characters, by which its owner recognizes it
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3), -- to the hour, or when it was created
  PRIMARY KEY (client_id, secret_hash)
);
GRANT SELECT, INSERT, UPDATE (expires_at, last_used_at), DELETE ON directory.client_secrets TO authorization_server;

-- A partner's people, who see the client's pages. An account can belong to shops and to clients.
CREATE TABLE directory.client_members (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant_id, client_id)
);
CREATE INDEX client_members_by_client ON directory.client_members (client_id);
GRANT SELECT ON directory.client_members TO authorization_server;
GRANT SELECT, DELETE ON directory.client_members TO back_office;

-- Like lock_membership, for a member of a client who changes something on the partner pages.
CREATE FUNCTION directory.lock_client_membership(merchant text, client text, epoch integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM directory.client_members m JOIN directory.merchants p ON p.id = m.merchant_id
  WHERE m.merchant_id = merchant AND m.client_id = client AND p.status = 'active' AND p.session_epoch = epoch
  FOR SHARE;
  RETURN FOUND;
END $$;
REVOKE EXECUTE ON FUNCTION directory.lock_client_membership FROM PUBLIC;
GRANT EXECUTE ON FUNCTION directory.lock_client_membership TO authorization_server;

-- Shops of generated responses on which a partner tests its app: at most five per client. Only a shop that was created as the client's test
-- shop can be one, so no row lets another shop's responses be changed or erased.
CREATE TABLE directory.test_shops (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  slot smallint NOT NULL CHECK (slot BETWEEN 1 AND 5),
  shop_id text COLLATE "C" NOT NULL UNIQUE,
  steps integer NOT NULL DEFAULT 0, -- how often it was filled or changed
  ended_at timestamptz(3), -- deleted by the partner, to be erased
  -- What the partner has requested and the back office has not done yet (the services can't change responses), and the actor.
  change text CHECK (change IN ('add', 'recategorize', 'delete')),
  change_by text,
  last_change jsonb, -- the last change made: {"change", "count"}
  responses integer NOT NULL DEFAULT 0, -- after the last step
  PRIMARY KEY (client_id, slot),
  FOREIGN KEY (shop_id, client_id) REFERENCES directory.shops (id, test_of) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE (ended_at, change, change_by) ON directory.test_shops TO authorization_server;
GRANT SELECT, UPDATE (steps, change, last_change, responses) ON directory.test_shops TO back_office;
