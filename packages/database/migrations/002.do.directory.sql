-- Who exists: merchants, shops, clients and API keys. Small, read by both services (on Citus: reference tables).
CREATE SCHEMA directory;

CREATE TABLE directory.merchants (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'mer_' || replace(uuidv7()::text, '-', ''),
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL, -- argon2id, PHC string
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX merchants_by_email ON directory.merchants (lower(email));

CREATE TABLE directory.shops (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'shop_' || replace(uuidv7()::text, '-', ''),
  name text NOT NULL,
  domain text,
  plan text NOT NULL CHECK (plan IN ('standard', 'advanced_attribution')),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE directory.memberships (
  shop_id text COLLATE "C" NOT NULL REFERENCES directory.shops,
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant_id, shop_id)
);

CREATE TABLE directory.clients (
  client_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  scope text[] NOT NULL,
  grant_types text[] NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- A client has one secret, and during a rotation with overlap a second one that still works until it expires.
CREATE TABLE directory.client_secrets (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients,
  secret_hash bytea NOT NULL, -- SHA-256 of a 256-bit random secret
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  PRIMARY KEY (client_id, secret_hash)
);

CREATE TABLE directory.api_keys (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'key_' || replace(uuidv7()::text, '-', ''),
  shop_id text COLLATE "C" NOT NULL REFERENCES directory.shops,
  key_hash bytea NOT NULL UNIQUE, -- SHA-256 of a 256-bit random key
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);

GRANT USAGE ON SCHEMA directory TO authorization_server, resource_server;
GRANT SELECT ON directory.merchants, directory.shops, directory.memberships, directory.clients, directory.client_secrets
  TO authorization_server;
GRANT SELECT (id, plan) ON directory.shops TO resource_server;
GRANT SELECT (client_id, status, scope) ON directory.clients TO resource_server;
GRANT SELECT (id, shop_id, key_hash, revoked_at) ON directory.api_keys TO resource_server;
