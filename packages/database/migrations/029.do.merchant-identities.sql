-- Merchants who sign in with an account elsewhere (OpenID Connect): the provider's lasting name of the person, and our account.
CREATE TABLE directory.merchant_identities (
  issuer text COLLATE "C" NOT NULL, -- the provider's URL
  subject text COLLATE "C" NOT NULL,
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
-- One person of a provider for each account: who gets an address that another one had does not get her account.
CREATE UNIQUE INDEX merchant_identities_by_merchant ON directory.merchant_identities (merchant_id, issuer);
GRANT SELECT, INSERT ON directory.merchant_identities TO authorization_server;

-- On a cluster, on every node, as the merchants are.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_reference_table('directory.merchant_identities')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'directory.merchants'::regclass)$sql$;
  END IF;
END
$$;
