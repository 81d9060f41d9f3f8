-- Which jobs a service may add, each in the transaction of its cause: a function per kind, which runs as the owner. The queues are schemas of
-- pg-boss (packages/database/src/jobs.ts), which `migrate` installs; a queue is read and written by the role that works on it, and no other.

-- A mail to a merchant, or a test to an address. `about` has ids and scopes, no token and no address of a merchant; `link` is the id of a
-- link, which means nothing without MAIL_KEY_FILE.
CREATE FUNCTION oauth.add_mail(kind text, merchant text, shop text, about jsonb, link text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM worker_jobs.add('mail', jsonb_build_object('kind', kind, 'merchant_id', merchant, 'shop_id', shop, 'about', about, 'link', link));
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_mail FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_mail TO authorization_server;

-- The same mail to each member of shops, or of clients: `abouts` has one for each.
CREATE FUNCTION oauth.add_member_mails(kind text, shops text[], clients text[], abouts jsonb[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM oauth.add_mail(kind, m.merchant_id, m.shop_id, told.about, NULL)
  FROM unnest(shops, abouts) AS told (shop, about) JOIN directory.memberships m ON m.shop_id = told.shop;
  PERFORM oauth.add_mail(kind, m.merchant_id, NULL, told.about, NULL)
  FROM unnest(clients, abouts) AS told (client, about) JOIN directory.client_members m ON m.client_id = told.client;
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_member_mails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_member_mails TO authorization_server;

-- An attempt for each active endpoint of the clients, or for one of them: at once, or when its pause ends. One that waits already covers it.
-- It runs as its caller, because Citus reads no rows of a client whose changes another role has written in the same transaction.
CREATE FUNCTION oauth.add_hints(clients text[], endpoint text) RETURNS void
LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
  w record;
BEGIN
  FOR w IN SELECT client_id, id, failures, next_attempt_at FROM oauth.webhooks
    WHERE client_id = ANY (clients) AND status = 'active' AND (endpoint IS NULL OR id = endpoint)
  LOOP
    PERFORM worker_jobs.add(CASE WHEN w.failures = 0 THEN 'webhook' ELSE 'webhook_retry' END,
      jsonb_build_object('client_id', w.client_id, 'id', w.id), w.id, greatest(now(), w.next_attempt_at));
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_hints FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_hints TO worker;

-- A test that a partner or an operator asks for.
CREATE FUNCTION oauth.add_webhook_test(client text, endpoint text, hint text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM worker_jobs.add('webhook_test', jsonb_build_object('client_id', client, 'id', endpoint, 'hint', hint));
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_webhook_test FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_webhook_test TO authorization_server;

-- Jobs that were added on a worker of a Citus cluster. The queues are on the coordinator, so the worker process moves them there
-- (packages/database/src/citus/incoming-jobs.ts). Empty on one Postgres.
CREATE TABLE oauth.incoming_jobs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  kind text NOT NULL,
  data jsonb NOT NULL,
  key text,
  start timestamptz NOT NULL
);
GRANT SELECT, DELETE ON oauth.incoming_jobs TO worker;
