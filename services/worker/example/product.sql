-- The tables of a small survey product. Columns of questions and responses are named as in the partners' API.
CREATE TABLE merchants (id text PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL);
CREATE TABLE shops (id text PRIMARY KEY, name text NOT NULL, domain text, plan text NOT NULL);
CREATE TABLE members (
  shop_id text REFERENCES shops ON DELETE CASCADE,
  merchant_id text REFERENCES merchants ON DELETE CASCADE,
  PRIMARY KEY (shop_id, merchant_id)
);
CREATE TABLE questions (
  shop_id text REFERENCES shops ON DELETE CASCADE,
  id integer,
  prompt text NOT NULL,
  PRIMARY KEY (shop_id, id)
);
CREATE TABLE responses (
  shop_id text,
  id text,
  question_id integer NOT NULL,
  response text NOT NULL,
  original_response text,
  PRIMARY KEY (shop_id, id),
  FOREIGN KEY (shop_id, question_id) REFERENCES questions ON DELETE CASCADE
);

-- Tables for sync-product.ts: the sources that partners made, the cursor at which it continues to read them, and an outbox.
CREATE TABLE sources (shop_id text, id text, client_id text, source jsonb NOT NULL, PRIMARY KEY (shop_id, id));
CREATE TABLE sources_cursor (cursor text NOT NULL);

-- Changes to be sent. `refused`: the reason why Partner Connect did not accept a change.
CREATE TABLE outbox (position bigserial PRIMARY KEY, kind text NOT NULL, shop_id text, id text NOT NULL, refused text);

CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  INSERT INTO outbox (kind, shop_id, id)
  VALUES (TG_TABLE_NAME, changed ->> 'shop_id', coalesce(changed ->> 'id', changed ->> 'merchant_id'));
  RETURN NULL;
END $$;
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON merchants FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON shops FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON questions FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON responses FOR EACH ROW EXECUTE FUNCTION note_change();
