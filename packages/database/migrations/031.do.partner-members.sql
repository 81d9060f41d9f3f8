-- People of a partner, who see the pages of its client. Their accounts are those of merchants; an account can belong to shops and to clients.
CREATE TABLE directory.client_members (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients,
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants,
  role text NOT NULL CHECK (role IN ('owner', 'member')), -- owners change credentials, people and what the client asks for
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant_id, client_id)
);
CREATE INDEX client_members_by_client ON directory.client_members (client_id);

-- Links by which somebody becomes a member of a client: 'client_id' is theirs alone. The maker is an operator or an owner.
ALTER TABLE directory.merchant_links ADD COLUMN client_id text COLLATE "C";
ALTER TABLE directory.merchant_links DROP CONSTRAINT merchant_links_purpose_check;
ALTER TABLE directory.merchant_links ADD CONSTRAINT merchant_links_purpose_check
  CHECK (purpose IN ('reset_password', 'invitation', 'confirm_address', 'not_me', 'partner_invitation')) NOT VALID;
ALTER TABLE directory.merchant_links ADD CONSTRAINT merchant_links_of_client
  CHECK ((purpose = 'partner_invitation') = (client_id IS NOT NULL)) NOT VALID;

GRANT SELECT, INSERT, UPDATE (role), DELETE ON directory.client_members TO authorization_server;
GRANT SELECT (client_id) ON directory.merchant_links TO notifier;

-- On a cluster, on every node, as the merchants are.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_reference_table('directory.client_members')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'directory.merchants'::regclass)$sql$;
  END IF;
END
$$;
