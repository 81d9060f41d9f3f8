-- What writing the shop's data needs: packages/survey-data.

-- The newest stamp that a shop's rows were given, and by its row lock the shop's write lock. See take-stamp.ts there.
CREATE TABLE survey.stamps (
  shop_id text COLLATE "C" PRIMARY KEY,
  stamp timestamptz(3) NOT NULL
) WITH (fillfactor = 50); -- every write updates the row in place

-- A time as records show it: 2026-11-21T01:02:03.123Z.
CREATE FUNCTION survey.timestamp_text(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- A record's text: what stands before its two stamps, the stamps, what stands behind them.
CREATE FUNCTION survey.record_doc(head text, inserted_at timestamptz, updated_at timestamptz, tail text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN head || ',"inserted_at":"' || survey.timestamp_text(inserted_at)
  || '","updated_at":"' || survey.timestamp_text(updated_at) || '"' || tail;

-- The JSON of the field `name`, which stands before the field `next` in a response's text. The text is compact, flat
-- and in a fixed order, and `,"name":` is nowhere in it but at that field: within a JSON string a quote has a
-- backslash before it, and where a string ends no name can follow at once.
CREATE FUNCTION survey.field_text(doc text, name text, next text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN split_part(split_part(doc, ',"' || next || '":', 1), ',"' || name || '":', 2);

CREATE FUNCTION survey.with_field_text(doc text, name text, next text, value text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN split_part(doc, ',"' || name || '":', 1) || ',"' || name || '":' || value
  || substr(doc, strpos(doc, ',"' || next || '":'));

-- The JSON of a response's answer.
CREATE FUNCTION survey.response_of(doc text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN survey.field_text(doc, 'response', 'response_id');

-- The JSON of what was answered before any recategorization: the customer's own words, where there was no category.
CREATE FUNCTION survey.original_response_of(doc text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(
  nullif(survey.field_text(doc, 'original_response', 'clarification_question'), 'null'),
  nullif(survey.response_of(doc), 'null'),
  survey.field_text(doc, 'other_response', 'original_response'));

-- The response's text with the answer `response` (JSON) since `at`.
CREATE FUNCTION survey.recategorized_doc(doc text, at timestamptz, response text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN survey.with_field_text(
  survey.with_field_text(
    survey.with_field_text(doc, 'updated_at', 'response_provided_at', '"' || survey.timestamp_text(at) || '"'),
    'original_response', 'clarification_question', survey.original_response_of(doc)),
  'response', 'response_id', response);
