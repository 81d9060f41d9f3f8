-- The responses of a question, and of an option: as responses_unchanged and responses_changed_by_… of 004, so that a response
-- that never changed has one entry for both times (services/resource-server, merged-index-walk.query.ts).
CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_of_question_unchanged ON survey.responses
  (shop_id, survey.question_id_of(doc), inserted_at, id) WHERE updated_at = inserted_at;
CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_of_question_by_updated_at ON survey.responses
  (shop_id, survey.question_id_of(doc), date_bin('28 days', inserted_at, timestamptz '2000-01-03T00:00:00Z'), updated_at, id)
  WHERE updated_at > inserted_at;
CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_of_question_by_inserted_at ON survey.responses
  (shop_id, survey.question_id_of(doc), date_bin('28 days', updated_at, timestamptz '2000-01-03T00:00:00Z'), inserted_at, id)
  WHERE updated_at > inserted_at;
CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_of_option_unchanged ON survey.responses
  (shop_id, survey.response_id_of(doc), inserted_at, id) WHERE updated_at = inserted_at;
CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_of_option_by_updated_at ON survey.responses
  (shop_id, survey.response_id_of(doc), date_bin('28 days', inserted_at, timestamptz '2000-01-03T00:00:00Z'), updated_at, id)
  WHERE updated_at > inserted_at;
CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_of_option_by_inserted_at ON survey.responses
  (shop_id, survey.response_id_of(doc), date_bin('28 days', updated_at, timestamptz '2000-01-03T00:00:00Z'), inserted_at, id)
  WHERE updated_at > inserted_at;
