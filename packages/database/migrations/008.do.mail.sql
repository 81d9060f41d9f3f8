-- Outgoing mails: one row per mail and recipient, inserted in the transaction that it reports. The worker deletes it once it is sent.
-- Holds no secret: a link's token is created when its mail is sent. See packages/mail.
CREATE TABLE oauth.mails (
  shop_id text COLLATE "C" NOT NULL, -- the shard; of a mail that concerns no shop, any other id
  id text COLLATE "C" NOT NULL DEFAULT 'mail_' || replace(uuidv7()::text, '-', ''),
  kind text NOT NULL,
  merchant_id text COLLATE "C", -- the recipient; null: nobody, or an address of a test
  about jsonb NOT NULL DEFAULT '{}', -- ids and scopes; no token and no address of a merchant
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  claimed_until timestamptz(3), -- lease of the sending process
  failed_at timestamptz(3), -- given up
  failure text, -- of the last attempt
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX mails_due ON oauth.mails (next_attempt_at) WHERE failed_at IS NULL;
GRANT INSERT ON oauth.mails TO authorization_server;
GRANT SELECT, UPDATE (next_attempt_at, attempts, claimed_until, failed_at, failure), DELETE ON oauth.mails TO worker;
