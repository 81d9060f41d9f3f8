/**
 * Postgres refuses to run as root, so root runs it as another user. Where that user can't enter the clone or DATA_DIR, this
 * folder has a copy of Postgres's programs and the clusters, and DATA_DIR/postgres is a link to one of them.
 */
export const MACHINE_FOLDER = "/var/lib/partner-connect";
