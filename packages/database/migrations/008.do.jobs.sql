-- Which jobs a service may add, each in the transaction of its cause: a function per kind, which runs as the owner. The queues are schemas of
-- pg-boss (packages/jobs), which `migrate` installs; a queue is read and written by the role that works on it, and no other.

-- A mail to a merchant. `about` has ids and scopes, no token and no address of a merchant except a former one; `link` is the id of a link, which means nothing without MAIL_KEY_FILE. The mail is sent at `start` or later.
CREATE FUNCTION oauth.add_mail(kind text, merchant text, shop text, about jsonb, link text, start timestamptz DEFAULT now()) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM worker_jobs.add('mail', jsonb_build_object('kind', kind, 'merchant_id', merchant, 'shop_id', shop, 'about', about, 'link', link), NULL, start);
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_mail FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_mail TO authorization_server;

-- The same mail to each member of shops, or of clients: `abouts` has one for each.
CREATE FUNCTION oauth.add_member_mails(kind text, shops text[], clients text[], abouts jsonb[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM oauth.add_mail(kind, m.merchant_id, m.shop_id, told.about, NULL)
  FROM unnest(shops, abouts) AS told (shop, about) JOIN directory.memberships m ON m.shop_id = told.shop;
  PERFORM oauth.add_mail(kind, m.merchant_id, NULL, told.about, NULL)
  FROM unnest(clients, abouts) AS told (client, about) JOIN directory.client_members m ON m.client_id = told.client;
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_member_mails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_member_mails TO authorization_server, back_office;

-- Adds an attempt for each active endpoint of the clients, or for the one endpoint: immediately, or when its pause ends. None is added while one waits.
-- The function runs as its caller, because Citus reads no rows of a client whose changes another role has written in the same transaction.
CREATE FUNCTION oauth.add_webhook_jobs(clients text[], endpoint text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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
REVOKE EXECUTE ON FUNCTION oauth.add_webhook_jobs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_webhook_jobs TO worker;

-- A test that a partner or an operator asks for or, if `test` is NULL, the first attempt of a new endpoint. While one waits, there is no second one.
CREATE FUNCTION oauth.add_webhook_job(client text, endpoint text, test text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM worker_jobs.add(CASE WHEN test IS NULL THEN 'webhook' ELSE 'webhook_test' END,
    jsonb_build_object('client_id', client, 'id', endpoint, 'test', test), coalesce(test, endpoint));
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_webhook_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_webhook_job TO authorization_server;

-- Adds the job for a request in the row of directory.test_shops: to fill, change or erase the test shop.
CREATE FUNCTION oauth.add_test_shop_job(shop text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM back_office_jobs.add('test_shop', jsonb_build_object('shop_id', shop), shop);
END $$;
REVOKE EXECUTE ON FUNCTION oauth.add_test_shop_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.add_test_shop_job TO authorization_server;

-- Deletes the mails to a merchant, about a shop or about a client that are not sent, with an erasure. The members of its shops still learn that
-- a deleted client is disconnected.
CREATE FUNCTION oauth.erase_mails(merchant text, shop text, client text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM worker_jobs.job WHERE coalesce(source_name, name) = 'mail'
    AND (data ->> 'merchant_id' = merchant OR data ->> 'shop_id' = shop
      OR data -> 'about' ->> 'client_id' = client AND data ->> 'kind' <> 'app_disconnected');
END $$;
REVOKE EXECUTE ON FUNCTION oauth.erase_mails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.erase_mails TO back_office;

-- Jobs that were added on a worker node of a Citus cluster. The queues are on the coordinator, so the queues' processes move the jobs there
-- (packages/jobs/src/incoming-jobs.ts). Empty on one Postgres.
CREATE TABLE oauth.incoming_worker_jobs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  kind text NOT NULL,
  data jsonb NOT NULL,
  key text,
  start timestamptz NOT NULL
);
CREATE TABLE oauth.incoming_back_office_jobs (LIKE oauth.incoming_worker_jobs INCLUDING ALL);
GRANT SELECT, DELETE ON oauth.incoming_worker_jobs TO worker;
GRANT SELECT, DELETE ON oauth.incoming_back_office_jobs TO back_office;
