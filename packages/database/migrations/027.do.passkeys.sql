-- Merchants' passkeys, and the codes that stand in for a lost one. Who has a passkey is asked for it after the password on a new device, and
-- before an approval of personal data.
CREATE TABLE directory.passkeys (
  id text COLLATE "C" PRIMARY KEY, -- the credential's id, base64url, as the authenticator made it
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants,
  name text NOT NULL, -- the merchant's own
  public_key bytea NOT NULL, -- COSE
  counter bigint NOT NULL, -- of the authenticator's signatures; 0: it doesn't count
  transports text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_by_merchant ON directory.passkeys (merchant_id);

CREATE TABLE directory.recovery_codes (
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants,
  code_hash bytea NOT NULL, -- SHA-256 of the merchant's id and 80 random bits; the code itself is shown once
  used_at timestamptz(3),
  PRIMARY KEY (merchant_id, code_hash)
);

GRANT SELECT, INSERT, DELETE, UPDATE (name, counter, last_used_at) ON directory.passkeys TO authorization_server;
GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON directory.recovery_codes TO authorization_server;

-- On a cluster whose tables are distributed they are whole on every node, as the merchants are.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_reference_table(name::regclass)
      FROM unnest(ARRAY['directory.passkeys', 'directory.recovery_codes']) AS name
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'directory.merchants'::regclass)$sql$;
  END IF;
END
$$;
