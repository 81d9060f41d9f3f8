-- GET /api/response-counts: how many responses each question and answer has, by day and by month (UTC) of inserted_at. Who changes
-- responses adds to them in the same transaction (packages/survey-data, response-counts.ts).
CREATE TABLE survey.response_counts (
  shop_id text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL CHECK (unit IN ('day', 'month')),
  period date NOT NULL, -- its first day
  question_key uuid NOT NULL, -- MD5 of the question's id and text
  response_key uuid NOT NULL, -- MD5 of the response
  question_id bigint,
  question text NOT NULL, -- JSON, as the responses have it
  response text NOT NULL, -- JSON: null where customers wrote own words
  count bigint NOT NULL,
  PRIMARY KEY (shop_id, unit, period, question_key, response_key)
);
CREATE INDEX response_counts_of_question ON survey.response_counts
  (shop_id, unit, question_id, period, question_key, response_key) WHERE question_id IS NOT NULL;
-- For writers: what they have to delete before they end.
CREATE INDEX response_counts_at_zero ON survey.response_counts (shop_id) WHERE count = 0;

-- The counts belong to this stamp: they are right while it is the newest one. A former release's writers take stamps and don't count.
ALTER TABLE survey.stamps ADD COLUMN counted timestamptz(3);

GRANT SELECT ON survey.response_counts TO resource_server;

-- On a cluster whose tables are distributed, beside the responses.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_distributed_table('survey.response_counts', 'shop_id', colocate_with => 'survey.stamps')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'survey.stamps'::regclass AND partmethod = 'h')$sql$;
  END IF;
END
$$;
