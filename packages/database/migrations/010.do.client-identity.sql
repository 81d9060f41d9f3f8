-- What merchants see of the company behind a client, and by which redirect URI a connection came.
ALTER TABLE directory.clients
  ADD COLUMN publisher text,
  ADD COLUMN website text,
  ADD COLUMN privacy_policy text;

-- Made anew from what an operator gave, never those bytes. Apart from the clients, as only the merchant pages read it.
CREATE TABLE directory.client_logos (
  client_id text COLLATE "C" PRIMARY KEY REFERENCES directory.clients,
  image bytea NOT NULL,
  media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/webp')),
  digest text NOT NULL, -- SHA-256 of the image, base64url: its name in URLs
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (octet_length(image) <= 64 * 1024)
);

-- As registered, of the current grant. Null: approved by a release that did not keep it.
ALTER TABLE oauth.connections ADD COLUMN redirect_uri text;

GRANT SELECT ON directory.client_logos TO authorization_server;
