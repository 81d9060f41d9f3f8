-- What the list relies on when it joins stored documents with a comma and a line break and cuts them apart there
-- (services/resource-server, pagination/joined-records.ts): none of them has a raw line break. And none is so large that a
-- page of a thousand could not be held.
--
-- The sizes. A response is imported from a line of 64 KiB at most. A write-in that is recategorized is stored twice, as
-- other_response and as original_response; the fields that are absent, and the stamps, add about 2 KiB. A question is imported
-- from a line of 1 MiB at most; an option of 13 bytes, {"value":""}, is stored in 53.
--
-- NOT VALID: each row that is written from now on is checked, and no existing one, so that the table is locked for a moment
-- only. `migrate` validates the constraints afterwards, in a transaction of its own, beside readers and writers.
ALTER TABLE survey.responses
  ADD CONSTRAINT responses_doc_is_one_line CHECK (strpos(doc, E'\n') = 0) NOT VALID,
  ADD CONSTRAINT responses_doc_size CHECK (octet_length(doc) <= 136 * 1024) NOT VALID;
ALTER TABLE survey.questions
  ADD CONSTRAINT questions_doc_is_one_line CHECK (strpos(doc, E'\n') = 0) NOT VALID,
  ADD CONSTRAINT questions_doc_size CHECK (octet_length(doc) <= 5 * 1024 * 1024) NOT VALID;
