-- GET /api/responses?question_id=…&response_id=…: what the indexes of 035 begin with. Null where the record names none.
CREATE FUNCTION survey.question_id_of(doc text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(nullif(split_part(split_part(doc, ',"question_id":', 2), ',', 1), 'null'), '')::bigint;

CREATE FUNCTION survey.response_id_of(doc text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(nullif(split_part(split_part(doc, ',"response_id":', 2), ',', 1), 'null'), '')::bigint;
