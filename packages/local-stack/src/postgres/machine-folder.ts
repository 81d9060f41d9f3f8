/**
 * Where root keeps what the unprivileged Postgres user must reach when the clone, or DATA_DIR, is in a folder that only
 * root can enter: a copy of the programs, and the clusters. DATA_DIR/postgres is then a link into it.
 */
export const MACHINE_FOLDER = "/var/lib/partner-connect";
