-- The accounts that invitations have made, as far as the audit log goes back, are unconfirmed, unless a reset link was used since.
DO $$
DECLARE
  account record;
BEGIN
  FOR account IN
    SELECT merchant_id AS id, max(details ->> 'invited_to') AS invited_to FROM directory.audit_log
    WHERE event IN ('merchant_create', 'merchant_set_password')
    GROUP BY merchant_id
    HAVING max(details ->> 'invited_to') IS NOT NULL AND count(*) FILTER (WHERE details ->> 'by' = 'reset_link') = 0
  LOOP
    UPDATE directory.merchants SET confirmed = false, invited_to = account.invited_to
    WHERE id = account.id AND invited_to IS NULL;
    COMMIT;
  END LOOP;
END
$$;
