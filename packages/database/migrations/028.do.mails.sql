-- Mails that wait to be sent: one row is one mail to one person, written in the transaction of what it tells. The notifier deletes it once it
-- is sent. No secret is here: a link's token is made when its mail is sent. See packages/mail.
CREATE TABLE oauth.mails (
  shop_id text COLLATE "C" NOT NULL, -- whose shard has it; of a mail that concerns no shop, an id of anything else
  id text COLLATE "C" NOT NULL DEFAULT 'mail_' || replace(uuidv7()::text, '-', ''),
  kind text NOT NULL,
  merchant_id text COLLATE "C", -- who gets it; null: an invitation to who may have no account, or nobody
  about jsonb NOT NULL DEFAULT '{}', -- ids and scopes; no token and no address of a merchant
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  claimed_until timestamptz(3), -- a process sends until then
  failed_at timestamptz(3), -- given up
  failure text, -- of the last attempt
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX mails_due ON oauth.mails (next_attempt_at) WHERE failed_at IS NULL;

-- The language of the pages that the merchant last signed in on; null: not known.
ALTER TABLE directory.merchants ADD COLUMN language text;

-- Links that go by mail. Who opens one reads the mailbox, as nobody else has seen it.
ALTER TABLE directory.merchant_links
  ADD COLUMN mailed boolean NOT NULL DEFAULT false,
  ADD COLUMN about jsonb; -- of 'not_me': what the mail told; of a mailed invitation: which one it is of
ALTER TABLE directory.merchant_links DROP CONSTRAINT merchant_links_purpose_check;
ALTER TABLE directory.merchant_links ADD CONSTRAINT merchant_links_purpose_check
  CHECK (purpose IN ('reset_password', 'invitation', 'confirm_address', 'not_me')) NOT VALID;

GRANT INSERT ON oauth.mails TO authorization_server;
GRANT INSERT (language), UPDATE (language) ON directory.merchants TO authorization_server;
GRANT SELECT, DELETE, UPDATE (next_attempt_at, attempts, claimed_until, failed_at, failure) ON oauth.mails TO notifier;
GRANT SELECT (id, email, name, language, status) ON directory.merchants TO notifier;
GRANT SELECT (id, name) ON directory.shops TO notifier;
GRANT SELECT (name) ON directory.clients TO notifier;
GRANT INSERT, SELECT (token_hash, purpose, email, shop_id, role, created_by, expires_at, used_at) ON directory.merchant_links TO notifier;

-- On a cluster whose tables are distributed, beside what the mails tell of.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_distributed_table('oauth.mails', 'shop_id', colocate_with => 'oauth.change_notes')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'oauth.change_notes'::regclass AND partmethod = 'h')$sql$;
  END IF;
END
$$;
