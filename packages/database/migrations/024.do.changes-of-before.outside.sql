-- The connections from before 022 have no entry in their client's feed yet. Repeated, they are noted again, which does no harm.
CALL oauth.note_all_connections();
